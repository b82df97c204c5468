import Record
import LinkEmulator
import NetworkMonitor
import ScenarioLanguage
import Testing

@testable import Lab
@testable import LinkEngines

/// The changes that a packet triggers are in force before the next packet, however late they come and however fast the
/// packets are.
@Suite(
    .serialized,
    .enabled(if: EngineAgreementLab.canBuild, "needs network namespaces and TUN devices: see crosswind doctor"))
struct TriggerBarrierTests {
    private func wait(_ condition: () throws -> Bool) rethrows {
        let end = MonotonicClock.deadline(after: 10_000_000_000)
        while try !condition(), MonotonicClock.now() < end {}
    }

    /// 40 datagrams of 128 bytes at once; the change comes only after all of them have been sent.
    @Test(arguments: [
        PacketBreakpoint.Place.packet(10), .bytes(10 * 128, connection: nil), .bytes(9 * 128 + 1, connection: nil),
    ])
    func `the named packet is the last under the old condition`(place: PacketBreakpoint.Place) throws {
        let link = try PumpLab(
            up: [.delay(.milliseconds(5), jitter: nil)],
            breakpoints: [PacketBreakpoint(interface: .wifi, direction: .uplink, place: place)])
        defer { link.lab.stop() }
        let offered = try link.offered(.uplink)
        #expect(try link.send(40) == 40)
        wait { !link.breakpoints.isEmpty }
        #expect(link.breakpoints.count == 1)
        // Packets that were in transit arrive meanwhile.
        try wait { try link.delivered(.uplink) - offered >= 10 }
        #expect(try link.delivered(.uplink) - offered == 10)
        try link.lab.apply(
            .link(
                .wifi, LinkPlan(name: "nothing", downlink: Condition([]), uplink: Condition([.filter([PacketRule()])])))
        )
        link.lab.resume()
        try wait { try link.offered(.uplink) - offered >= 40 }
        #expect(try link.offered(.uplink) - offered == 40)
        #expect(try link.delivered(.uplink) - offered == 10)
        #expect(link.failures == [] && link.late == [])
    }

    @Test func `a breakpoint that is added counts packets from now`() throws {
        let link = try PumpLab()
        defer { link.lab.stop() }
        #expect(try link.send(5) == 5)
        try wait { try link.offered(.uplink) >= 5 }
        let offered = try link.offered(.uplink)
        let number = try link.lab.addBreakpoint(.wifi, .uplink, packetsFromNow: 3)
        #expect(number == offered + 3)
        #expect(try link.send(8) == 8)
        wait { !link.breakpoints.isEmpty }
        #expect(link.breakpoints == [PacketBreakpoint(interface: .wifi, direction: .uplink, place: .packet(number))])
        try wait { try link.delivered(.uplink) >= number }
        #expect(try link.delivered(.uplink) == number)
        link.lab.resume()
        try wait { try link.delivered(.uplink) - offered >= 8 }
        #expect(try link.delivered(.uplink) - offered == 8)
        #expect(throws: LabError.self) { try link.lab.addBreakpoint(.vpn, .uplink, packetsFromNow: 1) }
    }

    @Test func `the network waits for the acknowledgement of each of two marks`() throws {
        let breakpoints = [3, 5].map { PacketBreakpoint(interface: .wifi, direction: .uplink, place: .packet($0)) }
        let link = try PumpLab(breakpoints: breakpoints)
        defer { link.lab.stop() }
        let offered = try link.offered(.uplink)
        #expect(try link.send(8) == 8)
        for (answered, number) in [3, 5].enumerated() {
            wait { link.breakpoints.count > answered }
            try wait { try link.delivered(.uplink) - offered >= number }
            #expect(try link.delivered(.uplink) - offered == number)
            link.lab.resume()
        }
        try wait { try link.delivered(.uplink) - offered >= 8 }
        #expect(try link.delivered(.uplink) - offered == 8)
        #expect(link.breakpoints == breakpoints)
    }

    @Test func `an unacknowledged mark suspends the network for five seconds and is reported`() throws {
        let link = try PumpLab(breakpoints: [PacketBreakpoint(interface: .wifi, direction: .uplink, place: .packet(1))])
        defer { link.lab.stop() }
        let offered = try link.offered(.uplink)
        #expect(try link.send(2) == 2)
        try wait { try link.delivered(.uplink) - offered >= 2 }
        #expect(try link.delivered(.uplink) - offered == 2)
        #expect(link.late.contains { $0.contains("a packet trigger was not handled within 5 s") })
    }
}
