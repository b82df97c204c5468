import Foundation
import Testing

@testable import AdaptableSession

/// A byte hidden by percent encoding in a host would end the host in a request line, in CONNECT, or in the parser of a
/// proxy.
@Suite struct WebOriginTests {
    @Test(arguments: [
        ("http://Api.Test/x", "api.test"), ("https://api.test./", "api.test"), ("http://a_b-c.test", "a_b-c.test"),
        ("http://192.0.2.1:8080/", "192.0.2.1"), ("http://[2001:DB8::1]/", "2001:db8::1"),
        ("http://[fe80::1%25wlan0]/", "fe80::1%wlan0"),
        ("http://api%2Etest/", "api.test"),
    ])
    func `names and addresses are valid hosts`(text: String, host: String) throws {
        #expect(WebOrigin(try #require(URL(string: text)))?.host == host)
    }

    @Test(arguments: [
        "0D", "0A", "00", "20", "09", "2F", "3F", "23", "40", "5C", "25", "3C", "3E", "7F", "5B", "5D", "5E", "7C",
        "22", "3A",
    ])
    func `a host with an encoded delimiter is refused`(hidden: String) throws {
        let url = try #require(URL(string: "http://api.test%\(hidden)x.test/y"))
        #expect(WebOrigin(url) == nil)
    }

    @Test(arguments: [
        ("http://h.test", 80), ("https://h.test/", 443), ("http://h.test:/", 80), ("http://h.test:0", 0),
        ("https://h.test:65535/", 65_535),
        ("http://u:65536@h.test/", 80), ("http://u@1.test:0081/", 81), ("http://[::1]:8080/", 8080),
        ("http://h.test/a:65536", 80),
        ("http://h.test?a:65536", 80), ("http://u:1@4:8080/", 8080), ("http://u:65536@127.0.0.1/", 80),
    ])
    func `the port comes from the URL or is the default of the scheme`(text: String, port: Int) throws {
        #expect(WebOrigin(try #require(URL(string: text)))?.port == port)
    }

    /// Foundation returns nil for a port that Int cannot hold, which must not lead to the default port of the scheme.
    @Test(arguments: [
        "65536", "99999", "9223372036854775807", "9223372036854775808", "18446744073709551617",
        "99999999999999999999999", "000000000000000000065536",
    ])
    func `a port that TCP does not have is refused`(port: String) throws {
        for scheme in ["http", "https"] {
            for place in [
                "h.test:\(port)", "[::1]:\(port)/", "u:p@h.test:\(port)/x?y", "h.test:\(port)?y:80", "h.test:\(port)#y",
            ] {
                #expect(WebOrigin(try #require(URL(string: "\(scheme)://\(place)"))) == nil, "\(place)")
            }
        }
    }

    @Test func `a host with a colon must be an IPv6 address`() throws {
        for text in ["http://api.test%3A443/", "http://a%3Ab/"] {
            #expect(WebOrigin(try #require(URL(string: text))) == nil, "\(text)")
        }
    }
}
