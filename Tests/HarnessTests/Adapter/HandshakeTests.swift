import AdapterProtocol
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
