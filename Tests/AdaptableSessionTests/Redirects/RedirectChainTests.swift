import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

/// Expected values come from RFC 9110 §15.4 and §10.2.2, not from the behaviour of a client.
struct RedirectChainTests {
    private func request(_ url: String, _ method: String = "GET", _ fields: [String: String] = [:], body: String? = nil)
        throws -> URLRequest
    {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    private func step(
        _ status: Int, _ location: String, _ request: URLRequest, _ policy: RedirectPolicy = RedirectPolicy()
    ) throws -> RedirectStep {
        var chain = RedirectChain(policy: policy)
        guard
            case .propose(let step) = chain.evaluate(status: status, fields: ["Location": location], answering: request)
        else {
            throw NotProposed()
        }
        return step
    }

    private struct NotProposed: Error {}

    @Test(arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"), (308, "POST", "POST"),
        (301, "PUT", "PUT"), (302, "DELETE", "DELETE"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"),
        (301, "HEAD", "HEAD"), (302, "GET", "GET"),
    ])
    func `the method depends on the status code, and the body on the method`(
        status: Int, method: String, expected: String
    ) throws {
        let body = ["GET", "HEAD"].contains(method) ? nil : "a=1"
        let old = try request("http://h.test/a", method, ["Content-Type": "text/plain", "X": "1"], body: body)
        let step = try step(status, "/b", old)
        #expect(step.request.httpMethod == expected)
        #expect(step.request.httpBody == (expected == method ? old.httpBody : nil))
        #expect(step.sendsBody == (expected == method))
        #expect((step.request.value(forHTTPHeaderField: "Content-Type") != nil) == (expected == method))
        #expect(step.request.value(forHTTPHeaderField: "X") == "1")
    }

    @Test(arguments: [
        ("/c", "http://h.test/c#f"), ("?q=2", "http://h.test/a/b?q=2#f"), ("../x", "http://h.test/x#f"),
        ("//o.test/x", "http://o.test/x#f"),
        ("/c#g", "http://h.test/c#g"), ("#g", "http://h.test/a/b?q=1#g"),
        ("/a b/\u{FC}", "http://h.test/a%20b/%C3%BC#f"),
        ("http://u:p@o.test/", "http://o.test/#f"), ("//u@h.test/y", "http://h.test/y#f"),
    ])
    func `a Location is resolved, inherits the fragment and loses its user`(location: String, expected: String) throws {
        let step = try step(302, location, request("http://h.test/a/b?q=1#f"))
        #expect(step.request.url?.absoluteString == expected)
    }

    @Test func `a relative Location keeps the client's own user information`() throws {
        #expect(
            try step(302, "/c", request("http://u:p@h.test/a")).request.url?.absoluteString == "http://u:p@h.test/c")
    }

    @Test(arguments: [
        ("http://h.test/b", false), ("HTTP://H.test:80/b", false), ("http://o.test/b", true),
        ("http://h.test:81/b", true),
        ("https://h.test/b", true), ("http://sub.h.test/b", true),
    ])
    func `credentials are sent to their origin only`(location: String, crosses: Bool) throws {
        let old = try request(
            "http://h.test/a", "GET", ["Authorization": "Bearer t", "cookie": "s=1", "Host": "v.test", "X": "1"])
        let step = try step(307, location, old)
        #expect(step.crossesOrigin == crosses)
        for name in ["Authorization", "Cookie", "Host"] {
            #expect((step.request.value(forHTTPHeaderField: name) == nil) == crosses, "\(name)")
        }
        #expect(step.request.value(forHTTPHeaderField: "X") == "1")
        #expect(step.withheldFields.contains("authorization") == crosses)
    }

    @Test func `credentials dropped for another origin are not sent after a redirect back`() throws {
        var chain = RedirectChain()
        let first = try request("http://h.test/a", "GET", ["Authorization": "t"])
        guard
            case .propose(let there) = chain.evaluate(
                status: 302, fields: ["Location": "http://o.test/"], answering: first),
            case .propose(let back) = chain.evaluate(
                status: 302, fields: ["Location": "http://h.test/"], answering: there.request)
        else { throw NotProposed() }
        #expect(back.withheldFields.contains("authorization"))
        #expect(back.request.value(forHTTPHeaderField: "Authorization") == nil)
    }

    @Test(arguments: [200, 201, 300, 304, 305, 306, 404])
    func `other status codes are results`(status: Int) throws {
        var chain = RedirectChain()
        guard
            case .deliver = chain.evaluate(
                status: status, fields: ["Location": "/b"], answering: try request("http://h.test/a"))
        else {
            throw NotProposed()
        }
        #expect(chain.count == 0)
    }

