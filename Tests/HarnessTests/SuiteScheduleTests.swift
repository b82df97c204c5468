import Record
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

    @Test func `later repetitions have later numbers`() {
        var schedule = SuiteSchedule(scenarios: [Self.scenario("a")], repetitions: 2, from: 2)
        #expect(schedule.next() == .run(.init(scenario: 0, repetition: 2)))
        #expect(schedule.next() == .run(.init(scenario: 0, repetition: 3)))
        #expect(schedule.next() == .done)
    }

    @Test func `a dependent scenario waits for its dependency and is skipped when that does not pass`() {
        var schedule = SuiteSchedule(scenarios: [Self.scenario("b", after: "a"), Self.scenario("a")], repetitions: 1)
        let first = SuiteSchedule.Item(scenario: 1, repetition: 1)
        #expect(schedule.next() == .run(first))
        #expect(schedule.next() == .wait)
        schedule.ended(first, .fail(.wrong, []))
        #expect(schedule.next() == .skip(.init(scenario: 0, repetition: 1), .skipped(after: "a")))
        #expect(schedule.next() == .done)
    }

    @Test func `a dependent scenario runs once the other has passed every repetition`() {
        var schedule = SuiteSchedule(scenarios: [Self.scenario("a"), Self.scenario("b", after: "a")], repetitions: 2)
        let runs = [schedule.next(), schedule.next()]
        #expect(runs == [.run(.init(scenario: 0, repetition: 1)), .run(.init(scenario: 0, repetition: 2))])
        schedule.ended(.init(scenario: 0, repetition: 1), .pass)
        #expect(schedule.next() == .wait)
        schedule.ended(.init(scenario: 0, repetition: 2), .pass)
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
            schedule.ended(.init(scenario: index, repetition: 1), index == 1 ? .fail(.wrong, []) : .pass)
            if index == 1 {
                #expect(schedule.next() == .skip(.init(scenario: 4, repetition: 1), .skipped(after: "a[y]@lte")))
            }
        }
        schedule.ended(.init(scenario: 3, repetition: 1), .pass)
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

    @Test func `what depends on an unsupported scenario is unsupported, also at second hand`() {
        var schedule = SuiteSchedule(
            scenarios: [Self.scenario("a"), Self.scenario("b", after: "a"), Self.scenario("c", after: "b")],
            repetitions: 1)
        _ = schedule.next()
        schedule.ended(.init(scenario: 0, repetition: 1), .unsupported("tls"))
        let second = Outcome.unsupported("a, on which it depends, is unsupported: tls")
        #expect(schedule.next() == .skip(.init(scenario: 1, repetition: 1), second))
        schedule.ended(.init(scenario: 1, repetition: 1), second)
        #expect(
            schedule.next()
                == .skip(
                    .init(scenario: 2, repetition: 1),
                    .unsupported("b, on which it depends, is unsupported: a, on which it depends, is unsupported: tls"))
        )
    }

    @Test func `a failed repetition outweighs an unsupported one`() {
        var schedule = SuiteSchedule(scenarios: [Self.scenario("a"), Self.scenario("b", after: "a")], repetitions: 2)
        _ = [schedule.next(), schedule.next()]
        schedule.ended(.init(scenario: 0, repetition: 1), .unsupported("tls"))
        schedule.ended(.init(scenario: 0, repetition: 2), .fail(.crash, []))
        #expect(schedule.next() == .skip(.init(scenario: 1, repetition: 1), .skipped(after: "a")))
    }

    @Test func `a later pass does not outweigh a failed repetition`() {
        var schedule = SuiteSchedule(scenarios: [Self.scenario("a"), Self.scenario("b", after: "a")], repetitions: 2)
        _ = [schedule.next(), schedule.next()]
        schedule.ended(.init(scenario: 0, repetition: 1), .fail(.wrong, []))
        schedule.ended(.init(scenario: 0, repetition: 2), .pass)
        #expect(schedule.next() == .skip(.init(scenario: 1, repetition: 1), .skipped(after: "a")))
    }

    @Test func `a run for which the machine was too slow is repeated once, after all others and alone`() {
        let items = (0..<3).map { SuiteSchedule.Item(scenario: $0, repetition: 1) }
        var schedule = SuiteSchedule(
            scenarios: [Self.scenario("a"), Self.scenario("b"), Self.scenario("c", after: "a")], repetitions: 1)
        #expect([schedule.next(), schedule.next()] == [.run(items[0]), .run(items[1])])
        let isPostponed = schedule.postpone(items[0])
        #expect(isPostponed)
        // The other run is still active.
        #expect(schedule.next() == .wait)
        schedule.ended(items[1], .pass)
        #expect(schedule.next() == .runAlone(items[0]))
        #expect(schedule.next() == .wait)
        // The second time its outcome decides.
        let isPostponedAgain = schedule.postpone(items[0])
        #expect(!isPostponedAgain)
        schedule.ended(items[0], .pass)
        #expect(schedule.next() == .run(items[2]))
        schedule.ended(items[2], .pass)
        #expect(schedule.next() == .done)
    }

    @Test func `two runs that are repeated do not meet`() {
        let items = (0..<2).map { SuiteSchedule.Item(scenario: $0, repetition: 1) }
        var schedule = SuiteSchedule(scenarios: [Self.scenario("a"), Self.scenario("b")], repetitions: 1)
        _ = [schedule.next(), schedule.next()]
        for item in items { _ = schedule.postpone(item) }
        #expect([schedule.next(), schedule.next()] == [.runAlone(items[0]), .wait])
        schedule.ended(items[0], .error("too slow"))
        #expect(schedule.next() == .runAlone(items[1]))
    }

    @Test func `a stopped schedule repeats nothing`() {
        var schedule = SuiteSchedule(scenarios: [Self.scenario("a")], repetitions: 1)
        _ = schedule.next()
        schedule.stop()
        let isPostponed = schedule.postpone(.init(scenario: 0, repetition: 1))
        #expect(!isPostponed)
        #expect(schedule.next() == .done)
    }
}
