/// A message of NTLM, with the parts that a server needs (MS-NLMP §2.2.1).
enum NTLMMessage: Hashable {
    struct Authenticate: Hashable {
        var user: String
        var domain: String
        /// NTLMv2: 16 bytes of proof, then the data they cover. NTLMv1: 24 bytes.
        var response: [UInt8]
    }

    /// NEGOTIATE_MESSAGE with its flags.
    case negotiate(UInt32)
    /// AUTHENTICATE_MESSAGE.
    case authenticate(Authenticate)

    static let signature = Array("NTLMSSP\0".utf8)

    enum Flag {
        static let unicode: UInt32 = 0x1
        static let oem: UInt32 = 0x2
        static let requestTarget: UInt32 = 0x4
        static let ntlm: UInt32 = 0x200
        static let alwaysSign: UInt32 = 0x8000
        static let targetIsDomain: UInt32 = 0x1_0000
        static let extendedSecurity: UInt32 = 0x8_0000
        static let targetInformation: UInt32 = 0x80_0000
    }

    /// Returns nil when the bytes are not a message that clients send.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 16, bytes.starts(with: NTLMMessage.signature) else { return nil }
        switch NTLMMessage.word(bytes, 8) {
        case 1: self = .negotiate(NTLMMessage.word(bytes, 12))
        case 3:
            guard bytes.count >= 64, let response = NTLMMessage.buffer(bytes, 20),
                let domain = NTLMMessage.buffer(bytes, 28),
                let user = NTLMMessage.buffer(bytes, 36)
            else { return nil }
            let isUnicode = NTLMMessage.word(bytes, 60) & Flag.unicode != 0
            func text(_ bytes: [UInt8]) -> String {
                guard isUnicode else { return String(decoding: bytes, as: UTF8.self) }
                let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
                    UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
                }
                return String(decoding: units, as: UTF16.self)
            }
            self = .authenticate(Authenticate(user: text(user), domain: text(domain), response: response))
        default: return nil
        }
    }

    /// Returns the CHALLENGE_MESSAGE for a client that requested these flags. Without a time in the target information
    /// clients sign nothing more (§3.1.5.1.2), so the proof alone decides.
    static func challenge(_ challenge: [UInt8], domain: String, asked: UInt32) -> [UInt8] {
        let isUnicode = asked & Flag.unicode != 0
        let target = isUnicode ? little(domain) : Array(domain.utf8)
        let flags =
            (isUnicode ? Flag.unicode : Flag.oem) | Flag.requestTarget | Flag.ntlm | Flag.alwaysSign
            | Flag.targetIsDomain
            | Flag.extendedSecurity | Flag.targetInformation
        // Domain (2), computer (1), end (0), always in UTF-16 (§2.2.2.1).
        var facts: [UInt8] = []
        for (kind, text) in [(2, domain), (1, "ORIGIN")] {
            let value = little(text)
            facts += bytes(UInt64(kind), 2) + bytes(UInt64(value.count), 2) + value
        }
        facts += [0, 0, 0, 0]
        let start = 48
        var message = signature + bytes(2, 4)
        message += bytes(UInt64(target.count), 2) + bytes(UInt64(target.count), 2) + bytes(UInt64(start), 4)
        message += bytes(UInt64(flags), 4) + challenge + [UInt8](repeating: 0, count: 8)
        message +=
            bytes(UInt64(facts.count), 2) + bytes(UInt64(facts.count), 2) + bytes(UInt64(start + target.count), 4)
        return message + target + facts
    }

    /// Encodes text as UTF-16, low byte first.
    static func little(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    private static func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func word(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[at + $1]) << ($1 * 8) }
    }

    /// Returns a part of the message by its length (16 bits, twice) and offset (32 bits).
    private static func buffer(_ bytes: [UInt8], _ at: Int) -> [UInt8]? {
        let length = Int(bytes[at]) | Int(bytes[at + 1]) << 8
        let offset = Int(word(bytes, at + 4))
        guard length > 0 else { return [] }
        guard offset <= bytes.count, length <= bytes.count - offset else { return nil }
        return Array(bytes[offset..<offset + length])
    }
}
