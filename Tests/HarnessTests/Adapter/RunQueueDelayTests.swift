import Record
import ScenarioLanguage
import Testing

@testable import Harness

/// The bounds decide between a failure and a machine that was too slow, so each is tested from both sides.
@Suite struct RunQueueDelayTests {
    /// Takes samples 250 ms apart, with the given number of milliseconds waited before each.
    private func record(_ waits: Int64...) -> Note? {
        var total: Int64 = 5_000_000_000
        var now: Int64 = 1_000_000_000
        var wait = RunQueueDelay(total: total, at: now)
        for milliseconds in waits {
            #expect(wait.nextLook == now + 250_000_000)
            now += 250_000_000
            total += milliseconds * 1_000_000
            wait.look(total: total, at: now)
        }
        return wait.record
    }

    @Test func `small waits never add up`() {
        #expect(record(125, 125, 125, 125, 125, 125, 125, 125, 125, 125) == nil)
    }

    @Test func `waiting before the script does not count`() { #expect(record() == nil) }

    @Test func `a pause is noted`() {
        #expect(record(250) == nil)
        #expect(record(10, 251, 10) == .other("the adapter waited 251.0 ms for a processor"))
    }

    @Test func `more than a second of waiting means that the machine was too slow`() {
        #expect(record(500, 500) == .other("the adapter waited 1000.0 ms for a processor"))
        #expect(
            record(500, 0, 501)
                == .conditionNotKept("the machine was too slow: the adapter waited 1001.0 ms for a processor"))
    }
}
