import AdaptableSession
import NIOCore

/// The session's own parsers of HTTP/2 frames, which count what NIO does not limit.
struct ServerFramesTarget: FuzzTarget {
    static let name = "server-frames"
    static let subject = "HTTP/2 frames of a server for AdaptableSession, and those that it sends (RFC 9113)"

    init() {}

    mutating func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        var bytes: [UInt8] = []
        // A few inputs are long enough for the limits.
        for _ in 0..<random.below(random.happens(oneIn: 200) ? 800 : 12) {
            let length = random.pick([0, 4, 4, 8, random.below(60), random.below(3000), 0xFF_FFFF])
            let stream = random.happens(oneIn: 3) ? UInt32(random.below(7)) : UInt32(truncatingIfNeeded: random.next())
            bytes += [UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
            bytes += [random.pick([0, 1, 1, 3, 3, 4, 6, 7, 8, 9, random.byte()]), random.byte()]
            bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: stream >> $0) }
            bytes += [UInt8](repeating: random.byte(), count: min(length, 3000))
        }
        if random.happens(oneIn: 3) { random.damage(&bytes) }
        let sent = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + bytes
        var pieces = ServerFramesTarget.pieces(sent, &random)
        var (whole, cut) = (HTTP2SentFrames(), HTTP2SentFrames())
        let frames = whole.sent(ByteBuffer(bytes: sent).readableBytesView)
        guard frames == pieces.flatMap({ cut.sent($0) }) else {
            throw FuzzFinding("the sent frames differ if the bytes are split", sent)
        }
        var (wholeInput, cutInput) = (HTTP2ReceivedFrames(now: 0), HTTP2ReceivedFrames(now: 0))
        pieces = ServerFramesTarget.pieces(bytes, &random)
        let fault = wholeInput.received(ByteBuffer(bytes: bytes).readableBytesView, now: 1)
        var cutFault: String?
        for piece in pieces where cutFault == nil { cutFault = cutInput.received(piece, now: 1) }
        guard fault == cutFault else {
            throw FuzzFinding("the verdict about received frames differs if the bytes are split", bytes)
        }
        return fault == nil
    }

    private static func pieces(_ bytes: [UInt8], _ random: inout FuzzRandom) -> [ByteBufferView] {
        var pieces: [ByteBufferView] = []
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count, place + 1 + random.below(random.happens(oneIn: 2) ? 5 : 2000))
            pieces.append(ByteBuffer(bytes: bytes[place..<end]).readableBytesView)
            place = end
        }
        return pieces
    }
}
