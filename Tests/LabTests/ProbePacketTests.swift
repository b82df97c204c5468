import Testing

@testable import Lab
@testable import LinkEngines

@Suite struct ProbePacketTests {
    private static func udp4(port: UInt16, headerWords: UInt8 = 5) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(headerWords) * 4 + 8)
        bytes[0] = 0x40 | headerWords
        bytes[9] = 17
        bytes[Int(headerWords) * 4 + 2] = UInt8(port >> 8)
        bytes[Int(headerWords) * 4 + 3] = UInt8(port & 0xFF)
        return bytes
    }

    /// A span cannot be passed through the macro.
    private static func isProbe(_ bytes: [UInt8]) -> Bool { ProbePacket.isProbe(bytes.span) }

    @Test func `the lab's own packets are recognised by their port in both families`() {
        #expect(Self.isProbe(Self.udp4(port: ProbePacket.port)))
        #expect(Self.isProbe(Self.udp4(port: ProbePacket.port, headerWords: 8)))
        var six = [UInt8](repeating: 0, count: 48)
        six[0] = 0x60
        six[6] = 17
        six[42] = UInt8(ProbePacket.port >> 8)
        six[43] = UInt8(ProbePacket.port & 0xFF)
        #expect(Self.isProbe(six))
    }

    @Test func `an error about a late probe is the lab's own, and one about a client's packet is not`() {
        func unreachable(about packet: [UInt8]) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 28)
            bytes[0] = 0x45
            bytes[9] = 1
            bytes[20] = 3
            bytes[21] = 3
            return bytes + packet
        }
        #expect(Self.isProbe(unreachable(about: Self.udp4(port: ProbePacket.port))))
        #expect(!Self.isProbe(unreachable(about: Self.udp4(port: 53))))
        #expect(!Self.isProbe(unreachable(about: unreachable(about: Self.udp4(port: ProbePacket.port)))))
    }

    @Test func `a client's packet and garbage are not probes`() {
        #expect(!Self.isProbe(Self.udp4(port: 53)))
        for count in 0..<44 { #expect(!Self.isProbe([UInt8](repeating: 0x45, count: count))) }
        #expect(!Self.isProbe([UInt8](repeating: 0x60, count: 20)))
    }
}
