import LabKernel
import Record
import ScenarioLanguage
import Testing

@testable import Harness

/// The bounds decide between a failure and a machine that was too slow, so each is tested from both sides.
@Suite struct RunQueueDelayTests {
    /// Takes samples 250 ms apart on two processors, with the given numbers of milliseconds before each: waited by the
    /// adapter's threads together, used by them, and used by other programs.
    private func record(_ samples: (waited: Int64, used: Int64, others: Int64)...) -> Note? { record(samples) }

    private func record(_ samples: [(waited: Int64, used: Int64, others: Int64)]) -> Note? {
        var use = ProcessorUse(waited: 5_000_000_000, used: 7_000_000_000, machine: 90_000_000_000)
        var now: Int64 = 1_000_000_000
        var wait = RunQueueDelay(use, processors: 2, at: now)
        for sample in samples {
            #expect(wait.nextLook == now + 250_000_000)
            now += 250_000_000
            use.waited += sample.waited * 1_000_000
            use.used += sample.used * 1_000_000
            use.machine += (sample.used + sample.others) * 1_000_000
            wait.look(use, at: now)
        }
        return wait.record
    }

    private static let slow =
        "the machine was too slow: the adapter waited 1200.0 ms for a processor that other programs used"

    @Test func `small waits never add up`() {
        #expect(record(Array(repeating: (waited: 125, used: 0, others: 500), count: 40)) == nil)
    }

    @Test func `waiting before the script does not count`() { #expect(record() == nil) }

    @Test func `a pause is noted`() {
        #expect(record((250, 0, 500)) == nil)
        #expect(
            record((200, 0, 500), (10, 100, 400), (200, 0, 500))
                == .other("the adapter waited 400.0 ms for a processor that other programs used"))
    }

    @Test(
        arguments: [
            ([250, 490, 250], nil), ([250, 700, 250], .other("the harness was late by 450.0 ms")),
            ([1000, 800], .conditionNotKept("the machine was too slow: the harness was late by 1300.0 ms")),
        ] as [([Int64], Note?)])
    func `a harness that reads too late counts like waiting`(intervals: [Int64], note: Note?) {
        let use = ProcessorUse(waited: 0, used: 0, machine: 0)
        var now: Int64 = 0
        var wait = RunQueueDelay(use, processors: 2, at: now)
        for interval in intervals {
            now += interval * 1_000_000
            wait.look(use, at: now)
        }
        #expect(wait.record == note)
    }

    @Test func `more than a second of waiting means that the machine was too slow`() {
        let waits = Array(repeating: (waited: Int64(200), used: Int64(0), others: Int64(500)), count: 6)
        #expect(
            record(Array(waits.prefix(5)))
                == .other("the adapter waited 1000.0 ms for a processor that other programs used"))
        #expect(record(waits) == .conditionNotKept(Self.slow))
    }

    /// Twenty threads wait 200 ms each in an interval: 4 s together, but nothing waited for longer than the interval.
    @Test func `many threads do not wait longer than the time that has passed`() {
        #expect(
            record((4_000, 0, 500), (4_000, 0, 500))
                == .other("the adapter waited 500.0 ms for a processor that other programs used"))
    }

    /// Its own threads keep each other from running, on a machine that has nothing else to do.
    @Test func `processor time that the adapter uses itself excuses nothing`() {
        #expect(record(Array(repeating: (waited: 4_000, used: 500, others: 0), count: 40)) == nil)
        #expect(record(Array(repeating: (waited: 250, used: 300, others: 200), count: 40)) == nil)
    }
}
