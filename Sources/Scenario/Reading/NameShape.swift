/// The shapes of `names:` and of `resolver:`.
enum NameShape {
    static let answerWords = ["origin", "nodata", "nxdomain", "servfail", "refused", "silent"]

    static let names = Shape.mapping(key: "host names (`*` for all others)", rule)

    private static let simple: [Shape] = [.word(answerWords), .list(.text)]

    /// One answer without exceptions for single types.
    private static let plain = [
        Field("answer", .either(simple), "A word, or addresses; default origin. nodata: the name exists without an address."),
        Field("delay", .duration, "The answer comes this much later."),
        Field("ttl", .duration, "How long the answer may be kept, in whole seconds; default 0s."),
        Field("cname", .oneOrMore(.text), "Aliases before the answer, in order; the name itself, or one twice, makes a loop."),
        Field(
            "flaw", .word(NameReply.Flaw.allCases.map(\.rawValue)),
            "What is wrong with the message; truncated, oversized and fromElsewhere over UDP only."),
        Field(
            "tcp", .word(NameReply.StreamAnswer.allCases.map(\.rawValue)),
            "What a query over TCP gets: the answer, nothing, or a reset connection; default answered."),
    ]

    private static let typed =
        plain + [
            Field("a", .either(simple + [.object(plain)]), "What is different in answers to A queries."),
            Field("aaaa", .either(simple + [.object(plain)]), "What is different in answers to AAAA queries."),
        ]

    private static let turn = Shape.either(
        simple + [.object(typed + [Field("times", .integer(1...1_000_000), "For so many queries of each type; default 1.")])])

    private static let turned =
        typed + [
            Field(
                "turns", .list(turn),
                "Answers in turn, counted for each query type; the last one stays. Each starts from the keys beside `turns`.")
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
                                    "What the name server of the \(kind.rawValue) network answers instead.")
                            }), "Other answers of single networks' name servers.")
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
