/// The fields of a route that describe the wire format of its response.
enum WireShape {
    static let fields = [
        Field(
            "interim", .oneOrMore(.either([.integer(100...199), interim])),
            "1xx responses before the answer, such as 103 or { status: 103, headers: { Link: </a.css> } }."),
        Field("chunkSize", .byteCount, "With `framing: chunked`: the data of each chunk; default 64KiB."),
        Field(
            "trailers", .headers,
            "Fields after the body: in HTTP/2, and in HTTP/1.1 with `framing: chunked`."),
        Field("wire", wire, "Where the answer breaks the rules of HTTP/1.1."),
    ]

    private static let interim = Shape.object([
        Field("status", .integer(100...199), required: true, "101 is none of them: it ends HTTP."),
        Field("headers", .headers, "Its headers."),
    ])

    private static let wire = Shape.object([
        Field("statusLine", .text, "These bytes in place of the status line, such as `HTTP/1.1 banana`."),
        Field(
            "contentLength", .oneOrMore(.text),
            "The value of Content-Length whatever the body has, or several values for several fields, or `none`."),
        Field("lines", .oneOrMore(.text), "Head lines byte for byte: with NUL, folded, without colon or blank."),
        Field("longHeader", .byteCount, "One more header with a value of this length."),
        Field("manyHeaders", .integer(1...100_000), "So many more headers."),
        Field("lineEnd", .word(WirePlan.LineEnd.allCases.map(\.rawValue)), "Ends the lines of the head; default CRLF."),
        Field(
            "chunkLines", .mapping(key: "chunk numbers from 1", .text),
            "The size line of the k-th chunk, such as { 2: xyz }."),
        Field("lastChunk", .boolean, "false: the chunks end without the last one, which has no data."),
        Field("forbiddenBody", .boolean, "A body is sent where none may be: after HEAD, with 204 and 304."),
        Field("head", .boolean, "false: only the body is sent, as in HTTP/0.9."),
        Field("trailingBytes", .text, "Bytes behind the complete answer."),
        Field("closes", .boolean, "Whether the connection ends after the answer, whatever its head says."),
    ])
}
