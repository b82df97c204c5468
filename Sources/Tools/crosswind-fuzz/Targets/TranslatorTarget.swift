import InternetAddresses
import LinkEmulator

/// Checks that a translator's output consists of packets of the other version.
enum TranslatorOutput {
    static func check(_ result: TranslationResult, _ out: [UInt8], of input: [UInt8]) throws(FuzzFinding) {
        switch result {
        case .translated(let version, let expected):
            var (found, total, isSound) = (0, 0, true)
            IPPacketSequence.forEach(in: out.span) { packet in
                found += 1
                total += packet.count
                if packet[0] >> 4 != version.rawValue || (try? IPPacket(packet)) == nil { isSound = false }
            }
            guard found == expected, total == out.count, isSound else {
                throw FuzzFinding("invalid output of \(out.count) bytes", input)
            }
            let isWhole = version == .v6 ? out[6] != 44 : out[6] & 0x3f == 0 && out[7] == 0
            if found == 1, isWhole, PacketMaker.isSealed(input), !PacketMaker.isIntact(out) {
                throw FuzzFinding("correct checksums became wrong", input)
            }
        case .replied: if !PacketMaker.isIntact(out) { throw FuzzFinding("a reply that is not intact", input) }
        case .dropped, .ignored, .held:
            if !out.isEmpty { throw FuzzFinding("output for a packet that was not translated", input) }
        }
    }
}

/// The stateful translator.
struct TranslatorTarget: FuzzTarget {
    static let name = "translator"
    static let subject = "NAT64 (RFC 7915, RFC 6146) in both directions, with its sessions and time"

    private var nat: NAT64Translator
    private var out: [UInt8] = []
    private var now: Int64 = 0

    init() {
        guard let prefix = NAT64Prefix(PacketMaker.prefix, length: 96) else {
            preconditionFailure("the prefix is valid")
        }
        nat = NAT64Translator(
            NAT64Configuration(
                prefix: prefix, pool: PacketMaker.pool4, router6: PacketMaker.client6, ports: 5000...5020,
                allowsNonGlobal: true))
    }

    mutating func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        now += Int64(random.below(20_000_000))
        if random.happens(oneIn: 500) { now += 400_000_000_000 }
        let time = LinkTime(nanoseconds: now)
        let bytes = PacketMaker.packet(&random)
        let result = nat.translate(bytes.span, at: time, into: &out)
        try TranslatorOutput.check(result, out, of: bytes)
        if random.happens(oneIn: 20) { _ = nat.passTime(to: time, into: &out) }
        guard nat.sessions >= 0, nat.bindings <= 3 * 21 else {
            throw FuzzFinding("\(nat.bindings) bindings of 21 ports", bytes)
        }
        return result.isTranslated
    }
}

/// The client's stateless half.
struct ClientTranslatorTarget: FuzzTarget {
    static let name = "client-translator"
    static let subject = "464XLAT's client side (RFC 6877) in both directions"

    private var translator: CLATTranslator
    private var out: [UInt8] = []

    init() {
        guard let prefix = NAT64Prefix(PacketMaker.prefix, length: 96) else {
            preconditionFailure("the prefix is valid")
        }
        translator = CLATTranslator(
            CLATConfiguration(
                prefix: prefix, client6: PacketMaker.client6, client4: PacketMaker.client4, allowsNonGlobal: true))
    }

    mutating func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        let bytes = PacketMaker.packet(&random)
        let result = translator.translate(bytes.span, into: &out)
        try TranslatorOutput.check(result, out, of: bytes)
        return result.isTranslated
    }
}

extension TranslationResult {
    fileprivate var isTranslated: Bool {
        switch self {
        case .translated: true
        case .replied, .dropped, .ignored, .held: false
        }
    }
}
