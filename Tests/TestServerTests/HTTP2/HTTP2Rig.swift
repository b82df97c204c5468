import AdapterProtocol
import GeneratedBodies
import NIOCore
import NIOHPACK
import Record
import ScenarioLanguage

@testable import TestServer

/// A connection's machine with a client that sends HTTP/2 frames; time is a number, and the kernel accepts writes when
/// the test drains them.
struct HTTP2Rig {
    struct Sent: Hashable {
        var type: UInt8
        var flags: UInt8
        var stream: Int
        var payload: [UInt8]

        var kind: Frame.Kind? { Frame.Kind(rawValue: type) }
        var endsStream: Bool { (kind == .data || kind == .headers) && flags & Frame.Flag.endStream != 0 }
        var code: UInt32? {
            let bytes = kind == .goAway ? payload.dropFirst(4).prefix(4) : payload.prefix(4)
            return kind == .goAway || kind == .resetStream ? bytes.reduce(0) { $0 << 8 | UInt32($1) } : nil
        }
        var number: Int { payload.prefix(4).reduce(0) { $0 << 8 | Int($1) } }
    }

    var machine: ConnectionMachine
    var origin: OriginState
    var now: Int64 = 1_000
    var done: [ConnectionAction] = []
    private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
    private var taken = 0

    init(_ plan: OriginPlan, breakpoints: [OriginState.Breakpoint] = [], settings: [UInt8] = [], starts: Bool = true) {
        var plan = plan
        if !plan.protocols.contains(.http2) { plan.protocols = [.http2, .http1] }
        origin = OriginState(plan: plan, seed: 1, breakpoints: breakpoints, limits: OriginLimits())
        _ = origin.countConnection()
        machine = ConnectionMachine(number: 1, isSecure: false)
        send(.opened(client: "192.0.2.1", port: 5))
        if starts { send(Frame.preface + Frame.bytes(.settings, settings)) }
    }

    mutating func send(_ input: ConnectionInput) { done += machine.handle(input, at: now, &origin) }

    mutating func send(_ bytes: [UInt8]) { send(.bytes(ByteBuffer(bytes: bytes))) }

    mutating func block(_ fields: [(String, String)]) -> [UInt8] {
        var buffer = ByteBuffer()
        // A new encoder cannot throw.
        try? encoder.encode(headers: HPACKHeaders(fields), to: &buffer)
        return Array(buffer.readableBytesView)
    }

    mutating func request(
        _ stream: Int, _ path: String, method: String = "GET", ends: Bool = true, _ more: [(String, String)] = []
    ) {
        let fields = [(":method", method), (":scheme", "http"), (":path", path), (":authority", "api.test")] + more
        send(
            Frame.bytes(
                .headers, Frame.Flag.endHeaders | (ends ? Frame.Flag.endStream : 0), stream: stream, block(fields)))
    }

    mutating func data(_ stream: Int, _ bytes: [UInt8], ends: Bool = false) {
        send(Frame.bytes(.data, ends ? Frame.Flag.endStream : 0, stream: stream, bytes))
    }

    /// Accepts all writes, and those that follow from them.
    mutating func drainWrites() {
        while taken < writes.count {
            taken += 1
            send(.written)
        }
    }

    var writes: [ConnectionAction.Content] {
        done.compactMap { if case .write(let content) = $0 { content } else { nil } }
    }

    var bytes: [UInt8] {
        writes.flatMap { content in
            switch content {
            case .bytes(let bytes): bytes
            case .pattern(let key, let from, let count): PatternBody.bytes(key: key, from: from, count: count)
            }
        }
    }

    /// The bytes that the server wrote, split into frames.
    var frames: [Sent] {
        let all = bytes
        var frames: [Sent] = []
        var at = 0
        while at + Frame.headSize <= all.count {
            let length = Int(all[at]) << 16 | Int(all[at + 1]) << 8 | Int(all[at + 2])
            let stream = all[(at + 5)..<(at + 9)].reduce(0) { $0 << 8 | Int($1) }
            let end = min(at + Frame.headSize + length, all.count)
            frames.append(
                Sent(
                    type: all[at + 3], flags: all[at + 4], stream: stream,
                    payload: Array(all[(at + Frame.headSize)..<end])))
            at += Frame.headSize + length
        }
        return frames
    }

    func frames(_ kind: Frame.Kind) -> [Sent] { frames.filter { $0.kind == kind } }

    func body(_ stream: Int) -> [UInt8] { frames(.data).filter { $0.stream == stream }.flatMap(\.payload) }

    /// Returns status and fields of each header block of the stream.
    func heads(_ stream: Int) -> [[String: String]] {
        var decoder = HPACKDecoder(
            allocator: ByteBufferAllocator(), maxDynamicTableSize: 4096, maxHeaderListSize: 1 << 20)
        var heads: [[String: String]] = []
        var block: [UInt8] = []
        for frame in frames where frame.kind == .headers || frame.kind == .continuation {
            block += frame.payload
            guard frame.flags & Frame.Flag.endHeaders != 0 else { continue }
            var buffer = ByteBuffer(bytes: block)
            block = []
            guard let fields = try? decoder.decodeHeaders(from: &buffer), frame.stream == stream else { continue }
            heads.append(Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first })
        }
        return heads
    }

    var facts: [ServerFact] { done.compactMap { if case .record(let fact) = $0 { fact } else { nil } } }

    var badRequests: [String] { facts.compactMap { if case .badRequest(_, let reason) = $0 { reason } else { nil } } }

    /// Returns the time that the timer was last set to.
    func due(_ timer: ConnectionTimer) -> Int64? {
        done.compactMap { if case .start(timer, let time) = $0 { time } else { nil } }.last
    }

    func has(_ action: ConnectionAction) -> Bool { done.contains(action) }

    static func setting(_ name: HTTP2Setting.Name, _ value: UInt32) -> [UInt8] {
        [0, UInt8(name.rawValue)] + Frame.four(value)
    }
}
