import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

/// A property must survive every copy that a program or the session makes of a request, and never reach a server.
@Suite struct RequestPropertiesTests {
    private func marked(_ url: URL, _ values: [String: Any]) -> NSMutableURLRequest {
        let request = NSMutableURLRequest(url: url)
        for (key, value) in values { AdaptableURLProtocol.setProperty(value, forKey: key, in: request) }
        return request
    }

    @Test func `properties survive copies, and removed ones are gone`() throws {
        let first = marked(URL(fileURLWithPath: "/"), ["a": true, "b": "text", "c": Date(timeIntervalSince1970: 7)])
        var copy = first as URLRequest
        copy.setValue("x", forHTTPHeaderField: "Other")
        #expect(AdaptableURLProtocol.property(forKey: "a", in: copy) as? Bool == true)
        #expect(AdaptableURLProtocol.property(forKey: "b", in: copy) as? String == "text")
        #expect(AdaptableURLProtocol.property(forKey: "c", in: copy) as? Date == Date(timeIntervalSince1970: 7))
        #expect(AdaptableURLProtocol.property(forKey: "d", in: copy) == nil)
        let second = try #require((copy as NSURLRequest).mutableCopy() as? NSMutableURLRequest)
        AdaptableURLProtocol.setProperty(false, forKey: "a", in: second)
        AdaptableURLProtocol.removeProperty(forKey: "b", in: second)
        #expect(AdaptableURLProtocol.property(forKey: "a", in: second as URLRequest) as? Bool == false)
        #expect(AdaptableURLProtocol.property(forKey: "b", in: second as URLRequest) == nil)
        AdaptableURLProtocol.removeProperty(forKey: "a", in: second)
        AdaptableURLProtocol.removeProperty(forKey: "c", in: second)
        #expect(second.allHTTPHeaderFields == ["Other": "x"])
    }

    @Test func `a value that a property list cannot hold is ignored`() {
        let request = marked(URL(fileURLWithPath: "/"), ["a": NSObject()])
        #expect(AdaptableURLProtocol.property(forKey: "a", in: request as URLRequest) == nil)
    }

    @Test(arguments: ["", "%", "AAAA", "YnBsaXN0MDA="])
    func `a field that holds anything else does not have properties`(
        text: String
    ) {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.setValue(text, forHTTPHeaderField: RequestProperties.field)
        #expect(AdaptableURLProtocol.property(forKey: "a", in: request) == nil)
    }

    @Test(.timeLimit(.minutes(1))) func `a server does not receive properties`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("") }
        let request = marked(server.url("/"), ["a": true]) as URLRequest
        _ = try await AdaptableSession(configuration: .ephemeral).data(for: request)
        let fields = try #require(server.requests.first?.fields)
        #expect(fields["host"] != nil)
        #expect(!fields.keys.contains { $0.lowercased() == RequestProperties.field.lowercased() })
    }
}
