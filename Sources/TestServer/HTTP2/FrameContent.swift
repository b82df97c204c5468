import NIOCore
import ScenarioLanguage

/// The content of a received frame, checked on its own (RFC 9113 §6); the machine checks it against the connection's
/// state.
enum FrameContent: Hashable {
    case data(ByteBuffer, endsStream: Bool)
    case headers(ByteBuffer, priority: PrioritySignal?, endsStream: Bool, endsBlock: Bool)
    case continuation(ByteBuffer, endsBlock: Bool)
    case priority(PrioritySignal)
    case priorityUpdate(of: Int, String)
    case resetStream(HTTP2ErrorCode)
    case settings([SettingField])
    case settingsAcknowledged
    case ping([UInt8])
    case pong([UInt8])
    case goAway(last: Int, HTTP2ErrorCode, reason: String)
    case windowUpdate(Int)
    /// Must be ignored (RFC 9113 §5.5).
    case unknown

    init(_ frame: Frame) throws(HTTP2Violation) {
        var payload = frame.payload
        let length = payload.readableBytes
        guard let kind = frame.kind else {
            self = .unknown
            return
        }
        switch kind {
        case .data, .headers, .priority, .resetStream, .continuation:
            if frame.stream == 0 { throw HTTP2Violation(.protocolError, "\(kind.description) on stream 0") }
        case .settings, .ping, .goAway, .priorityUpdate:
            if frame.stream != 0 {
                throw HTTP2Violation(.protocolError, "\(kind.description) on stream \(frame.stream)")
            }
        case .pushPromise:
            throw HTTP2Violation(.protocolError, "a client sent PUSH_PROMISE")
        case .windowUpdate:
            break
        }
        switch kind {
        case .data:
            try FrameContent.unpad(&payload, frame)
            self = .data(payload, endsStream: frame.has(Frame.Flag.endStream))
        case .headers:
            try FrameContent.unpad(&payload, frame)
            var priority: PrioritySignal?
            if frame.has(Frame.Flag.priority) { priority = try PrioritySignal(&payload, of: frame.stream) }
            self = .headers(
                payload, priority: priority, endsStream: frame.has(Frame.Flag.endStream),
                endsBlock: frame.has(Frame.Flag.endHeaders))
        case .continuation:
            self = .continuation(payload, endsBlock: frame.has(Frame.Flag.endHeaders))
        case .priority:
            guard length == 5 else {
                throw HTTP2Violation(.frameSizeError, "PRIORITY of \(length) bytes", stream: frame.stream)
            }
            self = .priority(try PrioritySignal(&payload, of: frame.stream))
        case .priorityUpdate:
            guard let id: UInt32 = payload.readInteger() else {
                throw HTTP2Violation(.frameSizeError, "PRIORITY_UPDATE of \(length) bytes")
            }
            self = .priorityUpdate(of: Int(id & 0x7FFF_FFFF), String(buffer: payload))
        case .resetStream:
            guard length == 4, let code: UInt32 = payload.readInteger() else {
                throw HTTP2Violation(.frameSizeError, "RST_STREAM of \(length) bytes")
            }
            self = .resetStream(HTTP2ErrorCode(rawValue: code))
        case .settings:
            if frame.has(Frame.Flag.acknowledges) {
                guard length == 0 else {
                    throw HTTP2Violation(.frameSizeError, "an acknowledgement of SETTINGS with \(length) bytes")
                }
                self = .settingsAcknowledged
                return
            }
            guard length % 6 == 0 else { throw HTTP2Violation(.frameSizeError, "SETTINGS of \(length) bytes") }
            var fields: [SettingField] = []
            while let (id, value) = payload.readMultipleIntegers(as: (UInt16, UInt32).self) {
                try FrameContent.check(id, value)
                fields.append(SettingField(id: id, value: value))
            }
            self = .settings(fields)
        case .ping:
            guard length == 8 else { throw HTTP2Violation(.frameSizeError, "PING of \(length) bytes") }
            let bytes = Array(payload.readableBytesView)
            self = frame.has(Frame.Flag.acknowledges) ? .pong(bytes) : .ping(bytes)
        case .goAway:
            guard let (last, code) = payload.readMultipleIntegers(as: (UInt32, UInt32).self) else {
                throw HTTP2Violation(.frameSizeError, "GOAWAY of \(length) bytes")
            }
            self = .goAway(
                last: Int(last & 0x7FFF_FFFF), HTTP2ErrorCode(rawValue: code), reason: String(buffer: payload))
        case .windowUpdate:
            guard length == 4, let more: UInt32 = payload.readInteger() else {
                throw HTTP2Violation(.frameSizeError, "WINDOW_UPDATE of \(length) bytes")
            }
            let increment = Int(more & 0x7FFF_FFFF)
            guard increment > 0 else {
                throw HTTP2Violation(
                    .protocolError, "WINDOW_UPDATE of 0", stream: frame.stream == 0 ? nil : frame.stream)
            }
            self = .windowUpdate(increment)
        case .pushPromise:
            self = .unknown
        }
    }

