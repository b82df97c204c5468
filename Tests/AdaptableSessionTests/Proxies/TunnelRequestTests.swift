import AdaptableSession
import Testing

@Suite struct TunnelRequestTests {
    private func response(_ text: String, bytewise: Bool = false) -> TunnelRequest.Action? {
        var request = TunnelRequest(host: "api.test", port: 443)
        _ = request.begin([:])
        guard bytewise else { return request.received(Array(text.utf8)) }
        var last: TunnelRequest.Action?
        for byte in text.utf8 where last == nil { last = request.received([byte]) }
        return last
    }

    private func text(_ action: TunnelRequest.Action) -> String {
        if case .send(let bytes) = action { String(decoding: bytes, as: UTF8.self) } else { "\(action)" }
    }

    @Test func `the request names the origin, and a header field cannot end it early`() {
        var request = TunnelRequest(host: "api.test", port: 443)
        #expect(
            text(request.begin(["Proxy-Authorization": "Basic YTpi", "X": "a\r\nHost: b"]))
                == "CONNECT api.test:443 HTTP/1.1\r\nHost: api.test:443\r\nProxy-Authorization: Basic YTpi\r\n\r\n")
        var six = TunnelRequest(host: "2001:db8::1", port: 8443)
        #expect(text(six.begin([:])).hasPrefix("CONNECT [2001:db8::1]:8443 HTTP/1.1\r\n"))
        #expect(six.target == "[2001:db8::1]:8443")
    }

    @Test func `any 2xx opens the tunnel, and the bytes after it come from the origin`() {
        #expect(response("HTTP/1.1 200 Connection established\r\n\r\n") == .established(rest: []))
        #expect(response("HTTP/1.0 204 x\r\nContent-Length: 99\r\n\r\nabc") == .established(rest: Array("abc".utf8)))
        #expect(response("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n") == .established(rest: []))
        #expect(response("HTTP/1.1 200 OK\nVia: x\n\n", bytewise: true) == .established(rest: []))
        #expect(response("HTTP/1.1 200 OK\r\nVia: x\r\n") == nil)
    }

    @Test func `endless informational responses are not read`() {
        let interim = "HTTP/1.1 102 Processing\r\n\r\n"
        let ok = "HTTP/1.1 200 OK\r\n\r\n"
        #expect(response(String(repeating: interim, count: 100) + ok) == .established(rest: []))
        let failure = TunnelRequest.Action.failed("the proxy sends too many informational responses")
        #expect(response(String(repeating: interim, count: 101) + ok) == failure)
        let long = "HTTP/1.1 103 Early Hints\r\nX: \(String(repeating: "x", count: 10_000))\r\n\r\n"
        #expect(response(String(repeating: long, count: 6) + ok) == .established(rest: []))
        #expect(response(String(repeating: long, count: 7) + ok) == failure)
        #expect(
            response(String(repeating: long, count: 6) + "HTTP/1.1 200 " + String(repeating: " ", count: 10_000))
                == .failed("the proxy's response head is too long"))
    }

    @Test func `a refusal is read completely if it has a length`() {
        let fields: HeaderFields = ["Proxy-Authenticate": "Basic realm=\"x\"", "Content-Length": "3"]
        for bytewise in [false, true] {
            #expect(
                response(
                    "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 3\r\n\r\nabc",
                    bytewise: bytewise)
                    == .refused(status: 407, fields: fields, canRepeat: true))
        }
        #expect(response("HTTP/1.1 502 Bad\r\n\r\n") == .refused(status: 502, fields: [:], canRepeat: false))
        #expect(
            response("HTTP/1.1 407 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                == .refused(status: 407, fields: ["Connection": "close", "Content-Length": "0"], canRepeat: false))
        #expect(
            response("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n")
                == .refused(status: 302, fields: ["Content-Length": "0"], canRepeat: true))
    }

    @Test func `a response that is not HTTP, is endless or ends too early is an error`() {
        for bytes in [
            "SSH-2.0-x\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 20 x\r\n\r\n", String(repeating: "x", count: 70_000),
        ] {
            guard case .failed = response(bytes) else {
                Issue.record("\(bytes.prefix(20)) was taken for an answer")
                continue
            }
        }
        var request = TunnelRequest(host: "a", port: 1)
        _ = request.begin([:])
        #expect(request.closed() == .failed("the proxy closed the connection instead of opening the tunnel"))
        #expect(request.closed() == nil)
    }
}
