import AdapterProtocol
import Testing

@testable import Harness

@Suite struct HandshakeTests {
    private static func hello(_ capabilities: [String: Bool]) -> SessionEvent {
        SessionEvent(
            sequence: 1, time: 0,
            kind: .hello(.init(name: "a", version: "1", language: "b"), capabilities: capabilities))
    }

    @Test func `the questions hold one that nobody can answer with yes`() {
        #expect(Handshake.questions.contains(Handshake.nonsense))
        #expect(Capability(rawValue: Handshake.nonsense) == nil)
        #expect(Handshake.questions.count == Capability.allCases.count + 1)
    }

    @Test func `an adapter that has what is needed may begin`() {
        #expect(Handshake.judge(Self.hello(["data": true, "tls": false]), needs: [.data]) == .begins)
    }

    @Test func `what is missing is named in order`() {
        let verdict = Handshake.judge(Self.hello(["data": true]), needs: [.upload, .data, .cache])
        #expect(verdict == .unsupported("cache, upload"))
    }

    @Test func `an adapter that claims the made-up capability lies, whatever else it has`() {
        guard case .lies = Handshake.judge(Self.hello(["data": true, Handshake.nonsense: true]), needs: [.data]) else {
            Issue.record("the lie was believed")
            return
        }
    }

    @Test func `an event before the answer is a violation and a log line is not`() {
        let log = SessionEvent(sequence: 1, time: 0, kind: .log("starting"))
        #expect(Handshake.judge(log, needs: []) == .waits)
        let early = SessionEvent(sequence: 1, time: 0, kind: .task("first", .willCacheResponse))
        guard case .lies = Handshake.judge(early, needs: []) else {
            Issue.record("an early event was let pass")
            return
        }
    }
}
