@testable import Conformance
import AdapterProtocol
import Testing

@testable import ScenarioLanguage

/// Tests of the options for cache, cookies, credentials and priority: the capabilities that they need, and the errors
/// for wrong ones. Every value differs from the default, so that a dropped field is found.
struct StoreReaderTests {
    private func read(session: String = "{}", step: String = "data: /a", origin: String = "/a: { text: hi }") -> Result<
        Scenario, ScenarioErrors
    > {
        ScenarioReader.read(
            file: "x",
            text: Sample.good(
                replacing: "origin:\n  /a: { text: hi }", with: "session: \(session)\norigin:\n  \(origin)"
            )
            .replacing("  - data: /a\n", with: "  - \(step)\n"))
    }

    private func diagnostic(session: String = "{}", step: String = "data: /a") -> String {
        switch read(session: session, step: step) {
        case .success: "none"
        case .failure(let errors): errors.errors.map { "\($0)" }.joined(separator: "\n")
        }
    }

    private func task(_ step: String) throws -> (TaskDescription, Set<Capability>) {
        let scenario = try read(step: step).get()
        guard case .task(let task, _, _) = scenario.script.first else { throw Missing() }
        return (task, scenario.needs)
    }
    private struct Missing: Error {}

    @Test func `a cache can be none, shared, named, or private with sizes`() throws {
        let cases: [(String, CacheSettings)] = [
            ("none", CacheSettings(storage: StorageChoice.none)), ("shared", CacheSettings(storage: .shared)),
            ("left", CacheSettings(storage: .named("left"))),
            (
                "{ memory: 1KiB, disk: 0 }",
                CacheSettings(storage: .named("main"), memoryCapacity: 1024, diskCapacity: 0)
            ),
            ("{ store: left, disk: 1MiB }", CacheSettings(storage: .named("left"), diskCapacity: 1_048_576)),
        ]
        for (text, settings) in cases {
            let scenario = try read(session: "{ cache: \(text) }").get()
            #expect(scenario.sessions.first?.configuration.cache == settings, "\(text)")
            #expect(scenario.needs.contains(.cacheStorage) == (settings.storage != .shared), "\(text)")
        }
        #expect(diagnostic(session: "{ cache: a b }").contains("is not a store"))
        #expect(diagnostic(session: "{ cache: { store: none, memory: 1KiB } }").contains("does not have its own sizes"))
    }

    @Test(arguments: CachePolicy.allCases)
    func `a cache policy belongs to the session or to a request`(policy: CachePolicy) throws {
        let scenario = try read(session: "{ cachePolicy: \(policy.rawValue) }").get()
        #expect(scenario.sessions.first?.configuration.cachePolicy == policy)
        #expect(scenario.needs.isSuperset(of: [.cache, .cachePolicy]))
        let (task, needs) = try task("{ data: /a, as: zero, cachePolicy: \(policy.rawValue) }\n  - data: /a")
        #expect(task.cachePolicy == policy)
        #expect(needs.isSuperset(of: [.cache, .cachePolicy]))
    }

