import Testing

@testable import ScenarioLanguage
@testable import Conformance

@Suite struct ParsedURLTests {
    @Test(arguments: [
        ("http://API.test/big?x=/y#z", "http", "api.test", "", "/big"),
        ("https://[2001:db8::1]:8443", "https", "[2001:db8::1]", "8443", "/"),
        ("http://[2001:db8::1]/a", "http", "[2001:db8::1]", "", "/a"), ("//other.test/x", "", "other.test", "", "/x"),
        ("/x?y", "", "", "", "/x"), ("http://user:pw@h:80/x", "http", "h", "80", "/x"),
        ("http://h?x", "http", "h", "", "/"),
    ])
    func `a URL is split into its parts`(text: String, scheme: String, host: String, port: String, path: String) {
        let url = ParsedURL(text)
        #expect((url.scheme, url.host) == (scheme, host))
        #expect((url.port, url.path) == (port, path))
    }

    @Test(arguments: [
        ("/new", "http://api.test/new"), ("//other.test/new", "http://other.test/new"),
        ("https://x.test/", "https://x.test/"),
        ("new", "http://api.test/a/new"), ("../new", "http://api.test/new"), ("./c/../d?x", "http://api.test/a/d"),
        ("?q=2", "http://api.test/a/b"), ("#part", "http://api.test/a/b"), ("..", "http://api.test/"),
        ("/x/./y/", "http://api.test/x/y/"),
    ])
    func `a location is resolved`(location: String, target: String) {
        #expect(ParsedURL("http://api.test/a/b").resolving(location) == ParsedURL(target))
    }
}
