import LinuxNet
import Scenario
import Testing

@testable import Harness

/// The changes that a packet triggers are in force before the next packet, however late they come and however fast the
/// packets are.
@Suite(.serialized, .enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"))
struct StandstillTests {
    private func wait(_ condition: () throws -> Bool) rethrows {
        let end = MonotonicClock.deadline(after: 10_000_000_000)
        while try !condition(), MonotonicClock.now() < end {}
    }

    /// 40 datagrams of 128 bytes at once; the change comes only after all of them have been sent.
    @Test(arguments: [
        PacketMark.Place.packet(10), .bytes(10 * 128, connection: nil), .bytes(9 * 128 + 1, connection: nil),
    ])
    func `the named packet is the last under the old condition`(place: PacketMark.Place) throws {
        let link = try PumpLab(up: [.delay(.milliseconds(5), jitter: nil)], marks: [PacketMark(interface: .wifi, direction: .up, place: place)])
        defer { link.lab.stop() }
        let offered = try link.offered(.up)
        #expect(try link.send(40) == 40)
        wait { !link.marks.isEmpty }
        #expect(link.marks.count == 1)
        // Packets that were in transit arrive meanwhile.
        try wait { try link.delivered(.up) - offered >= 10 }
        #expect(try link.delivered(.up) - offered == 10)
        try link.lab.apply(.link(.wifi, LinkPlan(name: "nothing", down: Condition([]), up: Condition([.filter([PacketRule()])]))))
        link.lab.goOn()
        try wait { try link.offered(.up) - offered >= 40 }
        #expect(try link.offered(.up) - offered == 40)
        #expect(try link.delivered(.up) - offered == 10)
        #expect(link.failures == [] && link.late == [])
    }

    @Test func `the network waits for the acknowledgement of each of two marks`() throws {
        let marks = [3, 5].map { PacketMark(interface: .wifi, direction: .up, place: .packet($0)) }
        let link = try PumpLab(marks: marks)
        defer { link.lab.stop() }
        let offered = try link.offered(.up)
        #expect(try link.send(8) == 8)
        for (answered, number) in [3, 5].enumerated() {
            wait { link.marks.count > answered }
            try wait { try link.delivered(.up) - offered >= number }
            #expect(try link.delivered(.up) - offered == number)
            link.lab.goOn()
        }
        try wait { try link.delivered(.up) - offered >= 8 }
        #expect(try link.delivered(.up) - offered == 8)
        #expect(link.marks == marks)
    }

    @Test func `an unacknowledged mark suspends the network for five seconds and is reported`() throws {
        let link = try PumpLab(marks: [PacketMark(interface: .wifi, direction: .up, place: .packet(1))])
        defer { link.lab.stop() }
        let offered = try link.offered(.up)
        #expect(try link.send(2) == 2)
        try wait { try link.delivered(.up) - offered >= 2 }
        #expect(try link.delivered(.up) - offered == 2)
        #expect(link.late.contains { $0.contains("a packet trigger was not handled within 5 s") })
    }
}
