import Foundation
import Testing

@testable import AdaptableSession

/// What a percent sign hides in a host would end it in a request line, in CONNECT, or in the parser of a proxy.
@Suite struct WebOriginTests {
    @Test(arguments: [
        ("http://Api.Test/x", "api.test"), ("https://api.test./", "api.test"), ("http://a_b-c.test", "a_b-c.test"),
        ("http://192.0.2.1:8080/", "192.0.2.1"), ("http://[2001:DB8::1]/", "2001:db8::1"), ("http://[fe80::1%25wlan0]/", "fe80::1%wlan0"),
        ("http://api%2Etest/", "api.test"),
    ])
    func `names and addresses are hosts`(text: String, host: String) throws {
        #expect(WebOrigin(try #require(URL(string: text)))?.host == host)
    }

    @Test(arguments: ["0D", "0A", "00", "20", "09", "2F", "3F", "23", "40", "5C", "25", "3C", "3E", "7F", "5B", "5D", "5E", "7C", "22", "3A"])
    func `a byte that ends a host elsewhere makes none`(hidden: String) throws {
        let url = try #require(URL(string: "http://api.test%\(hidden)x.test/y"))
        #expect(WebOrigin(url) == nil)
    }

    @Test func `an address with a colon has to be one`() throws {
        for text in ["http://api.test%3A443/", "http://a%3Ab/"] { #expect(WebOrigin(try #require(URL(string: text))) == nil, "\(text)") }
    }
}
