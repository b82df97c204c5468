import AdapterProtocol

/// Converts the wire options of a route into a `WirePlan`.
struct WireReader {
    static let fields = [
        Field(
            "interim", .oneOrMore(.either([.integer(100...199), interim])),
            "1xx responses before the final response, such as 103 or { status: 103, headers: { Link: </a.css> } }."),
        Field("chunkSize", .byteCount, "With `framing: chunked`: the size of each chunk; default 64KiB."),
        Field(
            "trailers", .headers,
            "Fields after the body: in HTTP/2, and in HTTP/1.1 with `framing: chunked`."),
        Field("wire", .object(keys.fields()), "The ways in which the response violates HTTP/1.1."),
    ]

    private static let interim = Shape.object([
        Field("status", .integer(100...199), required: true, "A status from 100 to 199 except 101, which ends HTTP."),
        Field("headers", .headers, "Its headers."),
    ])

    private static let keys: [Key<WirePlan>] = [
        Key(
            "statusLine", \.statusLine,
            "These bytes instead of the status line, such as `HTTP/1.1 banana`."),
        Key(
            "contentLength", .oneOrMore(.text),
            "The value of Content-Length whatever the body's length is, or several values for several fields, or `none`."
        ) { wire, plan, findings in plan.contentLength = contentLength(wire, &findings) },
        Key("lines", .oneOrMore(.text), "Head lines, byte for byte: with NUL, folded, without colon or space.") {
            wire, plan, _ in plan.lines = wire.texts("lines")
        },
        Key("longHeader", \.longHeader, "An additional header with a value of this length."),
        Key("manyHeaders", \.manyHeaders, as: .integer(1...100_000), "The number of additional headers."),
        Key("lineEnd", \.lineEnd, "The line ending in the head; default CRLF."),
        Key(
            "chunkLines", .mapping(key: "chunk numbers from 1", .text),
            "The size line of the k-th chunk, such as { 2: xyz }."
        ) { wire, plan, findings in plan.chunkLines = chunkLines(wire, &findings) },
        Key("lastChunk", unless: \.omitsLastChunk, "false: the last chunk, which is empty, is missing."),
        Key(
            "forbiddenBody", \.sendsForbiddenBody,
            "True: a body is sent where it is forbidden: after HEAD, with 204 and 304."),
        Key("head", unless: \.omitsHead, "false: only the body is sent, as in HTTP/0.9."),
        Key("trailingBytes", \.surplus, "Bytes after the complete response."),
        Key(
            "closes", \.closes,
            "The connection ends (true) or stays open (false) after the response, whatever its head announces."),
    ]

    var findings = Findings()
    var supportsHTTP1 = true
    var supportsHTTP2 = false

    /// The options that exist only in HTTP/1.1: lines, chunks, and bytes outside the framing.
    private static let linesAndChunks = ["statusLine", "lines", "lineEnd", "chunkLines", "lastChunk", "trailingBytes"]

    /// The limit of a header's length; a longer one is a download, not a head.
    private static let longestHeader: Int64 = 16 << 20

    mutating func plan(_ fields: Fields, of content: RouteContent) -> WirePlan {
        var plan = WirePlan()
        plan.interim = fields.value("interim")?.elements.compactMap { interim($0) } ?? []
        let isChunked = if case .resource(let resource) = content { resource.framing == .chunked } else { false }
        if let size = fields.byteCount("chunkSize") {
            plan.chunkSize = size
            if size == .zero {
                findings.refuse(
                    fields.place(of: "chunkSize"), "a chunk without data is the last one; write at least 1B")
            }
        }
        plan.trailers = findings.headers("trailers", of: fields)
        if fields.has("chunkSize"), !isChunked {
            findings.refuse(fields.place(of: "chunkSize"), "`chunkSize` needs `framing: chunked` on this route")
        }
        if fields.has("trailers"), !isChunked, !supportsHTTP2 {
            findings.refuse(
                fields.place(of: "trailers"),
                "`trailers` needs `framing: chunked` on this route, or an origin that speaks h2")
        }
        guard let wire = fields.fields("wire") else { return plan }
        for name in WireReader.linesAndChunks where wire.has(name) && !supportsHTTP1 {
            findings.refuse(
                wire.place(of: name),
                "`\(name)` exists in HTTP/1.1 only, and this origin supports only h2; write `protocols: [h2, http/1.1]`, or a fault for HTTP/2"
            )
        }
        Self.keys.read(wire, into: &plan, &findings)
        if let length = plan.longHeader, length.bytes > WireReader.longestHeader {
            findings.refuse(wire.place(of: "longHeader"), "a header has at most 16MiB here, not \(length)")
        }
        for name in ["chunkLines", "lastChunk"] where wire.has(name) && !isChunked {
            findings.refuse(wire.place(of: name), "`\(name)` needs `framing: chunked` on this route")
        }
        if plan.surplus != nil,
            plan.contentLength == [] || fields.text("framing") == Resource.Framing.untilClose.rawValue
        {
            findings.refuse(
                wire.place(of: "trailingBytes"),
                "bytes after a body without a length belong to the body; announce a length")
        }
        if plan.omitsHead {
            for name in ["statusLine", "contentLength", "lines", "longHeader", "manyHeaders", "lineEnd"]
            where wire.has(name) {
                findings.refuse(
                    wire.place(of: name), "`\(name)` needs a head; leave it or `head: false` out")
            }
        }
        return plan
    }

    private mutating func interim(_ value: Value) -> WirePlan.Interim? {
        guard let status = value.integer ?? value.fields?.integer("status") else { return nil }
        if status == 101 {
            findings.refuse(
                value.place,
                "101 is not an interim response: after it the connection uses another protocol (RFC 9110 §15.2.2)")
        }
        let headers = value.fields.map { findings.headers("headers", of: $0) } ?? []
        return WirePlan.Interim(status: Int(clamping: status), headers: headers)
    }

    private static func contentLength(_ wire: Fields, _ findings: inout Findings) -> [String] {
        let values = wire.texts("contentLength")
        if values == ["none"] { return [] }
        if values.isEmpty || values.contains("none") {
            findings.refuse(
                wire.place(of: "contentLength"), "write values for Content-Length, or `none` alone to omit the header")
        }
        for value in values where !HTTPHeadSyntax.isFieldValue(value) {
            findings.refuse(
                wire.place(of: "contentLength"), "for control characters in the head write the whole line under `lines`"
            )
        }
        return values
    }

    private static func chunkLines(_ wire: Fields, _ findings: inout Findings) -> [Int: String] {
        var lines: [Int: String] = [:]
        for pair in wire.pairs("chunkLines") {
            guard let number = Int(pair.key), number > 0 else {
                findings.refuse(pair.place, "`\(pair.key.shortened)` is not a chunk number; chunks count from 1")
                continue
            }
            lines[number] = pair.value.text
        }
        return lines
    }
}
