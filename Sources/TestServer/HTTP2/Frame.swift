import NIOCore
import ScenarioLanguage

/// One frame on the wire (RFC 9113 §4.1); unknown types are kept.
struct Frame: Hashable {
    enum Kind: UInt8, CaseIterable, Hashable {
        case data = 0
        case headers = 1
        case priority = 2
        case resetStream = 3
        case settings = 4
        case pushPromise = 5
        case ping = 6
        case goAway = 7
        case windowUpdate = 8
        case continuation = 9
        /// RFC 9218 §7.1.
        case priorityUpdate = 16

        var description: String {
            switch self {
            case .data: "DATA"
            case .headers: "HEADERS"
            case .priority: "PRIORITY"
            case .resetStream: "RST_STREAM"
            case .settings: "SETTINGS"
            case .pushPromise: "PUSH_PROMISE"
            case .ping: "PING"
            case .goAway: "GOAWAY"
            case .windowUpdate: "WINDOW_UPDATE"
            case .continuation: "CONTINUATION"
            case .priorityUpdate: "PRIORITY_UPDATE"
            }
        }
    }

    enum Flag {
        static let endStream: UInt8 = 0x1
        static let acknowledges: UInt8 = 0x1
        static let endHeaders: UInt8 = 0x4
        static let padded: UInt8 = 0x8
        static let priority: UInt8 = 0x20
    }

    static let headSize = 9
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    var type: UInt8
    var flags: UInt8
    var stream: Int
    var payload: ByteBuffer

    var kind: Kind? { Kind(rawValue: type) }

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    /// Returns the nine bytes before a payload of this length.
    static func head(_ type: UInt8, _ flags: UInt8, stream: Int, length: Int) -> [UInt8] {
        let id = UInt32(truncatingIfNeeded: stream)
        return [
            UInt8(truncatingIfNeeded: length >> 16), UInt8(truncatingIfNeeded: length >> 8),
            UInt8(truncatingIfNeeded: length),
            type, flags, UInt8(truncatingIfNeeded: id >> 24), UInt8(truncatingIfNeeded: id >> 16),
            UInt8(truncatingIfNeeded: id >> 8), UInt8(truncatingIfNeeded: id),
        ]
    }

    static func bytes(_ kind: Kind, _ flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8] = []) -> [UInt8] {
        head(kind.rawValue, flags, stream: stream, length: payload.count) + payload
    }

    /// Returns a frame of the connection.
    static func bytes(_ kind: Kind, _ payload: [UInt8]) -> [UInt8] { bytes(kind, 0, stream: 0, payload) }

    static func resetStream(_ stream: Int, _ code: HTTP2ErrorCode) -> [UInt8] {
        bytes(.resetStream, stream: stream, four(code.rawValue))
    }

    static func windowUpdate(_ stream: Int, _ more: Int) -> [UInt8] {
        bytes(.windowUpdate, stream: stream, four(UInt32(clamping: more)))
    }

    static func goAway(last: Int, _ code: HTTP2ErrorCode, _ reason: String = "") -> [UInt8] {
        bytes(.goAway, four(UInt32(clamping: last)) + four(code.rawValue) + Array(reason.utf8))
    }

    static func settings(_ settings: [HTTP2Setting]) -> [UInt8] {
        bytes(
            .settings,
            settings.flatMap {
                [UInt8($0.name.rawValue >> 8), UInt8(truncatingIfNeeded: $0.name.rawValue)] + four($0.value)
            })
    }

    static func four(_ value: UInt32) -> [UInt8] {
        [
            UInt8(value >> 24), UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8),
            UInt8(truncatingIfNeeded: value),
        ]
    }

    init(type: UInt8, flags: UInt8, stream: Int, payload: ByteBuffer) {
        self.type = type
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }
}

/// A violation of RFC 9113 by the client, with the error code of the server's reply.
struct HTTP2Violation: Error, Hashable {
    var code: HTTP2ErrorCode
    var reason: String
    /// nil: a connection error.
    var stream: Int?

    init(_ code: HTTP2ErrorCode, _ reason: String, stream: Int? = nil) {
        self.code = code
        self.reason = reason
        self.stream = stream
    }
}
