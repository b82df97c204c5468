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
            "body: the origin has no bytes at `/helo`; did you mean `/hello`? Allowed: /hello"
        ),
        ("file: { task: first, equals: /hello, version: 2 }", "file: /hello has no version 2"),
    ])
    func `a check that cannot hold is its author's error`(check: String, message: String) throws {
        guard case .error(let reason) = try Run.plain().outcome(["completes: { task: first }", check]) else {
            Issue.record("not an error")
            return
        }
        #expect(reason.hasSuffix(message))
        #expect(reason.hasPrefix("test.yaml:"))
    }
}
