import AdapterProtocol
import InternetAddresses

/// Converts a session's cache, cookie and credential options into settings.
struct StoreReader {
    static let cache = Shape.either([
        .text,
        .object([
            store("cache"),
            Field("memory", .byteCount, "Its capacity in memory."),
            Field("disk", .byteCount, "Its capacity on disk."),
        ]),
    ])

    static let cookies = Shape.object([
        store("cookies"),
        Field(
            "accept", .word(CookieSettings.Acceptance.allCases.map(\.rawValue)),
            "The acceptance policy for received cookies."),
        Field("send", .boolean, "False: requests do not carry cookies of the store."),
    ])

    static let credentials = Shape.object([
        store("credentials"),
        Field(
            "stored", .oneOrMore(.object(stored)),
            "The credentials that an app puts into the store before it creates the session."),
    ])

    static let persistence = Field(
        "persistence", .word(CredentialPersistence.allCases.map(\.rawValue)),
        "The persistence of the credential; default forSession.")

    private static func store(_ what: String) -> Field {
        Field(
            "store", .text,
            "none, shared (the process's), or a name; sessions that give the same name share the \(what).")
    }

    private static let stored = [
        Field(
            "for", .word(StoredCredential.Method.allCases.map(\.rawValue)), required: true,
            "The scheme of the protection space."),
        Field("host", .text, "Its host; default: the host of paths."),
        Field("port", .integer(1...65_535), "Its port; default: the port of the origin's scheme."),
        Field("realm", .text, "Its realm."),
        Field("user", .text, required: true, "The user of the credential."),
        Field("password", .text, required: true, "Its password."),
        persistence,
        Field("default", .boolean, "True: it is the default credential of the protection space; default false."),
    ]

    var findings = Findings()
    /// If true, paths become https URLs.
    let isSecure: Bool

    /// Reads `cache`. A cache with sizes only is private to the session, so it has the session's name.
    mutating func cache(_ fields: Fields, of session: SessionName) -> CacheSettings? {
        guard let value = fields.value("cache") else { return nil }
        if value.text != nil { return choice("cache", of: fields).map { CacheSettings(storage: $0) } }
        guard let cache = value.fields else { return nil }
        let memory = cache.byteCount("memory")?.bytes
        let disk = cache.byteCount("disk")?.bytes
        var storage = StorageChoice.named(session.text)
        if cache.has("store") {
            guard let named = choice("store", of: cache) else { return nil }
            storage = named
        }
        switch storage {
        case .named: break
        case .none, .shared:
            for name in ["memory", "disk"] where cache.has(name) {
                findings.refuse(
                    cache.place(of: name), "`store: \(storage.text)` does not have its own sizes; leave `\(name)` out")
            }
        }
        return CacheSettings(storage: storage, memoryCapacity: memory, diskCapacity: disk)
    }

    mutating func cookies(_ fields: Fields) -> CookieSettings? {
        guard let cookies = fields.fields("cookies") else { return nil }
        refuseEmpty(cookies, "cookies")
        return CookieSettings(
            acceptance: cookies.text("accept").flatMap(CookieSettings.Acceptance.init(rawValue:)),
            sends: cookies.boolean("send"), storage: choice("store", of: cookies))
    }

    mutating func credentials(_ fields: Fields) -> CredentialSettings? {
        guard let credentials = fields.fields("credentials") else { return nil }
        refuseEmpty(credentials, "credentials")
        let storage = choice("store", of: credentials)
        let stored = credentials.list("stored")
        if storage == StorageChoice.none, !stored.isEmpty {
            findings.refuse(
                credentials.place(of: "stored"),
                "`store: none` cannot hold credentials; leave `stored` out or name a store")
        }
        return CredentialSettings(storage: storage, stored: stored.compactMap { credential($0) })
    }

    private mutating func credential(_ fields: Fields) -> StoredCredential? {
        guard let method = fields.text("for").flatMap(StoredCredential.Method.init(rawValue:)),
            let user = fields.text("user"),
            let password = fields.text("password")
        else { return nil }
        let host = fields.text("host") ?? RequestTarget.defaultHost
        if !HTTPHeadSyntax.isHost(host), IPv6Address(host) == nil {
            findings.refuse(
                fields.place(of: "host"),
                "`\(host.shortened)` is not a host; write one such as \(RequestTarget.defaultHost)")
        }
        return StoredCredential(
            method: method, scheme: isSecure ? "https" : "http", host: host,
            port: fields.int("port") ?? (isSecure ? 443 : 80), realm: fields.text("realm"),
            user: user,
            password: password, persistence: StoreReader.persistence(fields),
            isDefault: fields.boolean("default") ?? false)
    }

    static func persistence(_ fields: Fields) -> CredentialPersistence {
        fields.text("persistence").flatMap(CredentialPersistence.init(rawValue:)) ?? .forSession
    }

    private mutating func choice(_ name: String, of fields: Fields) -> StorageChoice? {
        guard let text = fields.text(name) else { return nil }
        if !HTTPHeadSyntax.isName(text) {
            findings.refuse(
                fields.place(of: name),
                "`\(text.shortened)` is not a store: write none, shared, or a name of letters, digits, hyphens and underscores"
            )
            return nil
        }
        return StorageChoice(text: text)
    }

    private mutating func refuseEmpty(_ fields: Fields, _ name: String) {
        if fields.entries.isEmpty {
            findings.refuse(fields.place, "`\(name)` is empty; leave it out for the defaults")
        }
    }
}
