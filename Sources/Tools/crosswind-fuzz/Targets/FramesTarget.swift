import AdapterProtocol
import Record
import ScenarioLanguage
import TestServer

/// The origin's HTTP/2: frames and header blocks. The requests it parses must not depend on how the bytes are split,
/// and its replies must be frames within the client's windows.
struct FramesTarget: FuzzTarget {
    static let name = "frames"
    static let subject = "HTTP/2 frames and HPACK blocks (RFC 9113, RFC 7541)"

    private let plan: OriginPlan

    init() {
        var plan = OriginPlan()
        plan.protocols = [.http2]
        var resource = Resource(body: .text("0123456789"))
        resource.etag = "\"v1\""
        plan.routes = [Route(path: "/a", content: .resource(resource)), Route(path: "/echo", content: .echo)]
        self.plan = plan
    }

    mutating func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        var bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + FramesTarget.frame(4, 0, 0, [])
        var stream = 1
        // Half of the inputs are close enough to valid ones to get a response.
        let isWild = random.happens(oneIn: 2)
        for _ in 0...random.below(8) { bytes += FramesTarget.some(&random, &stream, isWild: isWild) }
        if isWild, random.happens(oneIn: 2) { random.damage(&bytes) }
        var whole = OriginPlayback(plan: plan)
        whole.receive(bytes[...])
        var cut = OriginPlayback(plan: plan)
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count, place + 1 + random.below(random.happens(oneIn: 2) ? 5 : 80))
            cut.receive(bytes[place..<end])
            place = end
        }
        // If a frame violates a rule on a stream, a response sent earlier decides between a stream error and a
        // connection error (RFC 9113 §5.1).
        if !FramesTarget.isBroken(whole.facts), !FramesTarget.isBroken(cut.facts) {
            guard FramesTarget.heads(whole.facts) == FramesTarget.heads(cut.facts) else {
                throw FuzzFinding("the requests differ if the bytes are split", bytes)
            }
            guard whole.isEnding == cut.isEnding else {
                throw FuzzFinding("the end differs if the bytes are split", bytes)
            }
        }
        for played in [whole, cut] { try FramesTarget.check(played.written, bytes) }
        return whole.facts.contains { if case .responseEnded = $0 { true } else { false } }
    }

    private static func isBroken(_ facts: [ServerFact]) -> Bool {
        facts.contains { if case .badRequest = $0 { true } else { false } }
    }

    private static func heads(_ facts: [ServerFact]) -> [ServerFact] {
        facts.filter { if case .requestHead = $0 { true } else { false } }
    }

    /// Checks that the server's bytes are whole frames, none larger than a client must accept, and that no stream
    /// continues after its end.
    private static func check(_ written: [UInt8], _ input: [UInt8]) throws(FuzzFinding) {
        var at = 0
        var ended: Set<Int> = []
        while at < written.count {
            guard at + 9 <= written.count else { throw FuzzFinding("half a frame is sent", input) }
            let length = Int(written[at]) << 16 | Int(written[at + 1]) << 8 | Int(written[at + 2])
            let stream =
                Int(written[at + 5] & 0x7F) << 24 | Int(written[at + 6]) << 16 | Int(written[at + 7]) << 8
                | Int(written[at + 8])
            guard length <= 1 << 14, at + 9 + length <= written.count else {
                throw FuzzFinding("a frame of \(length) bytes is sent", input)
            }
            let type = written[at + 3]
            if type <= 1 {
                guard !ended.contains(stream) else {
                    throw FuzzFinding("stream \(stream) continues after its end", input)
                }
                if written[at + 4] & 1 != 0 { ended.insert(stream) }
            }
            if type == 3 { ended.insert(stream) }
            at += 9 + length
        }
    }

    private static func frame(_ type: UInt8, _ flags: UInt8, _ stream: Int, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        return [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), type, flags]
            + [UInt8(stream >> 24 & 0x7F), UInt8(stream >> 16 & 0xFF), UInt8(stream >> 8 & 0xFF), UInt8(stream & 0xFF)]
            + payload
    }

    private static func some(_ random: inout FuzzRandom, _ stream: inout Int, isWild: Bool) -> [UInt8] {
        let known = random.happens(oneIn: 12) ? random.below(20) : max(1, stream - 2)
        switch random.below(isWild ? 12 : 7) {
        case 0...5:
            let id = isWild && random.happens(oneIn: 16) ? random.below(9) : stream
            stream += 2
            let block = FramesTarget.block(&random, isWild: isWild)
            let ends: UInt8 = random.happens(oneIn: 3) ? 0 : 1
            if random.happens(oneIn: 5), block.count > 2 {
                let half = random.below(block.count)
                return frame(1, ends, id, Array(block[..<half]))
                    + frame(9, 4, isWild && random.happens(oneIn: 8) ? 1 : id, Array(block[half...]))
            }
            if random.happens(oneIn: 6) { return frame(1, 4 | 0x20 | ends, id, random.bytes(5) + block) }
            return frame(1, 4 | ends, id, block)
        case 6, 7: return frame(0, random.happens(oneIn: 2) ? 1 : 0, known, random.bytes(random.below(50)))
        case 8:
            let setting: [UInt8] =
                [0, UInt8(random.below(10))]
                + (random.happens(oneIn: 2) ? [0, 0, random.byte(), random.byte()] : random.bytes(4))
            return frame(4, random.happens(oneIn: 6) ? 1 : 0, 0, random.happens(oneIn: 6) ? [] : setting)
        case 9:
            return frame(
                8, 0, random.happens(oneIn: 2) ? 0 : known,
                random.happens(oneIn: 3) ? random.bytes(4) : [0, 0, 1, random.byte()])
        case 10:
            return frame(
                random.pick([3, 6, 7, 2]), random.happens(oneIn: 3) ? 1 : 0, random.happens(oneIn: 2) ? 0 : known,
                random.bytes(random.pick([4, 5, 8, 8])))
        default: return frame(random.byte(), random.byte(), random.below(12), random.bytes(random.below(30)))
        }
    }

    /// Returns a header block, mostly as a client sends it: indexed names (RFC 7541 appendix A) and literals, some of
    /// them new to the table.
    private static func block(_ random: inout FuzzRandom, isWild: Bool) -> [UInt8] {
        var block: [UInt8] = [random.pick([0x82, 0x82, 0x83]), 0x86]
        if isWild, random.happens(oneIn: 10) { block = random.bytes(random.below(30)) }
        let path = Array(random.pick(["/a", "/a", "/echo", "/none", "*"]).utf8)
        block += [0x04, UInt8(path.count)] + path
        block += [0x41, 8] + Array("api.test".utf8)
        for _ in 0..<random.below(4) {
            switch isWild ? random.below(5) : 0 {
            case 0: block += [0x40, 3] + Array("x-a".utf8) + [2] + random.bytes(2).map { $0 | 0x20 }
            case 1: block.append(0x80 | random.byte())
            case 2: block += [0x0F, 0x0D, 1, UInt8(0x30 + random.below(10))]
            case 3: block += [0x20 | UInt8(random.below(31))]
            default: block += [0x00, 0x83] + random.bytes(3) + [1, 0x61]
            }
        }
        return block
    }
}
