import FoundationEssentials
import InternetAddresses
import LinkEmulator
import Testing

/// Compares with the distribution's tayga as an independent implementation: the same packets must give the same
/// translation, byte for byte, except for the differences in `NamedDifference`.
@Suite(
    .serialized, .enabled(if: TaygaLab.canBuild, "needs network namespaces and TUN devices: see crosswind doctor"),
    .enabled(if: FileManager.default.fileExists(atPath: TaygaLab.path), "needs tayga: apt-get install tayga"))
struct TaygaAgreementTests {
    private static let own6 = IPv6Address("2001:db8:464::1")!
    private static let rounds = 3000

    /// Every length of RFC 6052 §2.2, so that the address formats are compared as well.
    private static let prefixes = [
        "2001:db8:64::/96", "2001:db8:122:344::/64", "2001:db8:122:300::/56", "2001:db8:122::/48", "2001:db8:100::/40",
        "2001:db9::/32",
    ]

    @Test(arguments: [4, 6])
    func `a client's translator agrees with tayga`(version: Int) throws {
        let (prefix, client6) = (
            try #require(NAT64Prefix(Self.prefixes[0])), try #require(IPv6Address("2001:db8:1::464"))
        )
        var clat = CLATTranslator(CLATConfiguration(prefix: prefix, client6: client6, router6: Self.own6))
        let lab = try Self.lab(
            prefix, own4: "192.0.0.8", host4: "192.0.0.1", client6, routed: ["198.51.100.0/24", "\(client6)/128"])
        let traffic = TranslationTraffic(
            seed: 42, host4: [192, 0, 0, 1], host6: Self.bytes(client6), server6: Self.embed(prefix))
        let (same, named) = try compare(version, Self.rounds, lab, traffic) { clat.translate($0, into: &$1) }
        // Most packets must agree in full, otherwise the named differences would hide too much.
        #expect(same + named[.identification, default: 0] > Self.rounds * 3 / 4)
    }

    @Test(arguments: prefixes)
    func `addresses are embedded as by tayga`(text: String) throws {
        let (prefix, client6) = (try #require(NAT64Prefix(text)), try #require(IPv6Address("2001:db8:1::464")))
        for version in [4, 6] {
            var clat = CLATTranslator(CLATConfiguration(prefix: prefix, client6: client6, router6: Self.own6))
            let lab = try Self.lab(
                prefix, own4: "192.0.0.8", host4: "192.0.0.1", client6, routed: ["198.51.100.0/24", "\(client6)/128"])
            let traffic = TranslationTraffic(
                seed: 7, host4: [192, 0, 0, 1], host6: Self.bytes(client6), server6: Self.embed(prefix))
            _ = try compare(version, 100, lab, traffic) { clat.translate($0, into: &$1) }
        }
    }

    private static func lab(
        _ prefix: NAT64Prefix, own4: String, host4: String, _ host6: IPv6Address, routed: [String]
    ) throws -> TaygaLab {
        try TaygaLab.make(
            TaygaLab.configuration(prefix: "\(prefix)", own4: own4, own6: "\(own6)", host4: host4, host6: "\(host6)"),
            routed: routed)
    }

    /// Embeds the server's address by RFC 6052 §2.2, byte by byte: after the prefix, skipping byte 8.
    private static func embed(_ prefix: NAT64Prefix) -> @Sendable ([UInt8]) -> [UInt8] {
        let base = bytes(prefix.address)
        return { ipv4 in
            var address = base
            var position = prefix.length / 8
            for byte in ipv4 {
                if position == 8 { position += 1 }
                address[position] = byte
                position += 1
            }
            return address
        }
    }

    static func bytes(_ address: IPv6Address) -> [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? address.high : address.low) >> UInt64(56 - 8 * ($0 % 8))) }
    }

    private func compare(
        _ version: Int, _ rounds: Int, _ lab: consuming TaygaLab, _ generator: TranslationTraffic,
        _ translate: (Span<UInt8>, inout [UInt8]) -> TranslationResult
    ) throws -> (same: Int, named: [NamedDifference: Int]) {
        var traffic = generator
        var lab = lab
        var tally: [NamedDifference: Int] = [:]
        var same = 0
        var unnamed: [String] = []
        for _ in 0..<rounds {
            let packet = version == 4 ? traffic.packet4() : traffic.packet6()
            let theirs = try lab.exchange(packet) { traffic.marker($0, from: version) }
            // The kernel's own packets, such as multicast group reports, arrive here as well.
            for given in theirs.given where given[0] >> 4 == version && !Self.isMulticast(given) {
                var out: [UInt8] = []
                let result = translate(given.span, &out)
                var ours: [[UInt8]] = []
                IPPacketSequence.forEach(in: out.span) { span in ours.append(span.indices.map { span[$0] }) }
                if ours == theirs.made {
                    same += 1
                } else if let name = NamedDifference(given, ours: ours, theirs: theirs.made) {
                    tally[name, default: 0] += 1
                } else {
                    unnamed.append(
                        "\(Self.hex(given)) \(result): \(ours.map(Self.hex)), tayga \(theirs.made.map(Self.hex))")
                }
            }
        }
        #expect(unnamed.isEmpty, "\(unnamed.count) of \(rounds), such as \(unnamed.prefix(3).joined(separator: "\n"))")
        return (same, tally)
    }

    private static func isMulticast(_ packet: [UInt8]) -> Bool { packet[0] >> 4 == 6 && packet[24] == 0xFF }
    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.prefix(120).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
