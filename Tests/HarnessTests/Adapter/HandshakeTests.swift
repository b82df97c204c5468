import AdapterProtocol
import Conformance
import Record
import ScenarioLanguage
import Testing

@testable import Harness

@Suite struct HandshakeTests {
    private static func hello(_ capabilities: [String: Bool]) -> SessionEvent {
        SessionEvent(
            sequence: 1, time: 0,
            kind: .hello(.init(name: "a", version: "1", language: "b"), capabilities: capabilities))
    }

    @Test func `the handshake queries a capability that does not exist`() {
        #expect(Handshake.questions.contains(Handshake.nonsense))
        #expect(Capability(rawValue: Handshake.nonsense) == nil)
        #expect(Handshake.questions.count == Capability.allCases.count + 1)
    }

    @Test func `an adapter with all needed capabilities may begin`() {
        #expect(Handshake.evaluate(Self.hello(["data": true, "tls": false]), needs: [.data]) == .accepted)
    }

    private static let redirected = """
        scenario: Follows a redirect
        origin:
          /a: { redirect: /b }
          /b: { text: "b" }
        steps:
          - data: /a
            as: first
          - await: first.didComplete
        expect:
          - redirect: { task: first, status: 302 }
          - request: { number: 2, path: /b }

        """

    private static func hello(_ capabilities: Set<Capability>, reports: ReportedEvents?) -> SessionEvent {
        let flags = Dictionary(uniqueKeysWithValues: capabilities.map { ($0.rawValue, true) })
        return SessionEvent(
            sequence: 1, time: 0,
            kind: .hello(.init(name: "a", version: "1", language: "b"), capabilities: flags, reports: reports))
    }

    @Test func `a client without a callback is asked on the wire`() throws {
        let scenario = try ScenarioReader.read(file: "f.yaml", text: Self.redirected).get()
        func verdict(_ capabilities: Set<Capability>, _ reports: ReportedEvents?) -> Handshake.Verdict {
            Handshake.evaluate(Self.hello(capabilities, reports: reports), for: scenario, profile: .urlsession)
        }
        #expect(verdict([.data, .followRedirects], ["didComplete"]) == .accepted)
        #expect(verdict([.data, .followRedirects], ["didComplete", "willPerformRedirect"]) == .accepted)
        #expect(verdict([.data], ["didComplete"]) == .unsupported("followRedirects"))
        // Without a list every event is expected, so the capabilities for reporting are needed.
        #expect(verdict([.data, .followRedirects], nil) == .unsupported("delegate, redirectDecision"))
        guard case .rejected(let reason) = verdict([.data, .followRedirects], ["didReceiveData"]) else {
            Issue.record("a list without didComplete was accepted")
            return
        }
        #expect(reason.contains("didComplete"))
    }

    @Test func `awaiting an event that the client cannot report is unsupported`() throws {
        let text = Self.redirected.replacing("await: first.didComplete", with: "await: first.didReceiveResponse")
        let scenario = try ScenarioReader.read(file: "f.yaml", text: text).get()
        let event = Self.hello([.data, .followRedirects], reports: ["didComplete"])
        let verdict = Handshake.evaluate(event, for: scenario, profile: .urlsession)
        #expect(
            verdict
                == .unsupported(
                    "the event first.didReceiveResponse, which the scenario awaits and the client does not report"))
    }

    @Test func `missing capabilities are named in order`() {
        let verdict = Handshake.evaluate(Self.hello(["data": true]), needs: [.upload, .data, .cache])
        #expect(verdict == .unsupported("cache, upload"))
    }

    @Test func `an adapter that claims the nonexistent capability is refused`() {
        guard case .rejected = Handshake.evaluate(Self.hello(["data": true, Handshake.nonsense: true]), needs: [.data])
        else {
            Issue.record("the false claim was accepted")
            return
        }
    }

    @Test func `an event before the reply is a violation and a log line is not`() {
        let log = SessionEvent(sequence: 1, time: 0, kind: .log("starting"))
        #expect(Handshake.evaluate(log, needs: []) == .pending)
        let early = SessionEvent(sequence: 1, time: 0, kind: .task("first", .willCacheResponse))
        guard case .rejected = Handshake.evaluate(early, needs: []) else {
            Issue.record("an early event was accepted")
            return
        }
    }
}
