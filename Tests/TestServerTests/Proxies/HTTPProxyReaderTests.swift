import Record
import AdapterProtocol
import NIOCore
import Testing

@testable import TestServer

/// The forwarded bytes are compared exactly: one hop-by-hop field too many is a leak, one too few breaks the request.
@Suite struct HTTPProxyReaderTests {
    private func read(_ text: String) -> (step: HTTPProxyReader.Step, rest: String) {
        var reader = HTTPProxyReader(name: "front")
        var input = ByteBuffer(string: text)
        let step = reader.next(&input)
        return (step, String(buffer: input))
    }

    @Test func `CONNECT requests a tunnel, and the bytes after it belong to the tunnel`() {
        let (step, rest) = read("CONNECT api.test:443 HTTP/1.1\r\nHost: api.test:443\r\n\r\n\u{16}\u{3}")
        guard case .request(let request) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(
            request.form == .connect && request.target == ProxyTarget(host: "api.test", port: 443)
                && request.preface.isEmpty)
        #expect(rest == "\u{16}\u{3}")
    }

    @Test func `an absolute-form request is forwarded in origin form without hop-by-hop fields`() {
        let (step, rest) = read(
            "POST http://api.test:8080/a?b HTTP/1.1\r\nHost: other\r\nProxy-Authorization: Basic x\r\nConnection: X-Hop\r\nX-Hop: 1\r\n"
                + "Accept: */*\r\nContent-Length: 2\r\n\r\nhi")
        guard case .request(let request) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(
            String(decoding: request.preface, as: UTF8.self)
                == "POST /a?b HTTP/1.1\r\nHost: api.test:8080\r\nAccept: */*\r\nContent-Length: 2\r\nVia: 1.1 front\r\nConnection: close\r\n\r\n"
        )
        #expect(request.hasBody && rest == "hi")
    }

    @Test(arguments: [
        "GET / HTTP/1.1", "GET https://api.test/ HTTP/1.1", "CONNECT api.test HTTP/1.1", "CONNECT api.test:0 HTTP/1.1",
    ])
    func `a request that a proxy cannot handle is refused with 400`(_ line: String) {
        guard case .bad(let bad) = read("\(line)\r\nHost: api.test\r\n\r\n").step else {
            Issue.record("\(line) must be refused")
            return
        }
        #expect(bad.status == 400)
    }

    @Test func `targets have names, addresses and ports`() {
        #expect(ProxyTarget(authority: "[2001:db8::1]:443") == ProxyTarget(host: "2001:db8::1", port: 443))
        #expect(ProxyTarget(authority: "2001:db8::1:443") == nil)
        #expect(ProxyTarget.absolute("HTTP://a.test?q")?.path == "/?q")
        #expect(ProxyTarget.absolute("http://[::1]:81/x")?.target == ProxyTarget(host: "::1", port: 81))
        // RFC 9110 §4.2.4 and §7.1: user information and a fragment are not sent.
        #expect(ProxyTarget.absolute("http://u@a.test/x") == nil)
        #expect(ProxyTarget.absolute("http://a.test/x#y") == nil)
        #expect(ProxyTarget.absolute("http:///x") == nil)
    }
}
