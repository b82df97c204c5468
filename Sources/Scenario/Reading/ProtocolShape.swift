/// The field for the client's protocol classes in a session's configuration.
enum ProtocolShape {
    static let session = Field(
        "protocolClasses", .oneOrMore(protocolClass),
        "Classes of the client's own that load requests, in the order in which they are asked; each tells what it loads (`protocolLoad`)."
    )

    private static let protocolClass = Shape.choice(
        [
            Field("response", response, "The response of the class to each request, without a connection."),
            Field(
                "forward", .text,
                "A path or URL: the class loads it through a session of its own and passes the result on."),
        ],
        beside: [
            Field("scheme", .text, "The class takes requests whose URL has this scheme, such as moof; default any."),
            Field("host", .text, "And this host; default any."),
            Field("registered", .boolean, "It stands in the list of the process, not in the session's; default false."),
        ])

    private static let response = Shape.either([
        .text,
        .object([
            Field("status", .integer(100...599), "Default 200."),
            Field("headers", HeaderShape.headers, "Header fields of the response."),
            Field("text", .text, "The body; default none."),
        ]),
    ])
}
