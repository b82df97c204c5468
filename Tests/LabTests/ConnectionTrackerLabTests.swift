import Record
import Lab
import InternetAddresses
import LabKernel
import LinkEmulator
@testable import LinkEngines
import NetworkMonitor
import ScenarioLanguage
import Testing

/// The kernel's own TCP verifies our RST and ICMP packets: it accepts a RST only with exactly the right sequence
/// number, and an ICMP error only about a connection that it has.
@Suite(
    .serialized,
    .enabled(if: EngineAgreementLab.canBuild, "needs network namespaces and TUN devices: see crosswind doctor"))
struct ConnectionTrackerLabTests {
    private static func filter(_ rules: PacketRule...) -> [LinkEffect] { [.filter(rules)] }

    /// One kernel connection across the link, with a byte in each direction to prove that it works.
    private struct Ends: ~Copyable {
        let client: OwnedDescriptor
        let server: OwnedDescriptor
    }

    private static func connect(_ lab: Lab, ipv6: Bool) throws -> Ends {
        let plan = Addressing.interface(.wifi)
        let far = try #require(IPAddress(ipv6 ? plan.network6 : plan.network4))
        let listener = try lab.internet.listenTCP(on: SocketAddress(far, port: 0))
        let client = try lab.client.connectTCP(to: try listener.localAddress())
        try wait(listener, .readable)
        guard let server = try listener.accept() else { throw SystemCallError(call: "accept4", errno: 11) }
        let ends = Ends(client: client, server: server)
        #expect(try ends.client.send([1, 2, 3]) == 3)
        try wait(ends.server, .readable)
        #expect(try ends.server.receive() == [1, 2, 3])
        #expect(try ends.server.send([4, 5]) == 2)
        try wait(ends.client, .readable)
        #expect(try ends.client.receive() == [4, 5])
        return ends
    }

    private static func wait(_ socket: borrowing OwnedDescriptor, _ interest: Poller.Readiness) throws {
        #expect(try becomes(socket, interest, within: 5_000_000_000), "nothing arrived within 5 s")
    }

    private static func becomes(
        _ socket: borrowing OwnedDescriptor, _ interest: Poller.Readiness, within patience: Int64
    ) throws -> Bool {
        let deadline = MonotonicClock.deadline(after: patience)
        let readiness = try socket.withRaw { raw throws(SystemCallError) in
            try Poller.wait(for: raw, interest, until: deadline)
        }
        return !readiness.isEmpty
    }

    @Test(arguments: [false, true])
    func `both kernels accept our RST at once`(_ ipv6: Bool) throws {
        let link = try EngineAgreementLab(.emulator, [], [])
        let ends = try Self.connect(link.lab, ipv6: ipv6)
        try link.lab.apply(.connections(ConnectionKillPlan(interface: .wifi, connection: 1, manner: .reset(.both))))
        try Self.wait(ends.client, .readable)
        try Self.wait(ends.server, .readable)
        #expect(ends.client.pendingError()?.errno == 104)
        #expect(ends.server.pendingError()?.errno == 104)
        link.finish()
    }

    @Test func `a RST to one side leaves the other waiting`() throws {
        let link = try EngineAgreementLab(.emulator, [], [])
        let ends = try Self.connect(link.lab, ipv6: false)
        try link.lab.apply(.connections(ConnectionKillPlan(interface: .wifi, manner: .reset(.server))))
        try Self.wait(ends.server, .readable)
        #expect(ends.server.pendingError()?.errno == 104)
        #expect(try !Self.becomes(ends.client, .readable, within: 300_000_000))
        #expect(ends.client.pendingError() == nil)
        link.finish()
    }

    @Test func `a silent cut notifies neither side`() throws {
        let link = try EngineAgreementLab(.emulator, [], [])
        let ends = try Self.connect(link.lab, ipv6: false)
        try link.lab.apply(.connections(ConnectionKillPlan(interface: .wifi, connection: 1, manner: .silently)))
        #expect(try ends.client.send([1]) == 1)
        #expect(try ends.server.send([1]) == 1)
        #expect(try !Self.becomes(ends.client, .readable, within: 300_000_000))
        #expect(try !Self.becomes(ends.server, .readable, within: 100_000_000))
        #expect(ends.client.pendingError() == nil && ends.server.pendingError() == nil)
        link.finish()
    }

    @Test(arguments: [
        (PacketRule.Action.refuse, CInt(111)), (.unreachable(.port), 111), (.unreachable(.host), 113),
        (.unreachable(.network), 101),
        (.unreachable(.prohibited), 113),
    ])
    func `a connecting kernel gets the reason of the refusal`(_ action: PacketRule.Action, _ errno: CInt) throws {
        let link = try EngineAgreementLab(.emulator, Self.filter(PacketRule(kind: .syn, action: action)), [])
        let far = try #require(IPAddress(Addressing.interface(.wifi).network4))
        let listener = try link.lab.internet.listenTCP(on: SocketAddress(far, port: 0))
        let client = try link.lab.client.connectTCP(to: try listener.localAddress())
        try Self.wait(client, .writable)
        #expect(client.pendingError()?.errno == errno)
        link.finish()
    }
}
