/// The cookie settings of a session's configuration; a nil field means the implementation's default.
package struct CookieSettings: Hashable, Sendable {
    /// `httpCookieAcceptPolicy` (COOK-04, COOK-05).
    package enum Acceptance: String, CaseIterable, Hashable, Sendable {
        case always
        case never
        case onlyFromMainDocumentDomain
    }
    package var acceptance: Acceptance?
    /// `httpShouldSetCookies` (COOK-03).
    package var sends: Bool?
    /// `httpCookieStorage` (COOK-02, COOK-06).
    package var storage: StorageChoice?
    package init(acceptance: Acceptance? = nil, sends: Bool? = nil, storage: StorageChoice? = nil) {
        self.acceptance = acceptance
        self.sends = sends
        self.storage = storage
    }
}
