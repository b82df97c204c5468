@testable import Conformance
@testable import Record
import AdapterProtocol
import LinkEmulator
import Testing

@testable import ScenarioLanguage

/// Tests of `proxies:` and a session's `proxy:`: each mistake is refused at its position with a correction.
@Suite struct ProxyReaderTests {
    private func read(_ proxies: String, session: String = "{}") throws -> Scenario {
        let text = Sample.good + "\nsession: \(session)\nproxies:\n  front: \(proxies)\n"
        return try ScenarioReader.read(file: "f.yaml", text: text).get()
    }

    private func errors(_ proxies: String, session: String = "{}") -> [String] {
        Sample.errors(Sample.good + "\nsession: \(session)\nproxies:\n  front: \(proxies)\n").map { "\($0)" }
    }

    @Test func `a proxy without options is an open HTTP proxy on its default port`() throws {
        let plan = try #require(try read("{}").proxies.first)
        #expect(plan == ProxyPlan(name: "front", kind: .http))
        #expect(plan.port == 3128 && plan.access == .open)
        #expect(try read("{ type: https }").proxies.first?.port == 3129)
        #expect(try read("{ type: socks5, port: 9050 }").proxies.first?.port == 9050)
    }

    @Test func `access and faults are read`() throws {
        let plan = try #require(
            try read(
                "{ digest: { user: ann, password: pw, algorithm: MD5 }, faults: [{ at: request, do: { refuse: 503 }, for: { first: 1 } }, "
                    + "{ at: { downlink: 40000 }, do: reset, for: { connection: 2 } }, { at: { uplink: 1KiB }, do: { pause: 1s } }] }"
            ).proxies.first)
        guard case .challenge(let asked) = plan.access else {
            Issue.record("\(plan.access)")
            return
        }
        #expect(asked.requester == .proxy && asked.user == "ann")
        #expect(
            plan.faults == [
                ProxyFault(point: .request, effect: .refuse(503), scope: .init(first: 1)),
                ProxyFault(point: .carried(.downlink, 40_000), effect: .reset, scope: .init(connection: 2)),
                ProxyFault(point: .carried(.uplink, 1_024), effect: .pause(.seconds(1))),
            ])
        #expect(
            try read("{ type: socks5, login: { user: a, password: b } }").proxies.first?.access
                == .login(user: "a", password: "b"))
    }

    @Test func `a session's proxy is read, its name resolves, and the capabilities follow`() throws {
        let scenario = try read("{ type: socks5 }", session: "{ proxy: { name: front, user: a, password: b } }")
        #expect(
            scenario.sessions.first?.configuration.proxy
                == ProxyAddress(kind: .socks5, host: "proxy.test", port: 1080, user: "a", password: "b"))
        #expect(scenario.network.dns.rules.contains { $0.host == "proxy.test" })
        #expect(scenario.needs.isSuperset(of: [.sessionProxy, .socksProxy]) && !scenario.needs.contains(.systemProxy))
        let system = try read("{ system: true, basic: { user: a, password: b } }")
        #expect(system.needs.isSuperset(of: [.systemProxy, .proxyChallenge]) && !system.needs.contains(.sessionProxy))
    }

    @Test(arguments: [
        ("{ port: 80 }", "belongs to the origin"), ("{ login: { user: a, password: b } }", "is for SOCKS"),
        ("{ type: socks5, basic: { user: a, password: b } }", "SOCKS does not have `basic`"),
        ("{ tls: { certificate: expired } }", "type: https"),
        ("{ faults: [{ at: accept, do: { refuse: 503 } }] }", "at: request"),
        ("{ faults: [{ at: request, do: { refuse: 200 } }] }", "300 to 599"),
        ("{ type: socks5, faults: [{ at: request, do: { refuse: 503 } }] }", "1 to 255"),
        ("{ faults: [{ at: accept, do: close, for: { request: 1 } }] }", "the request is not known yet"),
        ("{ faults: [{ at: accept, do: { throttle: 1Mbit/s } }] }", "no traffic to slow down"),
        ("{}\n  back: {}", "`front` has the port"),
        ("{ system: true }\n  back: { port: 8080, system: true }", "only one is possible"),
        ("{ kind: http }", "type"), ("{ boundName: gateway.test }", "`type: socks5`"),
        ("{ type: socks5, boundName: '' }", "1 to 255 bytes"),
    ])
    func `a mistake is refused with a correction`(_ proxies: String, _ words: String) {
        let found = errors(proxies)
        #expect(found.count == 1 && found[0].contains(words), "\(found)")
    }

    @Test func `a session cannot name an unknown proxy or give a password for an HTTP proxy`() {
        #expect(errors("{}", session: "{ proxy: frond }").first?.contains("did you mean `front`?") == true)
        #expect(
            errors("{}", session: "{ proxy: { name: front, user: a, password: b } }").first?.contains("`challenge`")
                == true)
        #expect(
            errors("{ type: socks5 }", session: "{ proxy: { name: front, user: a } }").first?.contains(
                "need each other")
                == true)
    }

    @Test func `a session's proxy can be limited to a scheme and have exceptions`() throws {
        let scenario = try read("{}", session: "{ proxy: { name: front, for: https, except: [a.test, '*.b.test'] } }")
        var proxy = ProxyAddress(kind: .http, host: "proxy.test", port: 3128)
        proxy.scheme = .https
        proxy.exceptions = ["a.test", "*.b.test"]
        #expect(scenario.sessions.first?.configuration.proxy == proxy)
        #expect(scenario.needs.contains(.proxySelection))
        #expect(try !read("{}", session: "{ proxy: front }").needs.contains(.proxySelection))
        #expect(
            errors("{ type: socks5 }", session: "{ proxy: { name: front, for: http } }").first?.contains("every scheme")
                == true)
    }

    @Test(arguments: ["http://a.test", "a.test:80", "a.*", "*", "*.", "a test", "a.test/b", "203.0.113.0/33"])
    func `an exception that is not a host is an error`(text: String) {
        let found = errors("{}", session: "{ proxy: { name: front, except: [b.test, '\(text)'] } }")
        #expect(found.count == 1 && found.first?.contains("`\(text)` is not a host") == true, "\(found)")
    }

    @Test(arguments: ["a.test", "*.a.test", ".a.test", "203.0.113.7", "203.0.113.0/24", "2001:db8::1", "localhost"])
    func `names, addresses and blocks of addresses are exceptions`(text: String) {
        #expect(errors("{}", session: "{ proxy: { name: front, except: '\(text)' } }") == [])
    }

    @Test func `a SOCKS proxy can state its end by name`() throws {
        #expect(try read("{ type: socks5, boundName: gateway.test }").proxies.first?.boundName == "gateway.test")
    }

    @Test func `proxy checks need proxies`() {
        let good = Sample.good + "\n  - directConnections: { count: 1 }\n"
        #expect(Sample.errors(good).count == 1)
        let other = Sample.good + "\n  - proxyRequest: { proxy: frond, count: 1 }\nproxies: { front: {} }\n"
        #expect("\(Sample.errors(other))".contains("did you mean `front`?"))
    }

    // MARK: - Moments and changes

    private func timeline(_ entry: String, proxy: String = "{ type: http }") -> String {
        Sample.good + "\nproxies:\n  front: \(proxy)\ntimeline:\n  - \(entry)\n"
    }

    private func entry(_ text: String) throws -> TimelineEntry {
        try #require(try ScenarioReader.read(file: "f.yaml", text: timeline(text)).get().timeline.first)
    }

    @Test(arguments: [
        ("{ proxy: front, request: 2 }", ProxyMoment(proxy: "front", event: .request(2))),
        ("{ proxy: front, tunnel: 3, after: 1s }", ProxyMoment(proxy: "front", event: .tunnel(3))),
        (
            "{ proxy: front, downlink: 40KiB }",
            ProxyMoment(proxy: "front", event: .carried(.downlink, bytes: 40_960, request: 1))
        ),
        (
            "{ proxy: front, uplink: 5B, request: 2 }",
            ProxyMoment(proxy: "front", event: .carried(.uplink, bytes: 5, request: 2))
        ),
    ])
    func `moments at a proxy are read`(when: String, moment: ProxyMoment) throws {
        #expect(try entry("{ when: \(when), set: { wifi: down } }").trigger.moment == .proxy(moment))
    }

    @Test func `a change of a proxy replaces its access and its faults separately`() throws {
        let change = try entry(
            "{ when: { proxy: front, tunnel: 1 }, set: { proxies: { front: { basic: { user: a, password: b }, faults: [{ at: request, do: reset }] } } } }"
        ).changes
        guard case .proxy(let changed)? = change.first, case .challenge(let asked)? = changed.access else {
            Issue.record("\(change)")
            return
        }
        #expect(asked.requester == .proxy && asked.user == "a")
        #expect(changed.faults == [ProxyFault(point: .request, effect: .reset)])
        #expect(
            try entry("{ when: { sinceStart: 1s }, set: { proxies: { front: { open: true, faults: none } } } }").changes
                == [.proxy(ProxyChange(proxy: "front", access: .open, faults: []))])
        #expect(
            try entry("{ when: { sinceStart: 1s }, set: { proxies: { front: { faults: none } } } }").changes
                == [.proxy(ProxyChange(proxy: "front", faults: []))])
    }

    @Test(arguments: [
        ("{ when: { proxy: frnt, tunnel: 1 }, set: { wifi: down } }", "did you mean `front`"),
        ("{ when: { proxy: front }, set: { wifi: down } }", "name the moment"),
        ("{ when: { proxy: front, uplink: 1B, downlink: 1B }, set: { wifi: down } }", "one of"),
        ("{ when: { proxy: front, tunnel: 1, request: 1 }, set: { wifi: down } }", "one of"),
        ("{ when: { sinceStart: 1s }, set: { proxies: { frnt: { open: true } } } }", "did you mean `front`"),
        ("{ when: { sinceStart: 1s }, set: { proxies: { front: {} } } }", "write the changes"),
        ("{ when: { sinceStart: 1s }, set: { proxies: { front: { open: false } } } }", "write what the proxy requires"),
        (
            "{ when: { sinceStart: 1s }, set: { proxies: { front: { open: true, basic: { user: a, password: b } } } } }",
            "does not require authentication"
        ),
        (
            "{ when: { sinceStart: 1s }, set: { proxies: { front: { login: { user: a, password: b } } } } }",
            "is for SOCKS"
        ),
        (
            "{ when: { sinceStart: 1s }, set: { proxies: { front: { faults: [{ at: request, do: { refuse: 99 } }] } } } }",
            "300 to 599"
        ),
        ("{ when: { sinceStart: 1s }, set: { proxies: { front: { type: socks5 } } } }", "type"),
    ])
    func `a wrong moment or change is refused with a correction`(entry: String, fix: String) {
        let errors = Sample.errors(timeline(entry)).map { "\($0)" }
        #expect(errors.contains { $0.contains(fix) }, "\(errors)")
    }
}