    private static func unpad(_ payload: inout ByteBuffer, _ frame: Frame) throws(HTTP2Violation) {
        guard frame.has(Frame.Flag.padded) else { return }
        guard let padding: UInt8 = payload.readInteger(), Int(padding) <= payload.readableBytes else {
            throw HTTP2Violation(.protocolError, "a frame with more padding than payload")
        }
        payload.moveWriterIndex(to: payload.writerIndex - Int(padding))
    }

    /// RFC 9113 §6.5.2.
    private static func check(_ id: UInt16, _ value: UInt32) throws(HTTP2Violation) {
        switch HTTP2Setting.Name(rawValue: id) {
        case .enablePush where value > 1, .enableConnectProtocol where value > 1, .noRFC7540Priorities where value > 1:
            throw HTTP2Violation(.protocolError, "setting \(id) is \(value), neither 0 nor 1")
        case .initialWindowSize where value > 0x7FFF_FFFF:
            throw HTTP2Violation(.flowControlError, "INITIAL_WINDOW_SIZE is \(value)")
        case .maxFrameSize where value < 1 << 14 || value > (1 << 24) - 1:
            throw HTTP2Violation(.protocolError, "MAX_FRAME_SIZE is \(value)")
        case .headerTableSize, .enablePush, .maxConcurrentStreams, .initialWindowSize, .maxFrameSize,
            .maxHeaderListSize,
            .enableConnectProtocol, .noRFC7540Priorities, nil:
            break
        }
    }
}

/// One setting as received; unknown numbers must be ignored.
struct SettingField: Hashable {
    var id: UInt16
    var value: UInt32
    var description: String { "\(HTTP2Setting.Name(rawValue: id)?.description ?? "\(id)") \(value)" }
}

/// The priority of a stream in RFC 7540 §5.3; RFC 9113 keeps the bytes but deprecates their meaning.
struct PrioritySignal: Hashable {
    var dependsOn: Int
    var isExclusive: Bool
    /// 1 to 256.
    var weight: Int

    init(_ payload: inout ByteBuffer, of stream: Int) throws(HTTP2Violation) {
        guard let (parent, weight) = payload.readMultipleIntegers(as: (UInt32, UInt8).self) else {
            throw HTTP2Violation(.frameSizeError, "a priority of fewer than 5 bytes")
        }
        dependsOn = Int(parent & 0x7FFF_FFFF)
        isExclusive = parent >> 31 == 1
        self.weight = Int(weight) + 1
        guard dependsOn != stream else {
            throw HTTP2Violation(.protocolError, "stream \(stream) depends on itself", stream: stream)
        }
    }

    var description: String { "weight \(weight), depends on \(dependsOn)\(isExclusive ? " alone" : "")" }
}
