@testable import Record
import AdapterProtocol
import Testing

@testable import ScenarioLanguage
@testable import Conformance

@Suite struct CheckCatalogueTests {
    @Test func `each check has a unique key and a summary`() {
        let keys = CheckCatalogue.all.map { $0.key }
        #expect(Set(keys).count == keys.count)
        for check in CheckCatalogue.all { #expect(check.summary.hasSuffix("."), "\(check.key)") }
    }

    /// An implementation without resume data always passes `resumeData: absent`, which would prove nothing.
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
    func `a check needs the capability that it tests`(check: String, capability: Capability) throws {
        #expect(try Run().scenario([check]).needs.contains(capability))
    }

    @Test(arguments: [
        "never: first.taskIsWaitingForConnectivity", "count: { event: first.taskIsWaitingForConnectivity, equals: 0 }",
    ])
    func `a check for the absence of an event does not need its capability`(check: String) throws {
        #expect(try !Run().scenario([check]).needs.contains(.waitsForConnectivity))
    }

    @Test(arguments: [
        (
            "body: { task: first, equals: /helo }",
            "the origin does not serve a body at `/helo`; did you mean `/hello`? Allowed: /hello"
        ),
        ("file: { task: first, equals: /hello, version: 2 }", "/hello has no version 2"),
    ])
    func `a check that cannot hold is an error of the scenario at its line`(check: String, message: String) {
        let error = #expect(throws: ScenarioErrors.self) {
            try Run.plain().scenario(["completes: { task: first }", check])
        }
        #expect(error?.errors.map { "\($0)" } == ["test.yaml:11:1: \(message)"])
    }

    /// The judge itself refuses such a scenario if the reader did not check it; it is not a failure of the
    /// implementation.
    @Test func `a check that cannot hold is an error, not a failure of the implementation`() throws {
        let run = Run.plain()
        var scenario = try run.scenario(["body: { task: first, equals: /hello }"])
        #expect(Judge.outcome(scenario: scenario, entries: run.entries) == .pass)
        scenario.origin.routes = []
        guard case .error(let reason) = Judge.outcome(scenario: scenario, entries: run.entries) else {
            Issue.record("not an error")
            return
        }
        #expect(
            reason.hasPrefix("test.yaml:") && reason.contains("body: the origin does not serve a body at `/hello`"),
            "\(reason)")
    }

    @Test func `a check can name only a declared class`() {
        func diagnostic(_ classes: String, _ check: String) -> String {
            let setup =
                "origin: { /hello: { text: hello } }\nsession: { \(classes) }\nsteps:\n  - { data: /hello, as: first }"
            do {
                _ = try Run(setup).scenario([check])
                return "none"
            } catch { return "\(error)" }
        }
        #expect(
            diagnostic("kind: default", "protocolClass: { task: first }").contains("write `protocolClasses:` there"))
        #expect(
            diagnostic("protocolClasses: { scheme: http, response: hi }", "protocolClass: { task: first, class: 2 }")
                .contains("has one class"))
        #expect(
            diagnostic("protocolClasses: { scheme: http, response: hi }", "protocolClass: { task: first }") == "none")
    }
}
