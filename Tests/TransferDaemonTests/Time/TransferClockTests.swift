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

    @Test func `the clock of the machine changes nothing`() {
        #expect(TransferClock.machine.instant(of: machine) == machine)
    }

    @Test(arguments: [
        "scale=0", "scale=-1", "scale=1000", "scale=nan", "scale=1 scale=2", "offset", "speed=2", "scale=2 origin=inf",
    ]) func `other texts are refused`(_ text: String) { #expect(TransferClock(text) == nil) }

    @Test func `the machine's clocks advance`() {
        let first = TransferInstant.ofMachine()
        let second = TransferInstant.ofMachine()
        #expect(first.boot == second.boot)
        #expect(second.uptime > first.uptime)
        #expect(first.uptime > .zero)
    }
}
