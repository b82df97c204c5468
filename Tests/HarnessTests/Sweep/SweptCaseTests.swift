import AdapterProtocol
import Conformance
import LinkEmulator
import Record
import ScenarioLanguage
import Testing

@testable import Harness

/// Tests the verdict on a run with several faults, by the time at which they happened.
@Suite struct SweptCaseTests {
    private static let down = Injection(
        .down, InjectionPoint(.uplink, .moment(.packet(.wifi, .uplink, count: 4))))
    private static let kill = Injection(
        .drop, InjectionPoint(.uplink, .moment(.packet(.wifi, .uplink, count: 40))))
    private static let newTask = RecordEntry.Fact.command(
        sequence: 9, text: AdapterCommand.resume("settling-1").summary)
    private static let mismatch = Mismatch(check: "completes", expected: "no error", found: "timedOut")
    private static let failure = Outcome.fail(.wrong, [mismatch])

    private static func happened(_ injection: Injection) -> RecordEntry.Fact {
        guard case .moment(let moment) = injection.point.place else { preconditionFailure("a moment was given") }
        return .step("timeline: \(Trigger(moment).summary)")
    }

    private static func verdict(_ facts: [RecordEntry.Fact], _ outcome: Outcome) -> SweptCase.Verdict {
        let entries = facts.enumerated().map { RecordEntry(time: Int64($0.offset), fact: $0.element) }
        let swept = SweptCase(
            SweepCase(id: "a", scenario: "a", injections: [down, kill]), outcome, record: entries,
            duration: .zero, file: "a.yaml")
        return swept.verdict
    }

    @Test func `a failure counts if every fault that happened came before the new task`() {
        #expect(
            Self.verdict([Self.happened(Self.down), Self.newTask], Self.failure)
                == .fail(FailureReason(.wrong, [Self.mismatch])))
    }

    @Test func `a failure of the new task does not count if a fault happened beside it`() {
        let facts = [Self.happened(Self.down), Self.newTask, Self.happened(Self.kill)]
        #expect(Self.verdict(facts, Self.failure) == .missed)
        #expect(Self.verdict(facts, .pass) == .pass)
    }

    /// Without the requests that a fault prevented, the scenario's own changes come later than they should.
    @Test func `a failure beside a late change of the scenario itself does not count`() {
        for step in ["timeline: request 2", "flapping: wifi down"] {
            let facts = [Self.happened(Self.down), Self.newTask, .step(step)]
            #expect(Self.verdict(facts, Self.failure) == .missed)
        }
        let facts = [Self.happened(Self.down), Self.newTask, .step("script 5: the moment")]
        #expect(Self.verdict(facts, Self.failure) == .fail(FailureReason(.wrong, [Self.mismatch])))
    }

    @Test func `a crash or wrong bytes count whenever the faults happened`() {
        let facts = [Self.happened(Self.down), Self.newTask, Self.happened(Self.kill)]
        let wrong = Mismatch(check: "received bytes", expected: "1 byte", found: "2 bytes")
        for outcome in [Outcome.fail(.crash, []), .fail(.wrong, [wrong]), .fail(.wrong, [Self.mismatch, wrong])] {
            guard case .fail(let kind, let mismatches) = outcome else { continue }
            #expect(Self.verdict(facts, outcome) == .fail(FailureReason(kind, mismatches)))
        }
    }

    @Test func `a fault at another request is not the injected one`() {
        let point = InjectionPoint(.request, .origin(.requestHead, Fault.Scope(request: 2)))
        let entries = [1, 2].map { request in
            RecordEntry(
                time: 0,
                fact: .server(
                    .fault(connection: 1, request: request, point: "\(Fault.Point.requestHead)", effect: "reset")))
        }
        let injection = Injection(.reset, point)
        #expect(!injection.isVisible(in: entries[..<1]))
        #expect(injection.isVisible(in: entries[...]))
    }

    @Test func `only a failure of the same check with the same finding is alike`() {
        func reason(_ check: String, _ found: String) -> FailureReason {
            FailureReason(.wrong, [Mismatch(check: check, expected: "none", found: found)])
        }
        let first = reason("completes", "timedOut after 2 s")
        #expect(first.isLike(reason("completes", "timedOut after 3 s")))
        #expect(!first.isLike(reason("body", "timedOut after 2 s")))
        #expect(!first.isLike(reason("completes", "cancelled")))
    }

    @Test func `a run without a fault before the new task proves nothing`() {
        #expect(Self.verdict([Self.newTask, Self.happened(Self.down)], .pass) == .missed)
    }
}
