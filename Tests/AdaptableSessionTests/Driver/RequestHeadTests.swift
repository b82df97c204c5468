import Foundation
import FoundationNetworking
import NIOHTTP1
import Testing

@testable import AdaptableSession

@Suite struct RequestHeadTests {
    private func head(
        _ text: String, method: String = "GET", fields: HeaderFields = HeaderFields(), length: Int64? = nil,
        hasBody: Bool = false
    ) throws -> (uri: String, headers: [String: [String]]) {
        let url = try #require(URL(string: text))
        var request = URLRequest(url: url)
        request.httpMethod = method
        let head = RequestHead.make(
            request, url: url, fields: fields, bodyLength: length, hasBody: hasBody, isAbsolute: false)
        var headers: [String: [String]] = [:]
        for (name, value) in head.headers { headers[name, default: []].append(value) }
        return (head.uri, headers)
    }

    @Test func `path and query are sent as encoded, and an empty path becomes a slash`() throws {
        #expect(try head("http://a.test").uri == "/")
        #expect(try head("http://a.test?x=%20y").uri == "/?x=%20y")
        #expect(try head("http://a.test/p%2Fq/r?s=1#part").uri == "/p%2Fq/r?s=1")
    }

    @Test func `the request target for a proxy omits user and fragment and is the one that Digest signs`() throws {
        for (text, target) in [
            ("http://joe:secret@a.test/file?q#part", "http://a.test/file?q"), ("http://a.test", "http://a.test/"),
            ("http://a.test:80/x", "http://a.test/x"), ("http://a.test:81/x", "http://a.test:81/x"),
        ] {
            let url = try #require(URL(string: text))
            #expect(RequestHead.absoluteTarget(of: url) == target)
            let head = RequestHead.make(
                URLRequest(url: url), url: url, fields: HeaderFields(), bodyLength: nil, hasBody: false,
                isAbsolute: true)
            #expect(head.uri == target)
        }
    }

    @Test func `a value that would break the head is detected before sending`() {
        #expect(RequestHead.fault(method: "M-SEARCH", fields: ["X-A": "tab\tand é"]) == nil)
        for method in ["", "GET /", "GE\nT"] {
            #expect(RequestHead.fault(method: method, fields: HeaderFields()) != nil, "\(method)")
        }
        for (name, value) in [
            ("", "x"), ("X A", "x"), ("X:", "x"), ("X", "a\n"), ("X", "a\r\nY: b"), ("X", "\0"), ("X", "\u{7F}"),
        ] {
            #expect(RequestHead.fault(method: "GET", fields: [name: value]) != nil, "\(name)")
        }
    }

    @Test func `Host contains only a non-default port, and an IPv6 address in brackets`() throws {
        #expect(try head("http://a.test:80/").headers["Host"] == ["a.test"])
        #expect(try head("https://a.test:80/").headers["Host"] == ["a.test:80"])
        #expect(try head("http://[2001:db8::1]:8080/").headers["Host"] == ["[2001:db8::1]:8080"])
    }

    @Test func `the application's fields are sent except those about the connection`() throws {
        let made = try head(
            "http://a.test/", method: "PUT",
            fields: [
                "User-Agent": "mine", "Host": "elsewhere", "Content-Length": "99", "Transfer-Encoding": "chunked",
            ], length: 5,
            hasBody: true)
        #expect(made.headers["User-Agent"] == ["mine"])
        #expect(made.headers["Host"] == ["a.test"])
        #expect(made.headers["Content-Length"] == ["5"])
        #expect(made.headers["Transfer-Encoding"] == nil)
    }

    @Test func `a body of unknown length is chunked, and a POST without a body sends length zero`() throws {
        let chunked = try head("http://a.test/", method: "POST", hasBody: true)
        #expect(chunked.headers["Transfer-Encoding"] == ["chunked"])
        #expect(chunked.headers["Content-Length"] == nil)
        #expect(try head("http://a.test/", method: "POST").headers["Content-Length"] == ["0"])
        #expect(try head("http://a.test/").headers["Content-Length"] == nil)
    }
}
