import ScenarioLanguage
import Testing

@testable import Harness

@Suite struct SuiteScheduleTests {
    private static func scenario(_ id: String, after: String? = nil, tags: [String] = []) -> Scenario {
        var scenario = Scenario(file: "\(id).yaml", id: id, title: id)
        scenario.after = after
        scenario.tags = tags
        return scenario
    }

    @Test func `slow scenarios start first`() {
        var schedule = SuiteSchedule(
            scenarios: [Self.scenario("a"), Self.scenario("b", tags: ["slow"])], repetitions: 1)
        #expect(schedule.next() == .run(.init(scenario: 1, repetition: 1)))
        #expect(schedule.next() == .run(.init(scenario: 0, repetition: 1)))
        #expect(schedule.next() == .done)
    }

    @Test func `a given order is kept`() {
        var schedule = SuiteSchedule(
            scenarios: [Self.scenario("a"), Self.scenario("b", tags: ["slow"])], repetitions: 1, keepsOrder: true)
        #expect(schedule.next() == .run(.init(scenario: 0, repetition: 1)))
        #expect(schedule.next() == .run(.init(scenario: 1, repetition: 1)))
    }

    @Test func `a dependent scenario waits for its dependency and is skipped when that does not pass`() {
        var schedule = SuiteSchedule(scenarios: [Self.scenario("b", after: "a"), Self.scenario("a")], repetitions: 1)
        let first = SuiteSchedule.Item(scenario: 1, repetition: 1)
        #expect(schedule.next() == .run(first))
        #expect(schedule.next() == .wait)
        schedule.ended(first, passed: false)
        #expect(schedule.next() == .skip(.init(scenario: 0, repetition: 1), after: "a"))
        #expect(schedule.next() == .done)
    }

    @Test func `a dependent scenario runs once the other has passed every repetition`() {
        var schedule = SuiteSchedule(scenarios: [Self.scenario("a"), Self.scenario("b", after: "a")], repetitions: 2)
        let runs = [schedule.next(), schedule.next()]
        #expect(runs == [.run(.init(scenario: 0, repetition: 1)), .run(.init(scenario: 0, repetition: 2))])
        schedule.ended(.init(scenario: 0, repetition: 1), passed: true)
        #expect(schedule.next() == .wait)
        schedule.ended(.init(scenario: 0, repetition: 2), passed: true)
        #expect(schedule.next() == .run(.init(scenario: 1, repetition: 1)))
    }

    /// A failure on one network shows nothing about another.
    @Test func `a dependency is the run on the same network, with all its rows`() {
        let ids = ["a[x]@lte", "a[y]@lte", "a[x]@edge", "a[y]@edge", "b@lte", "b@edge"]
        var schedule = SuiteSchedule(
            scenarios: ids.map { id in
                var scenario = Self.scenario(id, after: id.hasPrefix("b") ? "a" : nil)
                scenario.variant = VariantID(id)
                return scenario
            }, repetitions: 1)
        for index in 0..<4 { #expect(schedule.next() == .run(.init(scenario: index, repetition: 1))) }
        for index in 0..<3 {
            #expect(schedule.next() == .wait)
            schedule.ended(.init(scenario: index, repetition: 1), passed: index != 1)
            if index == 1 {
                #expect(schedule.next() == .skip(.init(scenario: 4, repetition: 1), after: "a[y]@lte"))
            }
        }
        schedule.ended(.init(scenario: 3, repetition: 1), passed: true)
        #expect(schedule.next() == .run(.init(scenario: 5, repetition: 1)))
    }

    @Test func `a dependency that is not part of the run is not waited for`() {
        var schedule = SuiteSchedule(scenarios: [Self.scenario("b", after: "elsewhere")], repetitions: 1)
        #expect(schedule.next() == .run(.init(scenario: 0, repetition: 1)))
    }

    @Test func `no run starts after a stop`() {
        var schedule = SuiteSchedule(scenarios: [Self.scenario("a")], repetitions: 3)
        _ = schedule.next()
        schedule.stop()
        #expect(schedule.next() == .done)
    }
}
