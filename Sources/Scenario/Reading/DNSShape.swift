/// The shapes of `dns:` and of `resolver:`.
enum DNSShape {
    static let replyDescription = ["origin", "nodata", "nxdomain", "servfail", "refused", "silent"]

    static let names = Shape.mapping(key: "host names (`*` for all others)", rule)

    private static let simple: [Shape] = [.word(replyDescription), .list(.text)]

    /// One reply without exceptions for single types.
    private static let plain = [
        Field(
            "reply", .either(simple),
            "A word, or addresses; default origin. nodata: the name exists without an address."),
        Field("delay", .duration, "The reply comes this much later."),
        Field("ttl", .duration, "How long the reply may be kept, in whole seconds; default 0s."),
        Field(
            "cname", .oneOrMore(.text),
            "Aliases before the addresses, in order; the name itself, or one twice, makes a loop."),
        Field(
            "malformed", .word(DNSReply.Malformation.allCases.map(\.rawValue)),
            "What is wrong with the message; truncated, oversized and wrongSource over UDP only."),
        Field(
            "tcp", .word(DNSReply.TCPReply.allCases.map(\.rawValue)),
            "What a query over TCP gets: the reply, nothing, or a reset connection; default reply."),
    ]

    private static let typed =
        plain + [
            Field("a", .either(simple + [.object(plain)]), "What is different in replies to A queries."),
            Field("aaaa", .either(simple + [.object(plain)]), "What is different in replies to AAAA queries."),
        ]

    private static let variant = Shape.either(
        simple + [
            .object(typed + [Field("times", .integer(1...1_000_000), "For so many queries of each type; default 1.")])
        ])

    private static let turned =
        typed + [
            Field(
                "sequence", .list(variant),
                "Replies in this order, counted for each query type; the last one stays. Each starts from the keys beside `sequence`."
            )
        ]

    private static let rule = Shape.either(
        simple + [
            .object(
                turned + [
                    Field(
                        "on",
                        .object(
                            InterfaceKind.allCases.map { kind in
                                Field(
                                    kind.rawValue, .either(simple + [.object(turned)]),
                                    "What the DNS server of the \(kind.rawValue) network replies instead.")
                            }), "Other replies of single networks' DNS servers.")
                ])
        ])

    static let resolver = Shape.object([
        Field("search", .oneOrMore(.text), "Domains that are tried below short names."),
        Field("timeout", .duration, "How long the client's resolver waits for an answer: 1s to 30s."),
        Field("attempts", .integer(1...5), "How often it asks."),
        Field("ndots", .integer(0...15), "A name with so many dots is tried as it is first."),
        Field(
            "servers", .either([.word(["none"]), .list(.text)]),
            "Name servers in place of the interfaces' own: addresses, or none."),
        Field("tcp", .boolean, "Whether the name servers accept TCP connections; default true."),
    ])
}
