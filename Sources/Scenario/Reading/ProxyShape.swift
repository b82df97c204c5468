import AdapterProtocol

/// The shapes of `proxies:` and of a session's reference to a proxy.
enum ProxyShape {
    static let proxies = Shape.mapping(key: "proxy names", proxy)

    private static let proxy = Shape.object(
        [
            Field(
                "type", .word(ProxyAddress.Kind.allCases.map(\.rawValue)),
                "http (the default), https (HTTP inside TLS) or socks5."),
            Field(
                "port", .integer(1...65_535),
                "Default 3128 of http, 3129 of https, 1080 of socks5; every proxy has its own."),
        ] + access + [
            Field("tls", TLSShape.tls, "What a proxy of the type https shows."),
            Field(
                "system", .boolean,
                "The program under test finds it in its environment (http_proxy, https_proxy, all_proxy); default false."
            ),
            Field("faults", .list(fault), "Where the proxy misbehaves."),
        ])

    private static let access = [
        Field("basic", .object(AuthenticationShape.credentials), "Asks for Basic authentication with 407."),
        Field(
            "digest", .object(AuthenticationShape.credentials + AuthenticationShape.digest),
            "Asks for Digest authentication with 407."),
        Field("login", .object(login), "User and password of SOCKS (RFC 1929)."),
    ]

    static let change = Shape.object(
        access + [
            Field("open", .boolean, "true: it asks for nothing from here on."),
            Field(
                "faults", .either([.word(["none"]), .list(fault)]),
                "These in place of all others, their scopes counted from here, or `none` for a proxy that is well."),
        ])

    static let use = Shape.either([
        .text,
        .object([
            Field("name", .text, required: true, "A proxy under `proxies:`."),
            Field("user", .text, "Credentials that the session is configured with, for SOCKS."),
            Field("password", .text, "Goes with `user`."),
        ]),
    ])

    private static let login = [
        Field("user", .text, required: true, "The right user."),
        Field("password", .text, required: true, "The right password."),
    ]

    private static let fault = Shape.object([
        Field(
            "at",
            .either([
                .word(["accept", "request"]),
                .choice(
                    [
                        Field("uplink", .byteCount, "Exactly this many bytes went on to the target."),
                        Field("downlink", .byteCount, "Exactly this many bytes of the target went on to the client."),
                    ], beside: []),
            ]), required: true,
            "The point. accept: the connection is open; request: what the client wants is known and not answered."),
        Field(
            "do",
            .either([
                .word(effects.map(\.word)),
                .choice(
                    [
                        Field(
                            "refuse", .integer(1...599),
                            "This HTTP status, or SOCKS reply code, in place of a connection."),
                        Field("pause", .duration, "Nothing happens for this long, then it goes on."),
                        Field("throttle", .bitRate, "From here on so slowly."),
                    ], beside: []),
            ]), required: true,
            "The effect. \(effects.map { "\($0.word): \($0.meaning)" }.joined(separator: "; "))."),
        Field(
            "for",
            .object([
                Field("connection", .integer(1...1_000_000), "The k-th connection to this proxy."),
                Field("request", .integer(1...1_000_000), "The k-th request to this proxy."),
                Field("first", .integer(1...1_000_000), "Only the first n matches, then normal."),
            ]), "All given parts must hold; default: always."),
    ])

    static let effects: [(word: String, effect: ProxyFault.Effect, meaning: String)] = [
        ("close", .close, "FIN to both sides"), ("reset", .reset, "RST to both sides"),
        ("stall", .stall, "silence on open connections"),
    ]
}