    @Test(arguments: [
        "", "http://[bad", "http://h.test:99999/", "http://h.test:18446744073709551617/",
        "//h.test:99999999999999999999",
    ])
    func `without a usable Location the redirect is the result, or an error under another policy`(location: String)
        throws
    {
        var chain = RedirectChain()
        let old = try request("http://h.test/a")
        guard case .deliver = chain.evaluate(status: 302, fields: ["Location": location], answering: old) else {
            throw NotProposed()
        }
        var strict = RedirectPolicy()
        strict.withoutLocation = .failed
        chain = RedirectChain(policy: strict)
        guard case .fail(let code, _) = chain.evaluate(status: 302, fields: ["Location": location], answering: old)
        else { throw NotProposed() }
        #expect(code == .redirectToNonExistentLocation)
    }

    @Test(arguments: ["ftp://h.test/x", "file:///etc/passwd", "mailto:x", "http:///p"])
    func `only http and https with a host are followed`(location: String) throws {
        var chain = RedirectChain()
        guard
            case .fail(let code, _) = chain.evaluate(
                status: 302, fields: ["Location": location], answering: try request("http://h.test/a"))
        else { throw NotProposed() }
        #expect(code == .unsupportedURL)
    }

    @Test func `a Location whose host hides a line end is not followed`() throws {
        var chain = RedirectChain()
        let verdict = chain.evaluate(
            status: 302, fields: ["Location": "http://a.test%0D%0AX%3A%20y/x"],
            answering: try request("http://h.test/a"))
        guard case .fail(let code, _) = verdict else { throw NotProposed() }
        #expect(code == .badURL)
    }

    @Test func `proxy-Authorization does not depend on the origin and is kept`() throws {
        var chain = RedirectChain()
        var old = try request("http://h.test/a")
        old.setValue("Basic x", forHTTPHeaderField: "Proxy-Authorization")
        guard
            case .propose(let step) = chain.evaluate(
                status: 302, fields: ["Location": "http://o.test/b"], answering: old)
        else {
            throw NotProposed()
        }
        #expect(step.request.value(forHTTPHeaderField: "Proxy-Authorization") == "Basic x")
        #expect(!step.withheldFields.contains("proxy-authorization"))
    }

    @Test func `the chain ends after its limit`() throws {
        var chain = RedirectChain()
        let old = try request("http://h.test/a")
        for _ in 0..<20 {
            guard case .propose = chain.evaluate(status: 302, fields: ["Location": "/a"], answering: old) else {
                throw NotProposed()
            }
        }
        guard case .fail(let code, let reason) = chain.evaluate(status: 302, fields: ["Location": "/a"], answering: old)
        else { throw NotProposed() }
        #expect(code == .httpTooManyRedirects)
        #expect(reason.contains("20"))
    }

    @Test func `a redirect from https to http is followed`() throws {
        #expect(try step(302, "http://h.test/a", try request("https://h.test/a")).crossesOrigin)
    }

    @Test func `each policy changes the behaviour that it describes`() throws {
        let post = try request("http://h.test/a#f", "POST", ["Content-Type": "x", "Authorization": "t"], body: "b")
        var policy = RedirectPolicy()
        policy.dropsContentFieldsWithBody = false
        #expect(try step(302, "/b", post, policy).request.value(forHTTPHeaderField: "Content-Type") == "x")
        policy = RedirectPolicy()
        policy.sendsBodyAgain = false
        #expect(try step(307, "/b", post, policy).request.httpBody == nil)
        policy = RedirectPolicy()
        policy.dropsCredentialsAcrossOrigins = false
        #expect(try step(307, "http://o.test/", post, policy).request.value(forHTTPHeaderField: "Authorization") == "t")
        policy = RedirectPolicy()
        policy.inheritsFragment = false
        #expect(try step(307, "/b", post, policy).request.url?.fragment == nil)
        policy = RedirectPolicy()
        policy.removesUserInformation = false
        #expect(try step(307, "http://u:p@o.test/", post, policy).request.url?.user == "u")
        policy = RedirectPolicy()
        policy.everythingBecomesGet = [307]
        #expect(try step(307, "/b", post, policy).request.httpMethod == "GET")
        policy = RedirectPolicy()
        policy.followed = []
        #expect(throws: NotProposed.self) { try step(302, "/b", post, policy) }
        policy = RedirectPolicy()
        policy.regeneratedAcrossOrigins = []
        let hosted = try request("http://h.test/", "GET", ["Host": "v.test"])
        #expect(try step(302, "http://o.test/", hosted, policy).request.value(forHTTPHeaderField: "Host") == "v.test")
        policy = RedirectPolicy()
        policy.keepsHead = false
        #expect(try step(303, "/b", request("http://h.test/", "HEAD"), policy).request.httpMethod == "GET")
    }
}
