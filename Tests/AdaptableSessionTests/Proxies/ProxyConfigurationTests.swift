import Testing

@testable import AdaptableSession

@Suite struct ProxyConfigurationTests {
    private static let corporate = ProxyServer(kind: .http, host: "proxy.test", port: 8080)
    private static let gateway = ProxyServer(kind: .socks5, host: "socks.test", port: 1080, user: "ann", password: "pw")

    private func route(
        _ host: String, secure: Bool = false, _ configuration: ProxyConfiguration,
        _ change: (inout ProxyPolicy) -> Void = { _ in }
    ) -> ProxyRoute {
        var policy = ProxyPolicy()
        change(&policy)
        return configuration.route(host: host, isSecure: secure, policy: policy)
    }

    @Test func `a dictionary is read by the documented keys`() {
        let web = ProxyConfiguration(dictionary: [
            "HTTPEnable": 1, "HTTPProxy": "Proxy.test", "HTTPPort": 8080, "HTTPSEnable": true,
            "HTTPSProxy": "proxy.test", "HTTPSPort": "8080",
            "ExceptionsList": ["*.local"],
        ])
        #expect(web == ProxyConfiguration(http: Self.corporate, https: Self.corporate, exceptions: ["*.local"]))
        let socks = ProxyConfiguration(dictionary: [
            "SOCKSEnable": 1, "SOCKSProxy": "socks.test", "SOCKSPort": 1080, "SOCKSUser": "ann",
            "kCFStreamPropertySOCKSPassword": "pw",
        ])
        #expect(socks == ProxyConfiguration(socks: Self.gateway))
        #expect(ProxyConfiguration(dictionary: ["HTTPEnable": 0, "HTTPProxy": "proxy.test"]).isEmpty)
        #expect(ProxyConfiguration(dictionary: ["HTTPEnable": 1]).isEmpty)
        let secure = ProxyConfiguration(dictionary: ["HTTPSEnable": 1, "HTTPSProxy": "https://proxy.test:8443"])
        #expect(secure.https == ProxyServer(kind: .https, host: "proxy.test", port: 8443))
    }

    @Test func `the environment is read as by other programs`() {
        let system = ProxyConfiguration(environment: [
            "http_proxy": "proxy.test:8080", "HTTPS_PROXY": "https://ann:p%20w@secure.test",
            "no_proxy": "a.test, .b.test",
        ])
        #expect(system.http == Self.corporate)
        #expect(system.https == ProxyServer(kind: .https, host: "secure.test", port: 443, user: "ann", password: "p w"))
        #expect(system.exceptions == ["a.test", ".b.test"])
        // The client of a CGI program could set it.
        #expect(ProxyConfiguration(environment: ["HTTP_PROXY": "evil.test"]).isEmpty)
        let all = ProxyConfiguration(environment: ["all_proxy": "socks5h://ann:pw@socks.test"])
        #expect(all.http == Self.gateway)
        #expect(all.https == Self.gateway)
        #expect(ProxyConfiguration(environment: ["http_proxy": "ftp://x"]).isEmpty)
        #expect(ProxyConfiguration(environment: [:]).isEmpty)
    }

    @Test(arguments: ["0", "65536", "9223372036854775807", "9223372036854775808", "99999999999999999999999"])
    func `a proxy with an invalid port is kept and known to be unusable`(port: String) throws {
        for text in ["proxy.test:\(port)", "https://ann:pw@proxy.test:\(port)/", "socks5://[2001:db8::1]:\(port)"] {
            let server = try #require(ProxyConfiguration(environment: ["http_proxy": text]).http)
            #expect(!server.hasUsablePort, "\(text)")
        }
        #expect(ProxyServer("proxy.test:65535")?.hasUsablePort == true)
        #expect(ProxyServer("proxy.test")?.hasUsablePort == true)
    }

