import AdapterProtocol
import Conformance
import LinkEmulator
import Record
import ScenarioLanguage
import Testing

@testable import Harness

/// Tests which cases a sweep runs: all of them, a limited number, or one shard.
@Suite struct SweepPlanTests {
    private static let text = """
        scenario: A body
        proves: [DATA-01]
        network: { wifi: good-wifi }
        origin:
          /a: { text: "hello" }
        steps:
          - data: /a
            as: first
          - await: first.didReceiveResponse
        expect:
          - completes: { task: first, error: none }
        """

    static func base(_ text: String = text) throws -> SweepBase {
        let scenario = try ScenarioReader.read(file: "Scenarios/data/a.yaml", text: text).get()
        return try SweepBase(scenario, text: text)
    }

    private static let points: [InjectionPoint] =
        (0..<60).map {
            InjectionPoint(.responseBody, .origin(.responseBody($0), Fault.Scope(request: 1)))
        }
        + (1...40).map { InjectionPoint(.downlink, .moment(.packet(.wifi, .downlink, count: $0))) } + [
            InjectionPoint(.connect, .origin(.accept, Fault.Scope(connection: 1))),
            InjectionPoint(.dns, .lookup(host: "api.test", number: 1)),
        ]

    private static func cases(_ change: (inout SweepPlan) -> Void = { _ in }) throws -> [SweepCase] {
        var plan = SweepPlan(faults: SweepFault.allCases, seed: 7)
        change(&plan)
        return plan.cases(of: [(try base(), points)])
    }

    @Test func `each fault meets every point at which it can be injected, once`() throws {
        let cases = try Self.cases()
        #expect(Set(cases.map(\.id)).count == cases.count)
        func count(_ fault: SweepFault) -> Int { cases.count { $0.injections[0].fault == fault } }
        #expect(count(.reset) == 61)
        #expect(count(.lose) == 40)
        #expect(count(.down) == 40)
        #expect(count(.nxdomain) == 1)
        // The origin speaks HTTP/1.1.
        #expect(count(.goAway) == 0)
    }

    @Test(arguments: [1, 2, 3, 4, 7]) func `shards have every case exactly once`(count: Int) throws {
        let parts = try (1...count).map { part in
            try Self.cases {
                $0.part = part
                $0.of = count
            }.map(\.id)
        }
        #expect(parts.joined().sorted() == (try Self.cases().map(\.id).sorted()))
        #expect(parts.allSatisfy { !$0.isEmpty })
        // A limit is that of all parts together.
        let limited = try (1...count).flatMap { part in
            try Self.cases { ($0.part, $0.of, $0.limit) = (part, count, 30) }
        }
        #expect(limited.map(\.id).sorted() == (try Self.cases { $0.limit = 30 }.map(\.id).sorted()))
    }

    @Test(arguments: [1, 3]) func `a fault of the name service replaces the reply of its number`(number: Int) throws {
        let point = InjectionPoint(.dns, .lookup(host: "api.test", number: number))
        let text = try Self.base().text(of: [Injection(.nxdomain, point)])
        let scenario = try ScenarioReader.read(file: "a.yaml", text: text).get()
        let rule = try #require(scenario.network.dns.rules.first { $0.host == "api.test" })
        let replies = rule.sequence.flatMap { Array(repeating: $0.reply.summary, count: $0.times) }
        #expect(replies.firstIndex(of: "nxdomain") == number - 1)
    }

    @Test func `a limit draws evenly from faults and phases, the same cases each time`() throws {
        let limited = try Self.cases { $0.limit = 30 }
        #expect(limited.count == 30)
        #expect(limited == (try Self.cases { $0.limit = 30 }))
        let all = try Self.cases().map(\.id)
        #expect(limited.allSatisfy { all.contains($0.id) })
        let faults = Set(limited.map { $0.injections[0].fault })
        #expect(faults == Set(try Self.cases().map { $0.injections[0].fault }))
        #expect(limited != (try Self.cases { ($0.limit, $0.seed) = (30, 8) }))
    }

