package import Record

/// A server's effect on a client that exists only in HTTP/2 (RFC 9113).
package enum StreamEffect: Hashable, Sendable {
    /// The stream that a GOAWAY names as the last one that is served.
    package enum LastStream: Hashable, Sendable {
        /// The stream of the point; if it has none, the highest so far.
        case this
        /// The one before it: this stream was not processed and will not be.
        case before
        /// This number. With 2^31-1 the server announces the end and still accepts new streams (RFC 9113 §6.8).
        case number(Int)
    }

    /// GOAWAY: later streams are ignored, and the connection closes when the other streams have ended.
    case goAway(HTTP2ErrorCode, last: LastStream)
    /// RST_STREAM; the other streams continue.
    case resetStream(HTTP2ErrorCode)
    /// SETTINGS during the connection; a value that violates the RFC is sent too.
    case settings([HTTP2Setting])
    /// No further WINDOW_UPDATE for this stream.
    case closeWindow
    /// The window that `closeWindow` withheld is granted.
    case openWindow
    /// This many PING frames in a row.
    case pingFlood(Int)
    /// A frame as given here, legal or not.
    case frame(RawFrame)
    /// Nothing more is sent on the whole connection, which stays open; every other stall affects only one stream.
    case silence
}

extension StreamEffect {
    /// The effect in the words of a scenario file, for the record.
    var recorded: Labelled<Fault.Effect.Word> {
        switch self {
        case .goAway(let code, .this): Labelled(.goAway, code.name)
        case .goAway(let code, .before): Labelled(.goAway, "\(code.name), last before")
        case .goAway(let code, .number(let number)): Labelled(.goAway, "\(code.name), last \(number)")
        case .resetStream(let code): Labelled(.resetStream, code.name)
        case .settings(let settings):
            Labelled(.settings, settings.map { "\($0.name.description) \($0.value)" }.joined(separator: ", "))
        case .closeWindow: Labelled(.closeWindow)
        case .openWindow: Labelled(.openWindow)
        case .pingFlood(let count): Labelled(.pingFlood, "\(count)")
        case .frame(let frame):
            Labelled(.frame, "type \(frame.type), flags \(frame.flags), \(frame.payload.count) bytes")
        case .silence: Labelled(.silence)
        }
    }

    /// Returns the last stream that a recorded GOAWAY at a request on this stream names; nil for another effect. The server
    /// has not processed any later one (RFC 9113 §6.8).
    package static func lastStream(of recorded: Labelled<Fault.Effect.Word>, at stream: Int) -> Int? {
        guard recorded.word == .goAway else { return nil }
        let parts = recorded.details.split(separator: ", ")
        guard let last = parts.first(where: { $0.hasPrefix("last ") })?.dropFirst(5) else { return stream }
        return Int(last) ?? stream - 1
    }
}

/// An error code of RFC 9113 §7; any 32-bit value may appear on the wire.
package struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let noError = HTTP2ErrorCode(rawValue: 0)
    package static let protocolError = HTTP2ErrorCode(rawValue: 1)
    package static let flowControlError = HTTP2ErrorCode(rawValue: 3)
    package static let streamClosed = HTTP2ErrorCode(rawValue: 5)
    package static let frameSizeError = HTTP2ErrorCode(rawValue: 6)
    package static let refusedStream = HTTP2ErrorCode(rawValue: 7)
    package static let cancel = HTTP2ErrorCode(rawValue: 8)
    package static let compressionError = HTTP2ErrorCode(rawValue: 9)
    package static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 11)

    /// The names, indexed by number.
    package static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    package init?(name: String) {
        guard let number = HTTP2ErrorCode.names.firstIndex(of: name) else { return nil }
        rawValue = UInt32(number)
    }

    /// The RFC's name, or the number of an unknown code.
    package var name: String {
        Int(rawValue) < HTTP2ErrorCode.names.count ? HTTP2ErrorCode.names[Int(rawValue)] : "\(rawValue)"
    }
}

/// One parameter of a SETTINGS frame (RFC 9113 §6.5.2).
package struct HTTP2Setting: Hashable, Sendable {
    package enum Name: UInt16, CaseIterable, Hashable, Sendable {
        case headerTableSize = 1
        case enablePush = 2
        case maxConcurrentStreams = 3
        case initialWindowSize = 4
        case maxFrameSize = 5
        case maxHeaderListSize = 6
        /// RFC 8441.
        case enableConnectProtocol = 8
        /// RFC 9218: the server uses the priority signals of RFC 9218, not those of RFC 7540.
        case noRFC7540Priorities = 9

        package var description: String {
            switch self {
            case .headerTableSize: "HEADER_TABLE_SIZE"
            case .enablePush: "ENABLE_PUSH"
            case .maxConcurrentStreams: "MAX_CONCURRENT_STREAMS"
            case .initialWindowSize: "INITIAL_WINDOW_SIZE"
            case .maxFrameSize: "MAX_FRAME_SIZE"
            case .maxHeaderListSize: "MAX_HEADER_LIST_SIZE"
            case .enableConnectProtocol: "ENABLE_CONNECT_PROTOCOL"
            case .noRFC7540Priorities: "NO_RFC7540_PRIORITIES"
            }
        }
    }
    package var name: Name
    package var value: UInt32
    package init(_ name: Name, _ value: UInt32) {
        self.name = name
        self.value = value
    }
}

/// One frame given byte by byte.
package struct RawFrame: Hashable, Sendable {
    package var type: UInt8
    package var flags: UInt8
    /// nil: the stream of the point; 0 if it has none.
    package var stream: Int?
    package var payload: [UInt8]
    /// The length in the frame header; nil: that of the payload.
    package var length: Int?
    package init(type: UInt8, flags: UInt8 = 0, stream: Int? = nil, payload: [UInt8] = [], length: Int? = nil) {
        self.type = type
        self.flags = flags
        self.stream = stream
        self.payload = payload
        self.length = length
    }
}
