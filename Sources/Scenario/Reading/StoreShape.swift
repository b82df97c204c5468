import AdapterProtocol

/// The fields for the stores of a session and for a task's request: stores, cellular, priority.
enum StoreShape {
    static let session = [
        Field(
            "cache",
            .either([
                .text,
                .object([
                    store("cache"),
                    Field("memory", .byteCount, "Its capacity in memory."),
                    Field("disk", .byteCount, "Its capacity on disk."),
                ]),
            ]),
            "The session's cache: none, shared (the process's), the name of one, or its sizes; default the implementation's own."
        ),
        Field("cachePolicy", policy, "requestCachePolicy of the session."),
        Field(
            "cookies",
            .object([
                store("cookies"),
                Field(
                    "accept", .word(CookieSettings.Acceptance.allCases.map(\.rawValue)),
                    "Which received cookies are kept."),
                Field("send", .boolean, "Whether requests carry cookies of the store."),
            ]), "How the session treats cookies."),
        Field(
            "credentials",
            .object([
                store("credentials"),
                Field(
                    "stored", .oneOrMore(.object(stored)), "What an app puts into the store before the session is made."
                ),
            ]), "The session's store of credentials."),
    ]

    static let task = [
        Field("allowsCellularAccess", .boolean, "Whether the request may use cellular, where its session may."),
        Field("cachePolicy", policy, "cachePolicy of the request."),
        Field(
            "caching",
            .either([
                .word(["allow", "refuse"]), .object([Field("body", .text, required: true, "The body to store.")]),
            ]),
            "The answer when the delegate is asked what to cache; `body` stores the response with this body instead."),
        Field("cookies", .boolean, "httpShouldHandleCookies of the request."),
        Field("mainDocument", .text, "mainDocumentURL of the request: a path or URL."),
        Field("priority", .word(["low", "default", "high"]), "The task's priority."),
    ]

    static let persistence = Field(
        "persistence", .word(CredentialPersistence.allCases.map(\.rawValue)),
        "How long the credential is kept; default forSession.")

    private static let policy = Shape.word(CachePolicy.allCases.map(\.rawValue))

    private static func store(_ what: String) -> Field {
        Field(
            "store", .text,
            "none, shared (the process's), or a name; sessions that give the same name share the \(what).")
    }

    private static let stored = [
        Field(
            "for", .word(StoredCredential.Method.allCases.map(\.rawValue)), required: true,
            "The scheme of the protection space."),
        Field("host", .text, "Its host; default that of paths."),
        Field("port", .integer(1...65_535), "Its port; default that of the origin's scheme."),
        Field("realm", .text, "Its realm."),
        Field("user", .text, required: true, "User of the credential."),
        Field("password", .text, required: true, "Its password."),
        persistence,
        Field("default", .boolean, "Whether it is the space's default credential; default false."),
    ]
}
