import InternetAddresses
import LinkEmulator
import Testing

@Suite struct ICMPErrorReplyTests {
    private static let client4 = IPv4Address("192.0.2.2")!
    private static let server4 = IPv4Address("203.0.113.10")!
    private static let router4 = IPv4Address("192.0.2.1")!
    private static let client6 = IPv6Address("2001:db8:1::2")!
    private static let server6 = IPv6Address("2001:db8:113::10")!
    private static let router6 = IPv6Address("2001:db8:1::1")!

    private func tooBig(_ original: [UInt8], mtu: Int = 1280) -> [UInt8]? {
        ICMPErrorReply.tooBig(for: original.span, mtu: mtu, from: Self.router4, Self.router6)
    }

    @Test func `an IPv4 sender receives the MTU and its packet`() throws {
        let original = SamplePackets.v4(
            Self.client4, Self.server4, 6, SamplePackets.tcp(1, 2, .ack, [UInt8](repeating: 7, count: 1400)))
        let reply = try #require(tooBig(original, mtu: 1300))
        #expect(SamplePackets.isIntact(reply))
        let header = try IPv4Header(reply.span)
        #expect(header.source == Self.router4 && header.destination == Self.client4 && reply.count == 576)
        let icmp = try ICMPHeader(reply.span.extracting(20..<reply.count))
        #expect(icmp.type == 3 && icmp.code == 4 && icmp.rest == 1300)
        #expect(Array(reply[28...]) == Array(original[..<548]))
    }

    @Test func `an IPv6 sender receives the MTU and its packet`() throws {
        let original = SamplePackets.v6(
            Self.client6, Self.server6, 6, SamplePackets.tcp(1, 2, .ack, [UInt8](repeating: 7, count: 1400)))
        let reply = try #require(tooBig(original))
        #expect(SamplePackets.isIntact(reply))
        let header = try IPv6Header(reply.span)
        #expect(header.source == Self.router6 && header.destination == Self.client6 && reply.count == 1280)
        let icmp = try ICMPHeader(reply.span.extracting(40..<reply.count))
        #expect(icmp.type == 2 && icmp.code == 0 && icmp.rest == 1280)
        #expect(Array(reply[48...]) == Array(original[..<1232]))
    }

    @Test func `no error is sent about an error, a later fragment or a multicast packet`() {
        let data = [UInt8](repeating: 0, count: 30)
        #expect(
            tooBig(SamplePackets.v4(Self.client4, Self.server4, 1, SamplePackets.icmp(3, rest: [0, 0, 0, 0], data)))
                == nil)
        #expect(tooBig(SamplePackets.v4(Self.client4, Self.server4, 1, SamplePackets.echo(8, id: 1))) != nil)
        #expect(tooBig(SamplePackets.v4(Self.client4, Self.server4, 17, data, offset: 8)) == nil)
        #expect(
            tooBig(SamplePackets.v4(Self.client4, IPv4Address("224.0.0.1")!, 17, SamplePackets.udp(1, 2, data))) == nil)
        #expect(
            tooBig(SamplePackets.v4(IPv4Address("0.0.0.0")!, Self.server4, 17, SamplePackets.udp(1, 2, data))) == nil)
        #expect(
            tooBig(SamplePackets.v6(Self.client6, Self.server6, 58, SamplePackets.icmp(1, rest: [0, 0, 0, 0], data)))
                == nil)
        // RFC 4443 §2.4e does not mention fragments; but an ICMPv6 fragment may belong to an error.
        #expect(tooBig(SamplePackets.v6(Self.client6, Self.server6, 17, data, fragment: (8, false, 1))) != nil)
        #expect(tooBig(SamplePackets.v6(Self.client6, Self.server6, 58, data, fragment: (8, false, 1))) == nil)
        // The only exception: path MTU discovery of multicast.
        #expect(
            tooBig(SamplePackets.v6(Self.client6, IPv6Address("ff02::1")!, 17, SamplePackets.udp(1, 2, data))) != nil)
        #expect(tooBig(data) == nil)
    }
}
