import LinkEmulator
import Testing

// The lifetimes of RFC 6146 §4, each tested one nanosecond before and at its end.
@Suite struct NAT64SessionTests {
    private typealias Base = NAT64TranslatorTests
    private static let second: Int64 = 1_000_000_000

    private final class Line {
        var nat = Base.translator()
        private var out: [UInt8] = []

        func out(_ flags: TCPHeader.Flags, at now: LinkTime = .zero) {
            let packet = SamplePackets.v6(Base.client, Base.server6, 6, SamplePackets.tcp(40000, 443, flags))
            _ = nat.translate(packet.span, at: now, into: &out)
        }
        func back(_ flags: TCPHeader.Flags, at now: LinkTime = .zero) -> Bool {
            let packet = SamplePackets.v4(Base.server, Base.pool, 6, SamplePackets.tcp(443, 40000, flags))
            return nat.translate(packet.span, at: now, into: &out) == .translated(to: .v6, packets: 1)
        }
    }

    /// Expects the binding to live until just before `lifetime`.
    private func expectLifetime(_ line: Line, _ seconds: Int64, sourceLocation: SourceLocation = #_sourceLocation) {
        let end = LinkTime(nanoseconds: seconds * Self.second)
        let copy = Line()
        copy.nat = line.nat
        #expect(copy.back(.rst, at: end - 1), "expired early", sourceLocation: sourceLocation)
        copy.nat = line.nat
        #expect(!copy.back(.rst, at: end), "expired late", sourceLocation: sourceLocation)
        #expect(copy.nat.bindings == 0 && copy.nat.sessions == 0, sourceLocation: sourceLocation)
    }

    @Test func `an unanswered SYN keeps its port for four minutes`() {
        let line = Line()
        line.out(.syn)
        expectLifetime(line, 240)
    }

    @Test func `an established connection keeps its port for two hours and four minutes`() {
        let line = Line()
        line.out(.syn)
        _ = line.back([.syn, .ack])
        expectLifetime(line, 7440)
        line.out(.ack, at: LinkTime(nanoseconds: 1000 * Self.second))
        expectLifetime(line, 8440)
    }

    @Test func `a connection closed from both sides keeps its port for four minutes`() {
        let line = Line()
        line.out(.syn)
        _ = line.back([.syn, .ack])
        line.out([.fin, .ack])
        expectLifetime(line, 7440)
        _ = line.back([.fin, .ack])
        expectLifetime(line, 240)
        // A final acknowledgement changes nothing.
        line.out(.ack, at: LinkTime(nanoseconds: 100 * Self.second))
        expectLifetime(line, 240)
    }

    @Test func `a reset shortens the lifetime, and a later packet restores it`() {
        let line = Line()
        line.out(.syn)
        _ = line.back([.syn, .ack])
        _ = line.back(.rst)
        expectLifetime(line, 240)
        line.out(.ack)
        expectLifetime(line, 7440)
    }

    @Test(arguments: [(17, 300), (58, 60)] as [(UInt8, Int64)])
    func `datagrams and pings keep their port for their lifetime`(_ next: UInt8, _ seconds: Int64) {
        var nat = Base.translator()
        var out: [UInt8] = []
        let packet = SamplePackets.v6(
            Base.client, Base.server6, next,
            next == 17 ? SamplePackets.udp(5000, 53, [1]) : SamplePackets.echo(128, id: 5000))
        _ = nat.translate(packet.span, at: .zero, into: &out)
        let reply = SamplePackets.v4(
            Base.server, Base.pool, next == 17 ? 17 : 1,
            next == 17 ? SamplePackets.udp(53, 5000, [1]) : SamplePackets.echo(0, id: 5000))
        var copy = nat
        let end = LinkTime(nanoseconds: seconds * Self.second)
        #expect(copy.translate(reply.span, at: end - 1, into: &out) == .translated(to: .v6, packets: 1))
        #expect(nat.translate(reply.span, at: end, into: &out) == .dropped(.noBinding))
        // The reply counted as use.
        #expect(copy.translate(reply.span, at: end + (end - .zero) - 2, into: &out) == .translated(to: .v6, packets: 1))
    }
}
