@testable import Harness
import Scenario
import Testing

/// Flapping is steps on the run's clock, so the same moments always give the same changes.
struct FlapScheduleTests {
    private static let flaps = NetworkChange.flaps(.wifi, Flapping(times: 2, down: .milliseconds(200), up: .milliseconds(300)))

    @Test func `each step comes at its time, and the interface ends up`() {
        var schedule = FlapSchedule()
        #expect(schedule.take([Self.flaps, .renumber(.cellular)], at: 1_000) == [.renumber(.cellular)])
        var seen: [String] = []
        while let due = schedule.nextDeadline {
            #expect(schedule.next(at: due - 1) == nil)
            if let step = schedule.next(at: due) { seen.append("\((step.due - 1_000) / 1_000_000) \(step.state.rawValue)") }
        }
        #expect(seen == ["0 down", "200 up", "500 down", "700 up"])
    }

    @Test func `no state is passed over when the clock was late`() {
        var schedule = FlapSchedule()
        _ = schedule.take([Self.flaps], at: 0)
        var states: [InterfaceState] = []
        while let step = schedule.next(at: .max) { states.append(step.state) }
        #expect(states == [.down, .up, .down, .up])
    }

    @Test func `another state given to the interface ends its flapping, and that of no other`() {
        var schedule = FlapSchedule()
        _ = schedule.take([Self.flaps, .flaps(.cellular, Flapping(times: 1, down: .seconds(1), up: .seconds(1)))], at: 0)
        #expect(schedule.take([.interfaceState(.wifi, .noRoute)], at: 1) == [.interfaceState(.wifi, .noRoute)])
        var kinds: [InterfaceKind] = []
        while let step = schedule.next(at: .max) { kinds.append(step.kind) }
        #expect(kinds == [.cellular, .cellular])
    }
}