    @Test func `cookie acceptance, use and store are read`() throws {
        let scenario = try read(
            session: "{ cookies: { accept: onlyFromMainDocumentDomain, send: false, store: left } }"
        ).get()
        #expect(
            scenario.sessions.first?.configuration.cookies
                == CookieSettings(acceptance: .onlyFromMainDocumentDomain, sends: false, storage: .named("left")))
        #expect(scenario.needs.isSuperset(of: [.cookies, .cookieAcceptance, .cookieControl, .cookieStorage]))
        let shared = try read(session: "{ cookies: { store: shared } }").get()
        #expect(!shared.needs.contains(.cookieStorage))
        let (task, needs) = try task(
            "{ data: /a, cookies: false, mainDocument: //page.test/x, as: zero }\n  - data: /a")
        #expect(task.handlesCookies == false)
        #expect(task.mainDocument == "http://page.test/x")
        #expect(needs.isSuperset(of: [.cookies, .cookieControl, .cookieAcceptance]))
        #expect(diagnostic(session: "{ cookies: {} }").contains("is empty"))
        #expect(diagnostic(session: "{ cookies: { accept: sometimes } }").contains("onlyFromMainDocumentDomain"))
    }

    @Test func `stored credentials have a protection space`() throws {
        let text =
            "{ credentials: { store: own, stored: [{ for: digest, host: other.test, port: 8080, realm: lab, user: u, password: p, persistence: permanent, default: true }] } }"
        let scenario = try read(session: text).get()
        #expect(
            scenario.sessions.first?.configuration.credentials
                == CredentialSettings(
                    storage: .named("own"),
                    stored: [
                        StoredCredential(
                            method: .digest, scheme: "http", host: "other.test", port: 8080, realm: "lab", user: "u",
                            password: "p",
                            persistence: .permanent, isDefault: true)
                    ]))
        #expect(scenario.needs.contains(.credentialStorage))
        let plain = try read(
            session: "{ credentials: { stored: { for: basic, user: u, password: p } } }",
            origin: "tls: true\n  /a: { text: hi }"
        ).get()
        #expect(
            plain.sessions.first?.configuration.credentials?.stored
                == [
                    StoredCredential(
                        method: .basic, scheme: "https", host: "api.test", port: 443, realm: nil, user: "u",
                        password: "p")
                ])
        #expect(
            diagnostic(session: "{ credentials: { store: none, stored: { for: basic, user: u, password: p } } }")
                .contains("cannot hold credentials"))
        #expect(
            diagnostic(session: "{ credentials: { stored: { for: basic, host: 'a b', user: u, password: p } } }")
                .contains("is not a host"))
    }

    @Test func `a credential for a challenge can be stored`() throws {
        let (task, needs) = try task(
            "{ data: /a, as: zero, challenge: { user: u, password: p, persistence: none } }\n  - data: /a")
        #expect(
            task.policies.challenges == [.credential(user: "u", password: "p", persistence: CredentialPersistence.none)]
        )
        #expect(needs.contains(.credentialStorage))
    }

    @Test func `the cache decision has three values`() throws {
        let cases: [(String, TaskPolicies.CachingDecision)] = [
            ("allow", .allow), ("refuse", .refuse), ("{ body: other }", .replaceBody("other")),
        ]
        for (text, answer) in cases {
            let (task, needs) = try task("{ data: /a, as: zero, caching: \(text) }\n  - data: /a")
            #expect(task.policies.caching == answer)
            #expect(needs.contains(.cacheDecision))
        }
        #expect(
            diagnostic(step: "{ download: /a, as: zero, caching: refuse }\n  - data: /a").contains(
                "a download is not cached"))
        #expect(
            diagnostic(step: "{ data: /a, as: zero, caching: refuse, completionHandler: true }\n  - data: /a").contains(
                "only a delegate decides"))
    }

    @Test func `a request can exclude cellular`() throws {
        let (task, needs) = try task("{ data: /a, as: zero, allowsCellularAccess: false }\n  - data: /a")
        #expect(task.allowsCellularAccess == false)
        #expect(needs.contains(.allowsCellularAccess))
    }

    @Test func `a task has a priority`() throws {
        for (word, value) in [("low", 0.25), ("default", 0.5), ("high", 0.75)] {
            let (task, needs) = try task("{ data: /a, as: zero, priority: \(word) }\n  - data: /a")
            #expect(task.priority == value)
            #expect(needs.contains(.taskPriority))
        }
    }

    @Test func `the cache is inspected by request or by task`() throws {
        let scenario = try read(
            step: "{ data: /a, as: zero }\n  - inspectCache: zero\n  - { inspectCache: zero, by: task }\n  - data: /a"
        ).get()
        #expect(scenario.script[1] == .command(.inspectCache("zero", by: .request)))
        #expect(scenario.script[2] == .command(.inspectCache("zero", by: .task)))
        #expect(scenario.needs.isSuperset(of: [.cache, .cacheLookup]))
        #expect(
            diagnostic(step: "{ download: /a, as: zero }\n  - { inspectCache: zero, by: task }\n  - data: /a").contains(
                "only data and upload tasks"))
        #expect(
            diagnostic(step: "{ data: /a, as: zero }\n  - inspectCache: zro\n  - data: /a").contains(
                "did you mean `zero`"))
    }
}

/// Tests of the decisions for TLS challenges and of the capabilities that they need.
struct IdentityReaderTests {
    private func read(_ answer: String) -> Result<Scenario, ScenarioErrors> {
        ScenarioReader.read(
            file: "x",
            text: Sample.good(replacing: "origin:\n", with: "origin:\n  tls: { clientCertificate: required }\n")
                .replacing("  - data: /a\n", with: "  - data: /a\n    challenge: \(answer)\n"))
    }

    @Test func `trust and a certificate are decisions`() throws {
        let scenario = try read("[trust, { certificate: unknown }, default]").get()
        guard case .task(let task, _, _) = scenario.script.first else {
            Issue.record("no task")
            return
        }
        #expect(
            task.policies.challenges == [
                .serverTrust, .clientCertificate(chainPath: "client-unknown.pem", keyPath: "client-unknown.key"),
                .performDefaultHandling,
            ])
        #expect(scenario.needs.isSuperset(of: [.serverTrustChallenge, .clientCertificateChallenge, .tls]))
        #expect(try !read("{ certificate: known }").get().needs.contains(.serverTrustChallenge))
    }

    @Test func `a certificate is known or unknown`() {
        guard case .failure(let errors) = read("{ certificate: mine }") else {
            Issue.record("accepted")
            return
        }
        #expect("\(errors)".contains("known"))
    }
}
