import NIOCore

/// Detects whether a complete ClientHello has arrived (RFC 8446 §4, §5.1), so that a fault can come after it and before
/// any reply.
enum ClientHello {
    enum Verdict: Hashable {
        case incomplete
        case complete
        /// Not TLS; the handshake will report the error.
        case somethingElse
    }

    static let longest = 64 * 1024

    static func inspect(_ input: ByteBuffer) -> Verdict {
        let bytes = input.readableBytesUInt8Span
        var message: [UInt8] = []
        var at = 0
        while at < bytes.count {
            guard bytes[at] == 0x16 else { return .somethingElse }
            guard at + 5 <= bytes.count else { return .incomplete }
            let length = Int(bytes[at + 3]) << 8 | Int(bytes[at + 4])
            guard length > 0, length <= 1 << 14 else { return .somethingElse }
            let end = min(at + 5 + length, bytes.count)
            for index in (at + 5)..<end { message.append(bytes[index]) }
            if let first = message.first, first != 1 { return .somethingElse }
            if message.count >= 4, message.count >= 4 + (Int(message[1]) << 16 | Int(message[2]) << 8 | Int(message[3]))
            {
                return .complete
            }
            if message.count > longest { return .somethingElse }
            at += 5 + length
        }
        return .incomplete
    }

    /// Returns a fatal alert, unencrypted, as it is before keys exist (RFC 8446 §6).
    static func alert(_ description: UInt8) -> [UInt8] { [21, 3, 3, 0, 2, 2, description] }
}
