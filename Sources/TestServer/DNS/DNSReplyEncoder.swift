import Scenario

/// How a decided response becomes bytes: whole, cut, or wrong in the way that was asked for.
struct DNSReplyEncoder {
    var malformation: DNSReply.Malformation?
    var isStream: Bool
    /// Octets that the client takes.
    var limit: Int

    /// Far over what any client states for UDP by default, and over a packet of any link, so that it also arrives in fragments.
    static let oversize = 4000

    /// Faults of datagrams that do not exist on a connection are left out there.
    private var effective: DNSReply.Malformation? {
        guard let malformation else { return nil }
        switch malformation {
        case .truncated, .oversized, .fromElsewhere: return isStream ? nil : malformation
        case .wrongIdentifier, .wrongQuestion, .malformed, .garbage: return malformation
        }
    }

    /// In words for the record; nil for a truncation, which shows in the bytes.
    var description: String? { effective.flatMap { $0 == .truncated ? nil : $0.description } }

    var isFromElsewhere: Bool { effective == .fromElsewhere }

    /// The third octet holds TC; that of garbage says nothing.
    func isTruncated(_ bytes: [UInt8]) -> Bool { effective != .garbage && bytes[2] & 0x02 != 0 }

    func bytes(of response: DNSMessage) -> [UInt8] {
        guard let effective else { return response.encoded(limit: limit) }
        var response = response
        switch effective {
        case .fromElsewhere: return response.encoded(limit: limit)
        case .truncated:
            // RFC 2181 §9 lets a client ignore what such an answer holds, so it holds nothing.
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
            // Without EDNS's record, which would be read in place of the one that is missing.
            response.edns = nil
            var bytes = response.encoded(limit: limit)
            let count = UInt16(bytes[6]) << 8 | UInt16(bytes[7])
            bytes[6] = UInt8((count + 1) >> 8)
            bytes[7] = UInt8(truncatingIfNeeded: count + 1)
            return bytes
        case .garbage:
            let identifier = response.identifier
            // QR set, and no two octets alike in a row: neither counts nor labels of it fit together.
            return [UInt8(identifier >> 8), UInt8(truncatingIfNeeded: identifier), 0x81, 0x80]
                + (0..<60).map { UInt8(truncatingIfNeeded: 0xff &- $0 &* 37) }
        }
    }
}
