import Foundation
import Testing

@testable import TransferDaemon

// An hour stands for any wait; the wall clock is moved by far more than that in both directions, so that a timer that
// reads it is off by hours.

private let boot = UUID()
private let start = TransferInstant(wall: Date(timeIntervalSince1970: 1_700_000_000), uptime: .seconds(500), boot: boot)

extension TransferInstant {
    /// Returns the instant after some time, with the wall clock set by another amount besides.
    func after(_ elapsed: Duration, wallSetBy change: Double = 0) -> TransferInstant {
        TransferInstant(
            wall: wall.addingTimeInterval(elapsed.inSeconds + change), uptime: uptime + elapsed, boot: boot)
    }

    /// Returns the instant after a restart of the machine.
    func afterRestart(_ elapsed: Duration, wallSetBy change: Double = 0) -> TransferInstant {
        TransferInstant(
            wall: wall.addingTimeInterval(elapsed.inSeconds + change), uptime: .seconds(3), boot: UUID())
    }
}

@Suite struct TransferInstantTests {
    @Test func `Only a change of the wall clock is a step`() {
        #expect(start.stepOfWall(to: start.after(.seconds(3600))) == .zero)
        #expect(start.stepOfWall(to: start.after(.seconds(2), wallSetBy: -7200)) == .seconds(-7200))
        #expect(start.stepOfWall(to: start.after(.seconds(2), wallSetBy: 7200)) == .seconds(7200))
        // The two clocks cannot be compared.
        #expect(start.stepOfWall(to: start.afterRestart(.seconds(2), wallSetBy: -7200)) == .zero)
    }
}

@Suite struct TransferTimersTests {
    private let timers = TransferTimers.new(
        earliestBegin: start.wall.addingTimeInterval(3600), resourceTimeout: 100, at: start)

    /// SCHD-01.
    @Test(arguments: [-86_400, -1, 0, 1, 86_400] as [Double])
    func `a begin date is reached after the time asked for whatever the wall clock does`(change: Double) {
        #expect(timers.untilBegin(at: start.after(.seconds(3599), wallSetBy: change)) == .seconds(1))
        #expect(timers.untilBegin(at: start.after(.seconds(3600), wallSetBy: change)) == .zero)
    }

    @Test func `a begin date in the past is reached at once`() {
        let late = TransferTimers.new(earliestBegin: .distantPast, resourceTimeout: 1, at: start)
        #expect(late.untilBegin(at: start) == .zero)
    }

    @Test func `a task without a begin date does not wait`() {
        #expect(TransferTimers.new(earliestBegin: nil, resourceTimeout: 1, at: start).untilBegin(at: start) == nil)
    }

    @Test func `a restart of the machine counts by the wall clock`() {
        #expect(timers.untilBegin(at: start.afterRestart(.seconds(3000))) == .seconds(600))
        #expect(timers.untilBegin(at: start.afterRestart(.seconds(3600))) == .zero)
    }

    @Test func `a clock set back across a restart extends the wait by no more than the time asked for`() {
        #expect(timers.untilBegin(at: start.afterRestart(.seconds(10), wallSetBy: -86_400)) == .seconds(3600))
    }

    @Test func `the resource timeout runs only after resume and begin date`() {
        var timers = TransferTimers.new(earliestBegin: nil, resourceTimeout: 100, at: start)
        #expect(timers.untilResourceTimeout(at: start.after(.seconds(1000))) == .seconds(100))
        timers.setResourceRuns(true, at: start.after(.seconds(1000)))
        #expect(timers.untilResourceTimeout(at: start.after(.seconds(1030))) == .seconds(70))
        timers.setResourceRuns(false, at: start.after(.seconds(1030)))
        timers.setResourceRuns(true, at: start.after(.seconds(9000)))
        #expect(timers.untilResourceTimeout(at: start.after(.seconds(9069))) == .seconds(1))
        #expect(timers.untilResourceTimeout(at: start.after(.seconds(9070))) == .zero)
    }

    @Test func `the resource timeout does not run before the begin date`() {
        var timers = timers
        timers.setResourceRuns(true, at: start)
        #expect(timers.untilResourceTimeout(at: start.after(.seconds(3600))) == .seconds(100))
        #expect(timers.untilResourceTimeout(at: start.after(.seconds(3650))) == .seconds(50))
    }

    /// Each setter moves the anchor; a limit that it did not take along would start over.
    @Test func `setting one limit keeps the others`() {
        var timers = timers
        timers.setResourceRuns(true, at: start)
        timers.setRetry(after: .seconds(40), at: start.after(.seconds(3600)))
        timers.setEarliestBegin(start.wall.addingTimeInterval(7000), at: start.after(.seconds(3610)))
        let now = start.after(.seconds(3620))
        #expect(timers.untilRetry(at: now) == .seconds(20))
        #expect(timers.untilBegin(at: now) == .seconds(3380))
        #expect(timers.untilResourceTimeout(at: now) == .seconds(90))
    }
}
