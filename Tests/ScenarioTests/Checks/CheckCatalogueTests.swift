import AdapterProtocol
import Testing

@testable import Scenario

@Suite struct CheckCatalogueTests {
    @Test func `no two checks have one key, and each says what it is`() {
        let keys = CheckCatalogue.all.map { $0.key }
        #expect(Set(keys).count == keys.count)
        for check in CheckCatalogue.all { #expect(check.summary.hasSuffix("."), "\(check.key)") }
    }

    /// An implementation without resume data passes `resumeData: absent` for want of them: that would prove nothing.
    @Test(arguments: [
        ("completes: { task: first, resumeData: absent }", Capability.resumeData),
        ("count: { event: first.didWriteData, atLeast: 1 }", .downloadProgress),
        ("order: [first.taskIsWaitingForConnectivity, first.didComplete]", .waitsForConnectivity),
        ("waits: { task: first }", .waitsForConnectivity),
        ("progress: { task: first, kind: upload, final: 1 }", .uploadProgress),
        ("inspected: { task: first, state: running }", .inspectTask),
        ("cached: { task: first, found: false }", .cacheLookup),
        ("progressRead: { task: first, percent: 1 }", .progress),
        ("progressWatched: { task: first, values: 1 }", .progress),
        ("invalidated: { session: main }", .invalidate), ("redirect: { task: first, status: 302 }", .redirectDecision),
    ])
    func `a check needs what it asks about`(check: String, capability: Capability) throws {
        #expect(try Run().scenario([check]).needs.contains(capability))
    }

    @Test(arguments: [
        "never: first.taskIsWaitingForConnectivity", "count: { event: first.taskIsWaitingForConnectivity, equals: 0 }",
    ])
    func `who cannot tell an event may be asked not to`(check: String) throws {
        #expect(try !Run().scenario([check]).needs.contains(.waitsForConnectivity))
    }

    @Test(arguments: [
        (
            "body: { task: first, equals: /helo }",
            "the origin has no bytes at `/helo`; did you mean `/hello`? Allowed: /hello"
        ),
        ("file: { task: first, equals: /hello, version: 2 }", "/hello has no version 2"),
    ])
    func `a check that cannot hold is its author's error, at its line`(check: String, message: String) {
        let error = #expect(throws: ScenarioErrors.self) {
            try Run.plain().scenario(["completes: { task: first }", check])
        }
        #expect(error?.errors.map { "\($0)" } == ["test.yaml:11:1: \(message)"])
    }

    /// A scenario that no reader saw is refused by the judge itself: nobody is blamed for it.
    @Test func `a check that cannot hold blames nobody`() throws {
        let run = Run.plain()
        var scenario = try run.scenario(["body: { task: first, equals: /hello }"])
        #expect(Judge.outcome(scenario: scenario, entries: run.entries) == .pass)
        scenario.origin.routes = []
        guard case .error(let reason) = Judge.outcome(scenario: scenario, entries: run.entries) else {
            Issue.record("not an error")
            return
        }
        #expect(
            reason.hasPrefix("test.yaml:") && reason.contains("body: the origin has no bytes at `/hello`"), "\(reason)")
    }
}
