import AdapterProtocol
import Record
import ScenarioLanguage
import Testing

@testable import Conformance

/// Checks that only a client with kept connections, or with delivery as bytes arrive, can fulfil. They must not exclude
/// clients that do not list their events, because these do not know the capabilities.
@Suite struct ListedCapabilityTests {
    private static func needs(_ expect: String, _ reports: ReportedEvents?, steps: String = "") throws -> Set<
        Capability
    > {
        let text = """
            scenario: Two tasks
            origin:
              /a: { text: a }
            steps:
              - data: /a
                as: first
            \(steps)
              - data: /a
                as: second
            expect:
              - \(expect)
            """
        let scenario = try ScenarioReader.read(file: "f.yaml", text: text).get()
        return scenario.needs(of: .urlsession, reports: reports).intersection([.connectionReuse, .incrementalData])
    }

    private static let all = ReportedEvents(Set(ReportedEvents.known))

    @Test(
        arguments: [
            ("connections: { count: 1 }", Set<Capability>([.connectionReuse])),
            ("connections: { atMost: 1 }", [.connectionReuse]), ("connections: { count: 2 }", []),
            ("connections: { atLeast: 1 }", []), ("connections: { count: 0 }", []),
            ("request: { number: 2, sameConnectionAs: 1 }", [.connectionReuse]),
            ("request: { number: 2, connection: 1 }", [.connectionReuse]),
            ("request: { number: 2, connection: 2 }", []),
            ("request: { number: 2, differentConnectionFrom: 1 }", []),
            ("count: { event: first.didReceiveData, atLeast: 2 }", [.incrementalData]),
            ("count: { event: first.didReceiveData, equals: 0 }", []),
            ("count: { event: first.didComplete, equals: 1 }", []),
            ("timing: { from: first.didReceiveData, to: first.didComplete, atLeast: 1s }", [.incrementalData]),
            ("timing: { from: start, to: first.didComplete, atLeast: 1s }", []),
            ("body: { task: first, text: \"a\" }", []),
        ] as [(String, Set<Capability>)])
    func `reuse and delivery in pieces are asked only of clients that list their events`(
        _ expect: String, _ needs: Set<Capability>
    ) throws {
        #expect(try Self.needs(expect, Self.all) == needs)
        #expect(try Self.needs(expect, nil) == [])
    }

    @Test func `only a check of a listed task's sizes needs hints of the transfer size`() throws {
        func needs(_ check: String) throws -> Set<Capability> {
            let text = """
                scenario: A listed task
                origin:
                  /a: { text: a }
                steps:
                  - data: /a
                    as: first
                  - listTasks: main
                expect:
                  - listed: \(check)
                """
            let scenario = try ScenarioReader.read(file: "f.yaml", text: text).get()
            return scenario.needs(of: .urlsession, reports: Self.all).intersection([.taskList, .transferSizeHints])
        }
        #expect(try needs("{ task: first, state: running }") == [.taskList])
        #expect(try needs("{ task: first, expectsToReceive: 1 }") == [.taskList, .transferSizeHints])
    }

    @Test func `awaiting data needs its delivery when it arrives`() throws {
        let steps = "  - await: first.didReceiveData"
        #expect(try Self.needs("requests: { count: 2 }", Self.all, steps: steps) == [.incrementalData])
        #expect(try Self.needs("requests: { count: 2 }", nil, steps: steps) == [])
    }
}
