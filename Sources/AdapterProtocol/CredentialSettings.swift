/// `urlCredentialStorage` of a session's configuration, and its content when the session is made (AUTH-11).
package struct CredentialSettings: Hashable, Sendable {
    /// nil keeps the session's default store, which then receives `stored`.
    package var storage: StorageChoice?
    package var stored: [StoredCredential]
    package init(storage: StorageChoice? = nil, stored: [StoredCredential] = []) {
        self.storage = storage
        self.stored = stored
    }
}

/// A credential that an app put into the store for a protection space.
package struct StoredCredential: Hashable, Sendable {
    package enum Method: String, CaseIterable, Hashable, Sendable { case basic, digest, ntlm, negotiate }
    package var method: Method
    /// `http` or `https`.
    package var scheme: String
    package var host: String
    package var port: Int
    package var realm: String?
    package var user: String
    package var password: String
    package var persistence: CredentialPersistence
    /// `setDefaultCredential(_:for:)` instead of `set(_:for:)`.
    package var isDefault: Bool
    package init(
        method: Method, scheme: String, host: String, port: Int, realm: String?, user: String, password: String,
        persistence: CredentialPersistence = .forSession, isDefault: Bool = false
    ) {
        self.method = method
        self.scheme = scheme
        self.host = host
        self.port = port
        self.realm = realm
        self.user = user
        self.password = password
        self.persistence = persistence
        self.isDefault = isDefault
    }
}

/// `URLCredential.Persistence` (AUTH-17).
package enum CredentialPersistence: String, CaseIterable, Hashable, Sendable {
    case none
    case forSession
    case permanent
}
