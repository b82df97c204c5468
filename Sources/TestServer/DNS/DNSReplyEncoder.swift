import DNSMessages
import ScenarioLanguage

/// Encodes a decided reply: whole, truncated, or malformed as specified.
struct DNSReplyEncoder {
    var malformation: DNSReply.Malformation?
    var isStream: Bool
    /// The number of octets that the client accepts.
    var limit: Int

    /// Far above the size that clients state for UDP by default, and above a packet of any link, so that it also
    /// arrives in fragments.
    static let oversize = 4000

    /// Malformations that exist only for datagrams are ignored on a connection.
    private var effective: DNSReply.Malformation? {
        guard let malformation else { return nil }
        switch malformation {
        case .truncated, .oversized, .fromElsewhere: return isStream ? nil : malformation
        case .wrongIdentifier, .wrongQuestion, .malformed, .garbage: return malformation
        }
    }

    /// Description for the record; nil for a truncation, which shows in the bytes.
    var description: String? { effective.flatMap { $0 == .truncated ? nil : $0.description } }

    var isFromElsewhere: Bool { effective == .fromElsewhere }

    /// Returns true if TC is set. The third octet holds TC; that of garbage is meaningless.
    func isTruncated(_ bytes: [UInt8]) -> Bool { effective != .garbage && bytes[2] & 0x02 != 0 }

    func bytes(of response: DNSMessage) -> [UInt8] {
        guard let effective else { return response.encoded(limit: limit) }
        var response = response
        switch effective {
        case .fromElsewhere: return response.encoded(limit: limit)
        case .truncated:
            // RFC 2181 §9 lets a client ignore the records of such a reply, so it has none.
            response.answers = []
            response.authorities = []
            response.additionals = []
            response.isTruncated = true
            return response.encoded(limit: limit)
        case .oversized:
            let name = response.questions.first?.name ?? .root
            // TXT records (RFC 1035 §3.3.14) of one string each.
            let filler = DNSRecord(
                name: name, timeToLive: 0,
                data: .other(DNSRecordType(rawValue: 16), [200] + [UInt8](repeating: 0x78, count: 200)))
            while response.encoded().count < DNSReplyEncoder.oversize { response.additionals.append(filler) }
            return response.encoded()
        case .wrongIdentifier:
            response.identifier ^= 0x5555
            return response.encoded(limit: limit)
        case .wrongQuestion:
            response.questions = response.questions.map { question in
                DNSQuestion(
                    name: DNSName(labels: [Array("other".utf8)] + question.name.topLevel.labels), type: question.type)
            }
            return response.encoded(limit: limit)
        case .malformed:
            // Without the EDNS record, which would be read as the missing one.
            response.edns = nil
            var bytes = response.encoded(limit: limit)
            let count = UInt16(bytes[6]) << 8 | UInt16(bytes[7])
            bytes[6] = UInt8((count + 1) >> 8)
            bytes[7] = UInt8(truncatingIfNeeded: count + 1)
            return bytes
        case .garbage:
            let identifier = response.identifier
            // QR set, and octets that cannot be parsed as counts or labels.
            return [UInt8(identifier >> 8), UInt8(truncatingIfNeeded: identifier), 0x81, 0x80]
                + (0..<60).map { UInt8(truncatingIfNeeded: 0xff &- $0 &* 37) }
        }
    }
}
