/// The fields of a route that require credentials.
enum AuthenticationShape {
    static let fields = [
        Field("basic", .object(credentials), "Asks for Basic authentication."),
        Field("digest", .object(credentials + digest), "Asks for Digest authentication."),
        Field("authentication", authentication, "Asks for one of several schemes, or as a proxy does."),
    ]

    static let credentials = [
        Field("user", .text, required: true, "The right user."),
        Field("password", .text, required: true, "The right password."),
        Field("realm", .text, "Default lab."),
    ]

    static let digest = [
        Field("algorithm", .word(AuthenticationPlan.Digest.Algorithm.allCases.map(\.rawValue)), "Default SHA-256."),
        Field(
            "qop", .oneOrMore(.word(AuthenticationPlan.Digest.Quality.allCases.map(\.rawValue) + ["none"])),
            "What is offered, in this order; `none`: no qop, as in RFC 2069. Default auth."),
        Field("nonceUses", .integer(1...1_000_000), "A nonce becomes stale after this many requests; default never."),
        Field("nextNonce", .boolean, "Each accepted request is answered with the next nonce in Authentication-Info."),
        Field("userHash", .boolean, "Offers that the user's name comes hashed."),
    ]

    private static let authentication = Shape.object([
        Field(
            "schemes", .oneOrMore(.either([.word(["basic", "digest", "ntlm", "negotiate"]), scheme])), required: true,
            "The challenges in this order; one of them is enough."),
        Field("user", .text, "The right user."),
        Field("password", .text, "The right password."),
        Field("realm", .text, "Default lab."),
        Field(
            "as", .word(AuthenticationPlan.Requester.allCases.map(\.rawValue)),
            "Who asks: origin (401, WWW-Authenticate; default) or proxy (407, Proxy-Authenticate)."),
        Field("oneLine", .boolean, "All challenges stand in one header line; default each in its own."),
        Field(
            "fromRequest", .integer(1...1_000_000),
            "Requests of the path before this one need no credentials; default 1."),
    ])

    private static let scheme = Shape.choice(
        [
            Field("digest", .object(digest), "Digest, with these details."),
            Field(
                "bearer", .object([Field("token", .text, required: true, "The right token.")]),
                "A bearer token (RFC 6750)."),
            Field(
                "ntlm", .object([Field("domain", .text, "The server's domain; default LAB.")]),
                "NTLMv2: three messages, and the connection is authenticated."),
            Field(
                "negotiate",
                .object([
                    Field(
                        "legs", .integer(1...16),
                        "So many tokens of the client's complete the exchange, whatever they say; default 1.")
                ]), "The exchange of RFC 4559; a token that is NTLM's is verified."),
            Field("other", .text, "This challenge byte for byte; nothing satisfies it."),
        ], beside: [])
}
