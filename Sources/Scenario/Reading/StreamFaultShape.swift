/// The fields for faults that exist only in HTTP/2.
enum StreamFaultShape {
    static let choices: [Field] = [
        Field(
            "goAway",
            .object([
                Field("code", .word(HTTP2ErrorCode.names), "Default NO_ERROR."),
                Field(
                    "last", .word(["this", "before"]),
                    "The last stream that is served: the point's own (default), or the one before it, so that this one was not processed."
                ),
                Field(
                    "lastStream", .integer(0...0x7FFF_FFFF),
                    "The last stream by its number; 2147483647 only announces the end."),
            ]), "HTTP/2: GOAWAY. Later streams are passed over, and the connection ends when the others are done."),
        Field(
            "resetStream", .word(HTTP2ErrorCode.names), "HTTP/2: RST_STREAM with this code; the other streams go on."),
        Field("settings", settings, "HTTP/2: SETTINGS in the midst of the connection."),
        Field("pingFlood", .integer(1...100_000), "HTTP/2: so many PING frames at once."),
        Field(
            "frame",
            .object([
                Field("type", .integer(0...255), required: true, "The frame's type (RFC 9113 §6)."),
                Field("flags", .integer(0...255), "Default 0."),
                Field("stream", .integer(0...0x7FFF_FFFF), "Default the point's stream, or 0 when it has none."),
                Field("payload", .text, "The bytes as hexadecimal digits; default none."),
                Field("length", .integer(0...0xFF_FFFF), "The length that the frame claims; default the payload's."),
            ]), "HTTP/2: this frame, legal or not."),
    ]

    static let definitions: [(word: String, effect: Fault.Effect, meaning: String)] = [
        (
            "goAway", .stream(.goAway(.noError, last: .this)),
            "HTTP/2: GOAWAY with NO_ERROR and this stream as the last one"
        ),
        (
            "refuseStream", .stream(.resetStream(.refusedStream)),
            "HTTP/2: RST_STREAM with REFUSED_STREAM, nothing was processed"
        ),
        (
            "closeWindow", .stream(.closeWindow),
            "HTTP/2: the client may send no more of this request than it already may"
        ),
        ("openWindow", .stream(.openWindow), "HTTP/2: what closeWindow held back is granted, 65,535 bytes at least"),
        ("silence", .stream(.silence), "HTTP/2: the whole connection falls silent, where a stall is one of the stream"),
    ]

    static let settings = Shape.object(
        HTTP2Setting.Name.allCases.map {
            Field($0.description, .integer(0...0xFFFF_FFFF), "As RFC 9113 §6.5.2; illegal values are sent too.")
        })
}
