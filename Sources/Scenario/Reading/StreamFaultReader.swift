/// Converts the words for HTTP/2 faults into effects.
enum StreamFaultReader {
    static func effect(_ fields: Fields, _ findings: inout Findings) -> StreamEffect? {
        if let goAway = fields.fields("goAway") {
            if goAway.has("last"), goAway.has("lastStream") {
                findings.refuse(
                    goAway.place(of: "lastStream"), "`last` and `lastStream` exclude each other; write one of them")
            }
            let code = goAway.text("code").flatMap(HTTP2ErrorCode.init(name:)) ?? .noError
            if let number = Findings.int(goAway.integer("lastStream")) { return .goAway(code, last: .number(number)) }
            return .goAway(code, last: goAway.text("last") == "before" ? .before : .this)
        }
        if let code = fields.text("resetStream") { return HTTP2ErrorCode(name: code).map { .resetStream($0) } }
        if let settings = fields.fields("settings") { return .settings(StreamFaultReader.settings(settings)) }
        if let count = Findings.int(fields.integer("pingFlood")) { return .pingFlood(count) }
        guard let frame = fields.fields("frame"), let type = frame.integer("type") else { return nil }
        var made = RawFrame(
            type: UInt8(clamping: type), flags: UInt8(clamping: frame.integer("flags") ?? 0),
            stream: Findings.int(frame.integer("stream")), length: Findings.int(frame.integer("length")))
        if let text = frame.text("payload") {
            guard let bytes = bytes(text) else {
                findings.refuse(
                    frame.place(of: "payload"),
                    "a payload is written as pairs of hexadecimal digits, such as \"00 01 ff\"")
                return nil
            }
            made.payload = bytes
        }
        return .frame(made)
    }

    static func settings(_ fields: Fields) -> [HTTP2Setting] {
        HTTP2Setting.Name.allCases.compactMap { name in
            fields.integer(name.description).map { HTTP2Setting(name, UInt32(clamping: $0)) }
        }
    }

    /// Returns errors for effects that can never happen or would change nothing.
    static func check(_ effect: StreamEffect, _ point: Fault.Point, _ fields: Fields, in plan: OriginPlan)
        -> [ScenarioError]
    {
        var findings = Findings()
        if !plan.protocols.contains(.http2) {
            findings.refuse(
                fields.place(of: "do"), "this is HTTP/2's alone; write `protocols: [h2, http/1.1]` under `origin`")
        }
        if point.isOfConnection {
            findings.refuse(
                fields.place(of: "at"), "there is no HTTP/2 yet at this point; write `at: requestHead` or a later one")
        }
        switch effect {
        case .resetStream, .closeWindow, .openWindow:
            if point == .idle {
                findings.refuse(
                    fields.place(of: "at"), "an idle connection has no stream; write a point of a request or its answer"
                )
            }
        case .settings(let settings):
            if settings.isEmpty { findings.refuse(fields.place(of: "do"), "name at least one setting") }
        case .goAway, .pingFlood, .frame, .silence: break
        }
        return findings.errors
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.filter { !$0.isWhitespace }
        guard digits.utf8.count.isMultiple(of: 2), digits.utf8.count <= 2 * 0xFF_FFFF else { return nil }
        var bytes: [UInt8] = []
        var rest = digits[...]
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
