import Testing

@testable import AdapterProtocol

/// The session's proxy on the wire; the line is written out by hand, since adapters in other languages read it.
@Suite struct ProxyAddressTests {
    @Test func `a session's proxy is encoded as an object of its configuration and decoded again`() throws {
        var configuration = SessionConfiguration()
        configuration.proxy = ProxyAddress(kind: .socks5, host: "proxy.test", port: 1080, user: "ann", password: "pw")
        let command = AdapterCommand.makeSession(.main, configuration)
        let line = command.encodedLine(sequence: 1)
        let expected = #""proxy":{"host":"proxy.test","kind":"socks5","password":"pw","port":1080,"user":"ann"}"#
        #expect(String(decoding: line, as: UTF8.self).contains(expected))
        let decoded = try AdapterCommand.decode(line: line).command
        #expect(decoded == command)
    }

    @Test func `a scheme and exceptions are encoded and decoded again`() throws {
        var configuration = SessionConfiguration()
        configuration.proxy = ProxyAddress(kind: .http, host: "proxy.test", port: 3128)
        configuration.proxy?.scheme = .http
        configuration.proxy?.exceptions = ["a.test", "*.b.test"]
        let command = AdapterCommand.makeSession(.main, configuration)
        let line = command.encodedLine(sequence: 1)
        let expected =
            #""proxy":{"exceptions":["a.test","*.b.test"],"host":"proxy.test","kind":"http","port":3128,"scheme":"http"}"#
        #expect(String(decoding: line, as: UTF8.self).contains(expected))
        #expect(try AdapterCommand.decode(line: line).command == command)
    }

    @Test func `an unknown proxy kind is refused and the known kinds are listed`() {
        let line =
            #"{"v":2,"seq":1,"command":"makeSession","session":"main","configuration":{"kind":"default","proxy":{"kind":"ftp","host":"a","port":1}}}"#
        #expect(throws: WireError.self) { try AdapterCommand.decode(line: Array(line.utf8)) }
    }

    @Test func `a challenge states that it is a proxy's, that it is not, or neither`() throws {
        for isProxy in [true, false, nil] {
            let challenge = TaskEvent.Challenge(
                level: .task, method: "httpBasic", realm: nil, host: "proxy.test", previousFailureCount: 0,
                isProxy: isProxy)
            let event = SessionEvent(sequence: 1, time: 1, kind: .task("first", .didReceiveChallenge(challenge)))
            let decoded = try SessionEvent.decode(line: event.encodedLine())
            #expect(decoded == event)
        }
    }
}
