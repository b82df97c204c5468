import InternetAddresses
import LinkEmulator
import Testing

// RFC 6146 §3.5: the peers that may send to a bound port.
@Suite struct NAT64FilteringTests {
    private typealias Base = NAT64TranslatorTests
    private static let stranger = IPv4Address("198.51.100.7")!
    private static let second: Int64 = 1_000_000_000

    private static func translator(_ filtering: NAT64Configuration.Filtering = .addressDependent) -> NAT64Translator {
        NAT64Translator(
            NAT64Configuration(prefix: Base.prefix, pool: Base.pool, router6: Base.router6, filtering: filtering))
    }

    @Test(arguments: [17, 58] as [UInt8])
    func `with address-dependent filtering only known addresses may send, from any port`(_ next: UInt8) {
        for filtering in [NAT64Configuration.Filtering.addressDependent, .endpointIndependent] {
            var nat = Self.translator(filtering)
            var out: [UInt8] = []
            let query = SamplePackets.v6(
                Base.client, Base.server6, next,
                next == 17 ? SamplePackets.udp(5000, 53, [1]) : SamplePackets.echo(128, id: 5000))
            _ = nat.translate(query.span, at: .zero, into: &out)
            func result(_ source: IPv4Address) -> TranslationResult {
                let reply = SamplePackets.v4(
                    source, Base.pool, next == 17 ? 17 : 1,
                    next == 17 ? SamplePackets.udp(999, 5000, [1]) : SamplePackets.echo(0, id: 5000))
                return nat.translate(reply.span, at: .zero, into: &out)
            }
            #expect(result(Base.server) == .translated(to: .v6, packets: 1))
            #expect(
                result(Self.stranger)
                    == (filtering == .addressDependent
                        ? .dropped(.filtered(Self.stranger)) : .translated(to: .v6, packets: 1)))
        }
    }

    @Test func `the permission ends with the last session`() {
        var nat = Self.translator()
        var out: [UInt8] = []
        func query(_ server: IPv4Address, at now: LinkTime) {
            let packet = SamplePackets.v6(Base.client, Base.prefix.embed(server), 17, SamplePackets.udp(5000, 53, [1]))
            _ = nat.translate(packet.span, at: now, into: &out)
        }
        query(Base.server, at: .zero)
        query(Self.stranger, at: LinkTime(nanoseconds: 200 * Self.second))
        let reply = SamplePackets.v4(Base.server, Base.pool, 17, SamplePackets.udp(53, 5000, [1]))
        #expect(
            nat.translate(reply.span, at: LinkTime(nanoseconds: 300 * Self.second), into: &out)
                == .dropped(.filtered(Base.server)))
    }

    // RFC 6146 §3.5.2.2: a filtered SYN waits six seconds for the other half of a simultaneous open.
    @Test func `an unsolicited SYN is rejected after six seconds, unless the host opens the same connection`() throws {
        var nat = Self.translator()
        var out: [UInt8] = []
        let open = SamplePackets.v6(Base.client, Base.server6, 6, SamplePackets.tcp(40000, 443, .syn))
        _ = nat.translate(open.span, at: .zero, into: &out)
        let syn = SamplePackets.v4(Self.stranger, Base.pool, 6, SamplePackets.tcp(9999, 40000, .syn))
        #expect(nat.translate(syn.span, at: .zero, into: &out) == .held && out.isEmpty)
        let end = LinkTime(nanoseconds: 6 * Self.second)
        #expect(nat.nextDeadline == end)
        #expect(nat.passTime(to: end - 1, into: &out) == 0)

        var other = nat
        #expect(other.passTime(to: end, into: &out) == 1 && other.nextDeadline == nil)
        let header = try IPv4Header(out.span)
        let icmp = try ICMPHeader(out.span.extracting(20..<out.count))
        #expect(header.destination == Self.stranger && icmp.type == 3 && icmp.code == 3 && Array(out[28...]) == syn)

        // Both halves exist: the connection is established at once, with its full lifetime.
        let same = SamplePackets.v6(
            Base.client, Base.prefix.embed(Self.stranger), 6, SamplePackets.tcp(40000, 9999, .syn))
        #expect(nat.translate(same.span, at: end - 1, into: &out) == .translated(to: .v4, packets: 1))
        #expect(nat.nextDeadline == nil)
        let late = LinkTime(nanoseconds: 7000 * Self.second)
        let data = SamplePackets.v4(Self.stranger, Base.pool, 6, SamplePackets.tcp(9999, 40000, .ack))
        #expect(nat.translate(data.span, at: late, into: &out) == .translated(to: .v6, packets: 1))
    }

    // The setting with which a scenario makes a connection half-open.
    @Test func `a short established lifetime removes a silent connection`() {
        var timeouts = NAT64Configuration.Timeouts()
        timeouts.tcpEstablished = Self.second
        var nat = NAT64Translator(
            NAT64Configuration(prefix: Base.prefix, pool: Base.pool, router6: Base.router6, timeouts: timeouts))
        var out: [UInt8] = []
        let syn = SamplePackets.v6(Base.client, Base.server6, 6, SamplePackets.tcp(40000, 443, .syn))
        let reply = SamplePackets.v4(Base.server, Base.pool, 6, SamplePackets.tcp(443, 40000, [.syn, .ack]))
        let data = SamplePackets.v6(Base.client, Base.server6, 6, SamplePackets.tcp(40000, 443, .ack))
        _ = nat.translate(syn.span, at: .zero, into: &out)
        _ = nat.translate(reply.span, at: .zero, into: &out)
        var copy = nat
        let end = LinkTime(nanoseconds: Self.second)
        #expect(copy.translate(data.span, at: end - 1, into: &out) == .translated(to: .v4, packets: 1))
        #expect(nat.translate(reply.span, at: end, into: &out) == .dropped(.noBinding))
        #expect(nat.translate(data.span, at: end, into: &out) == .dropped(.noBinding))
    }

    // RFC 6146 §3.4.
    @Test func `protocols without ports are rejected with a reply in both directions`() throws {
        var nat = Self.translator()
        var out: [UInt8] = []
        let body = [UInt8](repeating: 1, count: 20)
        #expect(
            nat.translate(
                SamplePackets.v6(Base.client, Base.server6, 132, body, isSealed: false).span, at: .zero, into: &out)
                == .replied(to: .v6))
        #expect(out[40] == 1 && out[41] == 4)
        #expect(
            nat.translate(
                SamplePackets.v4(Base.server, Base.pool, 132, body, isSealed: false).span, at: .zero, into: &out)
                == .replied(to: .v4))
        #expect(out[20] == 3 && out[21] == 2)
    }
}
