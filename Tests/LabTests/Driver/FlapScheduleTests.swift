import Record
import ScenarioLanguage
import Testing

@testable import Lab

/// Flapping consists of steps on the run's clock, so the same times always give the same changes.
struct FlapScheduleTests {
    private static let flaps = NetworkChange.flaps(
        .wifi, Flapping(times: 2, downFor: .milliseconds(200), upFor: .milliseconds(300)))

    @Test func `each step is taken at its time and the interface ends in state up`() throws {
        var schedule = FlapSchedule()
        #expect(schedule.apply([Self.flaps, .renumber(.cellular)], at: 1_000) == [.renumber(.cellular)])
        var seen: [String] = []
        while let due = schedule.nextDeadline {
            #expect(schedule.next(at: due - 1) == nil)
            let next = schedule.next(at: due)
            let step = try #require(next)
            seen.append("\((step.due - 1_000) / 1_000_000) \(step.state.rawValue)")
        }
        #expect(seen == ["0 down", "200 up", "500 down", "700 up"])
    }

    @Test func `no state is skipped when the clock is late`() {
        var schedule = FlapSchedule()
        _ = schedule.apply([Self.flaps], at: 0)
        var states: [InterfaceState] = []
        while let step = schedule.next(at: .max) { states.append(step.state) }
        #expect(states == [.down, .up, .down, .up])
    }

    @Test func `a state change ends the flapping of its interface only`() {
        var schedule = FlapSchedule()
        _ = schedule.apply(
            [Self.flaps, .flaps(.cellular, Flapping(times: 1, downFor: .seconds(1), upFor: .seconds(1)))], at: 0)
        #expect(schedule.apply([.interfaceState(.wifi, .noRoute)], at: 1) == [.interfaceState(.wifi, .noRoute)])
        var kinds: [InterfaceKind] = []
        while let step = schedule.next(at: .max) { kinds.append(step.kind) }
        #expect(kinds == [.cellular, .cellular])
    }
}