    @Test func `random cases have several faults and depend on the seed alone`() throws {
        let drawn = try Self.cases { $0.random = 50 }
        #expect(drawn.count == 50)
        #expect(drawn.allSatisfy { (1...3).contains($0.injections.count) })
        #expect(drawn.contains { $0.injections.count == 3 })
        #expect(drawn == (try Self.cases { $0.random = 50 }))
        #expect(drawn != (try Self.cases { ($0.random, $0.seed) = (50, 8) }))
    }

    @Test func `every case is a scenario that the reader accepts`() throws {
        let base = try Self.base()
        for item in try Self.cases() + Self.cases({ $0.random = 50 }) {
            let text = try base.text(of: item.injections)
            let scenario = try ScenarioReader.read(file: "\(item.id).yaml", text: text).get()
            #expect(scenario.id == item.id)
        }
    }

    /// A case has further tasks, so the events of a scenario that leaves out its only task must name it.
    @Test func `a case of a scenario with short forms names its task`() throws {
        let short = """
            scenario: A body
            network: { wifi: good-wifi }
            origin:
              /a: { size: 64KiB }
            steps:
              - data: /a
                wait: true
            timeline:
              - { when: didReceiveResponse, set: { wifi: down } }
              - { when: { event: didReceiveData, count: 2 }, set: { wifi: up } }
              - { when: { sinceStart: 1s }, set: { wifi: up } }
            expect:
              - succeeds: all
            """
        let scenario = try ScenarioReader.read(file: "case.yaml", text: try Self.base(short).text(of: [])).get()
        let read = try ScenarioReader.read(file: "case.yaml", text: short).get()
        #expect(scenario.timeline == read.timeline)
        #expect(Array(scenario.script.prefix(2)) == Array(read.script.prefix(2)))
    }

    /// Each task of the scenario may leave two dead connections in the pool, on every server.
    @Test func `tasks settle the pool of each server before the new one`() throws {
        let text = """
            scenario: Two servers
            origin:
              /a: { redirect: //third.test/c }
              //other.test/b: { size: 64KiB }
              //third.test/c: { size: 64KiB }
              faults: [{ at: requestHead, for: { request: 9 }, do: reset }]
            steps:
              - data: /a
                as: first
              - data: //other.test/b
                as: second
            expect:
              - succeeds: all
            """
        func added(_ fault: SweepFault) throws -> ArraySlice<ScriptStep> {
            let point = InjectionPoint(.request, .moment(.request(1)))
            let swept = try Self.base(text).text(of: [Injection(fault, point)])
            return try ScenarioReader.read(file: "case.yaml", text: swept).get().script.dropFirst(4)
        }
        func urls(_ steps: ArraySlice<ScriptStep>) -> [String] {
            steps.compactMap { if case .task(let task, body: _, _) = $0 { task.url } else { nil } }
        }
        let steps = try added(.drop)
        let new = ["api", "other", "third"].map { "http://\($0).test/after-the-fault" }
        #expect(urls(steps) == new.flatMap { [$0, $0, $0, $0] } + [new[0]])
        // The origin is correct from here on, and the settling tasks begin together.
        guard case .change(let changes)? = steps.first else { Issue.record("\(steps)"); return }
        #expect(changes.contains(.faults([])))
        #expect(urls(steps.dropFirst().prefix(12)).count == 12)
        // A connection that was reset is not in the pool any more.
        #expect(urls(try added(.stop)) == [new[0]])
    }

    @Test func `the new task makes the decision that lets a task succeed`() throws {
        let text = """
            scenario: Two decisions
            origin:
              tls: { certificate: selfSigned }
              /a: { text: "a" }
            steps:
              - { data: /a, as: first, challenge: cancel }
              - { data: /a, as: second, challenge: trust }
            expect:
              - completes: { task: first, error: cancelled }
            """
        let script = try ScenarioReader.read(file: "case.yaml", text: try Self.base(text).text(of: [])).get().script
        let recovery = script.compactMap { step -> TaskDescription? in
            if case .task(let task, body: _, _) = step, task.task == "recovery" { task } else { nil }
        }
        #expect(recovery.map(\.policies.challenges) == [[.serverTrust]])
    }

