import Testing

@testable import Harness

/// The bounds decide between a failure and a machine that was too slow, so each is tested from both sides.
@Suite struct ProcessorWaitTests {
    /// Takes samples 250 ms apart, with the given number of milliseconds waited before each.
    private func note(_ waits: Int64...) -> String? {
        var total: Int64 = 5_000_000_000
        var now: Int64 = 1_000_000_000
        var wait = ProcessorWait(total: total, at: now)
        for milliseconds in waits {
            #expect(wait.nextLook == now + 250_000_000)
            now += 250_000_000
            total += milliseconds * 1_000_000
            wait.look(total: total, at: now)
        }
        return wait.note
    }

    @Test func `small waits never add up`() {
        #expect(note(125, 125, 125, 125, 125, 125, 125, 125, 125, 125) == nil)
    }

    @Test func `waiting before the script does not count`() { #expect(note() == nil) }

    @Test func `a pause is noted`() {
        #expect(note(250) == nil)
        #expect(note(10, 251, 10) == "the adapter waited 251.0 ms for a processor")
    }

    @Test func `more than a second of waiting means that the machine was too slow`() {
        #expect(note(500, 500)?.contains("too slow") == false)
        #expect(note(500, 0, 501)?.hasSuffix("the machine was too slow: the adapter waited 1001.0 ms for a processor") == true)
    }
}