    @Test(arguments: [-1, 65_536, .max, .min] as [Int])
    func `an invalid port in the dictionary is not replaced by another one`(port: Int) {
        for value in [port, "\(port)"] as [any Sendable] {
            let server = ProxyConfiguration(dictionary: ["HTTPEnable": 1, "HTTPProxy": "proxy.test", "HTTPPort": value])
                .http
            #expect(server?.hasUsablePort == false)
        }
        let huge = ProxyConfiguration(dictionary: [
            "HTTPEnable": 1, "HTTPProxy": "proxy.test", "HTTPPort": "99999999999999999999",
        ]).http
        #expect(huge?.hasUsablePort == false)
    }

    @Test func `http is forwarded, https is tunnelled, and SOCKS tunnels both`() {
        let web = ProxyConfiguration(http: Self.corporate, https: Self.corporate)
        #expect(route("api.test", web) == .forward(Self.corporate))
        #expect(route("api.test", secure: true, web) == .tunnel(Self.corporate))
        #expect(route("api.test", secure: true, web) { $0.tunnelsHTTPS = false } == .forward(Self.corporate))
        let socks = ProxyConfiguration(socks: Self.gateway)
        #expect(route("api.test", socks) == .tunnel(Self.gateway))
        #expect(route("api.test", secure: true, socks) == .tunnel(Self.gateway))
        #expect(route("api.test", secure: true, ProxyConfiguration(http: Self.corporate)) == .direct)
    }

    @Test(arguments: [
        ("a.test", true), ("x.a.test", true), ("ba.test", false), ("b.test", true), ("x.b.test", true),
        ("c.test", false), ("x.c.test", true),
        ("192.0.2.7", true), ("192.0.3.7", false), ("2001:db8::1", true),
    ])
    func `exceptions are names, suffixes, addresses and prefixes`(_ host: String, _ isDirect: Bool) {
        let configuration = ProxyConfiguration(
            http: Self.corporate,
            exceptions: ["a.test", ".b.test", "?", "*.x.c.test", "x.c.test", "192.0.2.0/24", "[2001:db8::1]"])
        #expect((route(host, configuration) == .direct) == isDirect)
    }

    @Test func `loopback hosts need no proxy`() {
        let configuration = ProxyConfiguration(http: Self.corporate)
        for host in ["localhost", "x.localhost", "127.0.0.1", "[::1]"] {
            #expect(route(host, configuration) == .direct)
            #expect(route(host, configuration) { $0.bypassesLoopback = false } == .forward(Self.corporate))
        }
        #expect(route("api.test", ProxyConfiguration(http: Self.corporate, exceptions: ["*"])) == .direct)
    }

    @Test func `a session's own configuration overrides the system's, and an empty one means no proxies`() {
        func route(_ own: ProxyConfiguration?, _ change: (inout ProxyPolicy) -> Void = { _ in }) -> ProxyRoute {
            var policy = ProxyPolicy()
            change(&policy)
            return ProxyConfiguration.route(
                host: "api.test", isSecure: false, own: own, system: ProxyConfiguration(http: Self.gateway),
                policy: policy)
        }
        #expect(route(nil) == .tunnel(Self.gateway))
        #expect(route(ProxyConfiguration(http: Self.corporate)) == .forward(Self.corporate))
        #expect(route(ProxyConfiguration()) == .direct)
        #expect(route(nil) { $0.usesSystemProxies = false } == .direct)
        #expect(route(ProxyConfiguration(http: Self.corporate)) { $0.usesSessionProxies = false } == .direct)
    }

    @Test func `forwarded requests share the connections to their proxy, and tunnels those of their origin`() {
        let forward = ProxyRoute.forward(Self.corporate)
        #expect(
            forward.key(host: "a.test", port: 80, isSecure: false)
                == forward.key(host: "b.test", port: 80, isSecure: false))
        let tunnel = ProxyRoute.tunnel(Self.corporate)
        #expect(
            tunnel.key(host: "a.test", port: 443, isSecure: true)
                != tunnel.key(host: "b.test", port: 443, isSecure: true))
        #expect(
            tunnel.key(host: "a.test", port: 443, isSecure: true)
                != ProxyRoute.direct.key(host: "a.test", port: 443, isSecure: true))
    }
}
