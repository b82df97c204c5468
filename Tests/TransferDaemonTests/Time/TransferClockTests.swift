import Foundation
import Testing

@testable import TransferDaemon

// A scale of 1000 and an origin 10 s in the past: 10 s of the machine are 10,000 s of the clock.

@Suite struct TransferClockTests {
    private let machine = TransferInstant(
        wall: Date(timeIntervalSince1970: 1_700_000_010), uptime: .seconds(20), boot: UUID())

    @Test func `a scaled clock runs faster from its origin`() throws {
        let clock = try #require(TransferClock("scale=1000 origin=1700000000"))
        let instant = clock.instant(of: machine)
        #expect(instant.wall == Date(timeIntervalSince1970: 1_700_010_000))
        #expect(instant.uptime == .seconds(20_000))
        #expect(clock.real(.seconds(604_800)) == .seconds(604.8))
    }

    @Test func `an offset moves the wall clock alone`() throws {
        let instant = try #require(TransferClock("offset=-3600")).instant(of: machine)
        #expect(instant.wall == Date(timeIntervalSince1970: 1_699_996_410))
        #expect(instant.uptime == machine.uptime)
    }

    /// A task waits 600 s. After 100 s its clock is set back by 1 h or forward by 3 h.
    @Test(arguments: [("offset=-7200\n", -3600.0), ("offset=7200", 10_800)])
    func `a clock that is set steps, and elapsed time continues`(text: String, step: Double) throws {
        var clock = try #require(TransferClock("scale=100 offset=-3600 origin=1700000000 file=/mnt/clock"))
        #expect(clock.file == "/mnt/clock")
        let start = clock.instant(of: machine)
        let timers = TransferTimers.new(
            earliestBegin: start.wall.addingTimeInterval(600), resourceTimeout: 1000, at: start)
        var later = machine
        later.wall += 1
        later.uptime += .seconds(1)
        let unset = clock.instant(of: later)
        #expect(clock.set(text) == .seconds(step))
        let set = clock.instant(of: later)
        #expect(set.wall == unset.wall.addingTimeInterval(step))
        #expect(set.uptime == unset.uptime)
        #expect(timers.untilBegin(at: set) == .seconds(500))
        #expect(clock.set(text) == .zero)
    }

    @Test(arguments: ["", "\n", "offset=", "offset=later", "scale=2", "offset=5 offset=6"])
    func `a text without an offset does not set the clock`(_ text: String) throws {
        var clock = try #require(TransferClock("offset=-3600"))
        #expect(clock.set(text) == .zero)
        #expect(clock.offset == .seconds(-3600))
    }

    @Test func `the file has the present offset`() throws {
        let file = FileManager.default.temporaryDirectory.path + "/clock-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        var clock = try #require(TransferClock("offset=-3600 file=\(file)"))
        #expect(clock.reread() == .zero)
        try Data("offset=60".utf8).write(to: URL(fileURLWithPath: file))
        #expect(clock.reread() == .seconds(3660))
        #expect(clock.reread() == .zero)
        #expect(clock.offset == .seconds(60))
    }

    @Test func `the clock of the machine changes nothing`() {
        #expect(TransferClock.machine.instant(of: machine) == machine)
    }

    @Test(arguments: [
        "scale=0", "scale=-1", "scale=1000", "scale=nan", "scale=1 scale=2", "offset", "speed=2", "scale=2 origin=inf",
        "file=a file=b",
    ]) func `other texts are refused`(_ text: String) { #expect(TransferClock(text) == nil) }

    @Test func `the machine's clocks advance`() {
        let first = TransferInstant.ofMachine()
        let second = TransferInstant.ofMachine()
        #expect(first.boot == second.boot)
        #expect(second.uptime > first.uptime)
        #expect(first.uptime > .zero)
    }
}
