import AdapterProtocol

/// Converts the wire options of a route into a `WirePlan`.
struct WireReader {
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
        plan.trailers = findings.headers("trailers", of: fields).map { HeaderField($0.name, $0.value) }
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
                "`\(name)` is HTTP/1.1's alone, and this origin speaks only h2; write `protocols: [h2, http/1.1]`, or a fault for HTTP/2"
            )
        }
        plan.statusLine = wire.text("statusLine")
        plan.contentLength = contentLength(wire)
        plan.lines = wire.texts("lines")
        plan.longHeader = wire.byteCount("longHeader")
        if let length = plan.longHeader, length.bytes > WireReader.longestHeader {
            findings.refuse(wire.place(of: "longHeader"), "a header has at most 16MiB here, not \(length)")
        }
        plan.manyHeaders = Findings.int(wire.integer("manyHeaders"))
        plan.lineEnd = wire.text("lineEnd").flatMap(WirePlan.LineEnd.init(rawValue:)) ?? .crlf
        plan.chunkLines = chunkLines(wire)
        plan.omitsLastChunk = wire.boolean("lastChunk") == false
        plan.sendsForbiddenBody = wire.boolean("forbiddenBody") ?? false
        plan.omitsHead = wire.boolean("head") == false
        plan.surplus = wire.text("trailingBytes")
        plan.closes = wire.boolean("closes")
        for name in ["chunkLines", "lastChunk"] where wire.has(name) && !isChunked {
            findings.refuse(wire.place(of: name), "`\(name)` needs `framing: chunked` on this route")
        }
        if plan.surplus != nil,
            plan.contentLength == [] || fields.text("framing") == Resource.Framing.untilClose.rawValue
        {
            findings.refuse(
                wire.place(of: "trailingBytes"), "a body without a length has nothing behind it; announce a length")
        }
        if plan.omitsHead {
            for name in ["statusLine", "contentLength", "lines", "longHeader", "manyHeaders", "lineEnd"]
            where wire.has(name) {
                findings.refuse(
                    wire.place(of: name), "there is no head to put `\(name)` in; leave it or `head: false` out")
            }
        }
        return plan
    }

    private mutating func interim(_ value: Value) -> WirePlan.Interim? {
        guard let status = value.integer ?? value.fields?.integer("status") else { return nil }
        if status == 101 {
            findings.refuse(
                value.place,
                "101 is no interim response: after it the connection speaks another protocol (RFC 9110 §15.2.2)")
        }
        let headers = value.fields.map { findings.headers("headers", of: $0) } ?? []
        return WirePlan.Interim(status: Int(clamping: status), headers: headers.map { HeaderField($0.name, $0.value) })
    }

    private mutating func contentLength(_ wire: Fields) -> [String]? {
        guard wire.has("contentLength") else { return nil }
        let values = wire.texts("contentLength")
        if values == ["none"] { return [] }
        if values.isEmpty || values.contains("none") {
            findings.refuse(
                wire.place(of: "contentLength"), "write values for Content-Length, or `none` alone for no such header")
        }
        for value in values where !HTTPHeadSyntax.isFieldValue(value) {
            findings.refuse(
                wire.place(of: "contentLength"), "for control characters in the head write the whole line under `lines`"
            )
        }
        return values
    }

    private mutating func chunkLines(_ wire: Fields) -> [Int: String] {
        var lines: [Int: String] = [:]
        for pair in wire.pairs("chunkLines") {
            guard let number = Int(pair.key), number > 0 else {
                findings.refuse(pair.place, "`\(pair.key.shortened)` is no chunk's number; they count from 1")
                continue
            }
            lines[number] = pair.value.text
        }
        return lines
    }
}
