@testable import Conformance
import AdapterProtocol
import Testing

@testable import ScenarioLanguage

/// Tests of `protocolClasses`: their model, the capabilities that they need, and the errors for wrong ones.
struct ProtocolReaderTests {
    private func read(_ classes: String, kind: String = "ephemeral", url: String = "/hello", tls: Bool = false)
        -> Result<Scenario, ScenarioErrors>
    {
        let text = """
            scenario: Classes
            proves: PROT-01
            session: { kind: \(kind), protocolClasses: \(classes) }
            origin:
              tls: \(tls)
              /hello: { text: hello }
            steps:
              - data: \(url)
                as: first
                completionHandler: true
            expect:
              - completes: { task: first }
            """
        return ScenarioReader.read(file: "x", text: text)
    }

    private func diagnostic(_ classes: String, kind: String = "ephemeral") -> String {
        switch read(classes, kind: kind) {
        case .success: "none"
        case .failure(let errors): errors.errors.map { "\($0)" }.joined(separator: "\n")
        }
    }

    @Test func `a class handles a scheme or a host and responds or forwards`() throws {
        let scenario = try read(
            "[{ scheme: Moof, response: { status: 203, headers: { X-A: b }, text: hi } }, { host: API.test, forward: /real }, { scheme: http, response: hi }]"
        ).get()
        #expect(
            scenario.sessions.first?.configuration.protocolClasses == [
                ProtocolClass(
                    scheme: "moof",
                    response: .canned(status: 203, headers: [HeaderField("X-A", "b")], body: Array("hi".utf8))),
                ProtocolClass(host: "api.test", response: .forwarded(to: "http://api.test/real")),
                ProtocolClass(scheme: "http", response: .canned(status: 200, headers: [], body: Array("hi".utf8))),
            ])
        #expect(scenario.needs.contains(.protocolClasses))
        #expect(try !read("{ scheme: a, response: {} }").get().needs.contains(.fileURLs))
    }

    @Test func `a forwarding path belongs to the origin and its host resolves`() throws {
        let scenario = try read("{ scheme: moof, forward: '//other.test/real' }", tls: true).get()
        #expect(
            scenario.sessions.first?.configuration.protocolClasses.first?.response
                == .forwarded(to: "https://other.test/real"))
        #expect(scenario.network.dns.rules.contains { $0.host == "other.test" })
    }

    @Test func `the shared session has only the classes of the process`() throws {
        let scenario = try read("{ scheme: http, response: hi, registered: true }", kind: "shared").get()
        #expect(scenario.sessions.first?.configuration.protocolClasses.first?.isRegistered == true)
        #expect(scenario.needs.isSuperset(of: [.protocolClasses, .sharedSession]))
        #expect(diagnostic("{ scheme: http, response: hi }", kind: "shared").contains("write `registered: true`"))
    }

    @Test func `wrong classes are refused with a correction`() {
        #expect(diagnostic("{ response: hi }").contains("limit it with `scheme` or `host`"))
        #expect(diagnostic("{ scheme: 'mo of', response: hi }").contains("is not a URL scheme"))
        #expect(diagnostic("{ scheme: 1a, response: hi }").contains("is not a URL scheme"))
        #expect(diagnostic("{ host: 'a b', response: hi }").contains("is not a host"))
        #expect(
            diagnostic("{ scheme: moof, forward: 'moof://a' }").contains(
                "forwards to a path or to an http or https URL"))
        #expect(diagnostic("{ scheme: moof, response: hi, forward: /a }").contains("exclude each other"))
        #expect(diagnostic("{ scheme: moof, respons: hi }").contains("did you mean `response`?"))
        #expect(diagnostic("{ scheme: moof }") != "none")
    }

    @Test func `file and data URLs need capabilities`() throws {
        func needs(_ url: String) throws -> Set<Capability> {
            try read("{ scheme: moof, response: hi }", url: url).get().needs
        }
        #expect(try needs("file:///etc/hosts").contains(.fileURLs))
        #expect(try needs("'data:,hello'").contains(.dataURLs))
        #expect(try needs("/hello").isDisjoint(with: [.fileURLs, .dataURLs]))
    }
}
