/// Converts the words for HTTP/2 faults into effects.
enum StreamFaultReader {
    static let words: [Alternatives<Fault.Effect>.Word] = [
        .init(
            "goAway", .stream(.goAway(.noError, last: .this)),
            "HTTP/2: GOAWAY with NO_ERROR and this stream as the last one"),
        .init(
            "refuseStream", .stream(.resetStream(.refusedStream)),
            "HTTP/2: RST_STREAM with REFUSED_STREAM: the request was not processed"),
        .init(
            "closeWindow", .stream(.closeWindow),
            "HTTP/2: the request's flow-control window is not extended"),
        .init(
            "openWindow", .stream(.openWindow),
            "HTTP/2: extends the window by what closeWindow withheld, at least 65,535 bytes"),
        .init(
            "silence", .stream(.silence),
            "HTTP/2: the whole connection falls silent, not only the stream as with a stall"),
    ]

    static let keys: [Alternatives<Fault.Effect>.Key] = [
        .init(
            "goAway",
            .object([
                Field("code", .word(HTTP2ErrorCode.names), "The error code; default NO_ERROR."),
                Field(
                    "last", .word(["this", "before"]),
                    "The last stream that is served: the point's own (default), or the one before it, so that this one was not processed."
                ),
                Field(
                    "lastStream", .integer(0...0x7FFF_FFFF),
                    "The last stream by its number; 2147483647 only announces the end."),
            ]), "HTTP/2: GOAWAY. Later streams are ignored, and the connection ends when the others are complete."
        ) { value, findings in
            guard let goAway = value.fields else { return nil }
            if goAway.has("last"), goAway.has("lastStream") {
                findings.refuse(
                    goAway.place(of: "lastStream"), "`last` and `lastStream` exclude each other; write one of them")
            }
            let code = goAway.text("code").flatMap(HTTP2ErrorCode.init(name:)) ?? .noError
            if let number = goAway.int("lastStream") {
                return .stream(.goAway(code, last: .number(number)))
            }
            return .stream(.goAway(code, last: goAway.text("last") == "before" ? .before : .this))
        },
        .init(
            "resetStream", .word(HTTP2ErrorCode.names), "HTTP/2: RST_STREAM with this code; the other streams continue."
        ) { value, _ in value.text.flatMap(HTTP2ErrorCode.init(name:)).map { .stream(.resetStream($0)) } },
        .init("settings", settings, "HTTP/2: SETTINGS in the middle of the connection.") { value, _ in
            value.fields.map { .stream(.settings(settings($0))) }
        },
        .init("pingFlood", .integer(1...100_000), "HTTP/2: this many PING frames at once.") { value, _ in
            value.int.map { .stream(.pingFlood($0)) }
        },
        .init(
            "frame",
            .object([
                Field("type", .integer(0...255), required: true, "The frame's type (RFC 9113 §6)."),
                Field("flags", .integer(0...255), "Default 0."),
                Field("stream", .integer(0...0x7FFF_FFFF), "The stream; default the point's, or 0 if it has none."),
                Field("payload", .text, "The bytes as hexadecimal digits; default none."),
                Field("length", .integer(0...0xFF_FFFF), "The length that the frame claims; default the payload's."),
            ]), "HTTP/2: this frame, valid or not."
        ) { value, findings in value.fields.flatMap { frame($0, &findings) }.map { .stream(.frame($0)) } },
    ]

    static let settings = Shape.object(
        HTTP2Setting.Name.allCases.map {
            Field($0.description, .integer(0...0xFFFF_FFFF), "As RFC 9113 §6.5.2; illegal values are sent too.")
        })

    private static func frame(_ frame: Fields, _ findings: inout Findings) -> RawFrame? {
        guard let type = frame.integer("type") else { return nil }
        var made = RawFrame(
            type: UInt8(clamping: type), flags: UInt8(clamping: frame.integer("flags") ?? 0),
            stream: frame.int("stream"), length: frame.int("length"))
        if let text = frame.text("payload") {
            guard let bytes = bytes(text) else {
                findings.refuse(
                    frame.place(of: "payload"),
                    "a payload is written as pairs of hexadecimal digits, such as \"00 01 ff\"")
                return nil
            }
            made.payload = bytes
        }
        return made
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
                fields.place(of: "do"), "this needs HTTP/2; write `protocols: [h2, http/1.1]` under `origin`")
        }
        if point.isOfConnection {
            findings.refuse(
                fields.place(of: "at"), "there is no HTTP/2 yet at this point; write `at: requestHead` or a later one")
        }
        switch effect {
        case .resetStream, .closeWindow, .openWindow:
            if point == .idle {
                findings.refuse(
                    fields.place(of: "at"),
                    "an idle connection has no stream; write a point of a request or its response"
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