    /// Packets that wait for a radio when the network becomes good still stand before those of the new tasks.
    @Test func `the new tasks wait as long as packets of the link may be late`() throws {
        func timeouts(_ wifi: String) throws -> [Duration?] {
            let text = Self.text.replacing("good-wifi", with: wifi)
            let point = InjectionPoint(.request, .moment(.request(1)))
            let swept = try Self.base(text).text(of: [Injection(.drop, point)])
            let script = try ScenarioReader.read(file: "case.yaml", text: swept).get().script
            return script.compactMap { if case .task(let task, body: _, _) = $0 { .some(task.timeout) } else { nil } }
        }
        let slow = try timeouts("{ profile: lte, downlink: { promotion: { delay: 3s, idleTimeout: 500ms } } }")
        #expect(slow.count == 4 && slow[0] == nil)
        #expect(slow.dropFirst().allSatisfy { $0 ?? .zero >= .seconds(5) && $0 ?? .zero < .seconds(6) })
        #expect(try timeouts("good-wifi") == [nil, nil, nil, nil])
    }

    /// A case has a network of its own, because the good network follows the faults.
    @Test func `a scenario that excludes networks is swept`() throws {
        let text =
            Self.text.replacing("network: { wifi: good-wifi }\n", with: "")
            + "\nexcludes: [{ network: captive-portal, because: the portal answers for the server }]\n"
        _ = try ScenarioReader.read(file: "case.yaml", text: try Self.base(text).text(of: [])).get()
    }

    /// The run would wait for a moment that a fault prevents, since the task with the blocked callback cannot end.
    @Test func `a scenario that awaits no event while it blocks a callback is not swept`() throws {
        func blocking(_ awaited: String) throws -> SweepBase {
            try Self.base(
                """
                scenario: A blocked queue
                origin:
                  /a: { text: "a" }
                steps:
                  - { data: /a, as: first, blockCallback: didReceiveResponse }
                  - await: \(awaited)
                  - release: first
                  - await: { request: 1 }
                expect:
                  - completes: { task: first, error: none }
                """)
        }
        _ = try blocking("first.didReceiveResponse")
        #expect(throws: SweepError.self) { try blocking("{ request: 1 }") }
    }

    @Test(arguments: [
        "{ stream: \"api.test:80\", as: second }\n  - { readStream: second }",
        "{ app: suspend }\n  - await: { request: 1 }\n  - app: continue\nsession: { kind: background, identifier: a }",
        "{ app: crash }\n  - await: { request: 1 }\n  - app: launch\nsession: { kind: background, identifier: a }",
        "{ data: /a, as: second }\nnetwork: { cellular: lte, addresses: ipv6, nat64: { establishedTimeout: 1s } }",
    ])
    func `a scenario in which waiting does not end, or the network stays bad, is not swept`(rest: String) {
        let text = """
            scenario: Not swept
            origin:
              /a: { text: "a" }
            expect:
              - completes: { task: first, error: none }
            steps:
              - { data: /a, as: first }
              - \(rest)
            """
        #expect(throws: SweepError.self) { try Self.base(text) }
    }

    @Test func `unknown words are refused with the known ones`() {
        #expect(throws: SweepError.unknownFault("explode", known: SweepFault.allCases.map(\.rawValue))) {
            try SweepFault.parse(["reset", "explode"])
        }
        #expect(throws: SweepError.self) { try SweepPlan.phases(["nowhere"]) }
    }

    @Test func `a shard comes from the command line or from the variables of a job`() throws {
        func shard(_ text: String, _ environment: [String: String] = [:]) throws -> [Int] {
            let found = try SweepShard.parse(text, environment: environment)
            return [found.part, found.of]
        }
        #expect(try shard("2/5") == [2, 5])
        #expect(try shard("auto", ["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "4"]) == [1, 4])
        #expect(try shard("auto", ["CI_NODE_INDEX": "4", "CI_NODE_TOTAL": "4"]) == [4, 4])
        for text in ["0/5", "6/5", "1", "a/b", "1/2/3", "auto"] {
            #expect(throws: SweepError.self) { try shard(text) }
        }
        #expect(throws: SweepError.self) { try shard("auto", ["JOB_COMPLETION_INDEX": "0"]) }
        #expect(throws: SweepError.self) { try shard("auto", ["CI_NODE_INDEX": "5", "CI_NODE_TOTAL": "4"]) }
    }
}
