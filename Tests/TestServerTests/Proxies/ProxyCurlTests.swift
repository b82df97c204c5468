import Record
import AdapterProtocol
import Foundation
import OpenSSLTLS
import ScenarioLanguage
import TLSTestKit
import Testing

@testable import TestServer

/// curl is an independent client: its results for each proxy show the meaning of the protocol text. `%{http_connect}`
/// is the status of CONNECT, `%{http_code}` the origin's (or the proxy's own), then the body's size.
@Suite("A proxy, asked by curl", .enabled(if: !Command.isMissing("curl"), "curl is not installed"))
struct ProxyCurlTests {
    private let identity = Result { try CertificateAuthority.make(commonName: "Test Authority") }

    private func tls(_ host: String) throws -> TLSContext {
        let authority = try identity.get()
        return try OriginIdentity.context(for: TLSPlan(), authority: authority, hosts: [host], addresses: ["127.0.0.1"])
    }

    private func withAuthority(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("cw-ca-\(UUID().uuidString).pem").path
        try Data(try identity.get().certificatePEM.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    private static func digest(_ algorithm: AuthenticationPlan.Digest.Algorithm) -> AuthenticationPlan {
        var plan = AuthenticationPlan(scheme: .digest(.init(algorithm: algorithm)), user: "ann", password: "pw")
        plan.requester = .proxy
        return plan
    }

    private static var basic: AuthenticationPlan {
        var plan = AuthenticationPlan(scheme: .basic, user: "ann", password: "pw")
        plan.requester = .proxy
        return plan
    }

    @Test func `an absolute-form request is forwarded in origin form, with Via and without the proxy's fields`()
        async throws
    {
        try await ProxyRun.serving(ProxyPlan(name: "front", kind: .http)) { run in
            let got = try await run.curl("http", ["http://api.test/big?x=1", "-H", "Proxy-Connection: keep-alive"])
            #expect(got.status == 0 && got.output == "000 200 100000 0\n")
            #expect(run.requests == ["absolute api.test:80"])
            let heads = run.origin.facts.compactMap { fact -> (String, [HeaderField])? in
                if case .requestHead(_, _, _, _, let target, let headers) = fact { (target, headers) } else { nil }
            }
            #expect(heads.map(\.0) == ["/big?x=1"])
            let names = heads.first?.1.map { $0.name.lowercased() } ?? []
            #expect(heads.first?.1.contains(HeaderField("Host", "api.test")) == true)
            #expect(heads.first?.1.contains(HeaderField("Via", "1.1 front")) == true)
            #expect(!names.contains("proxy-connection"))
        }
    }

    @Test func `a body passes unchanged through an absolute-form request`() async throws {
        try await ProxyRun.serving(ProxyPlan(name: "front", kind: .http)) { run in
            let got = try await run.curl("http", ["http://api.test/echo", "-d", "hello through a proxy"])
            #expect(got.status == 0 && got.output.contains(" 200 "))
            let bodies = run.origin.facts.compactMap {
                if case .requestEnded(_, let bytes, _, _) = $0 { bytes } else { nil }
            }
            #expect(bodies == [21])
        }
    }

    @Test func `a tunnel carries TLS to the origin, and the origin does not see the proxy`() async throws {
        try await withAuthority { path in
            try await ProxyRun.serving(ProxyPlan(name: "front", kind: .http), originTLS: try tls("api.test")) { run in
                let got = try await run.curl("http", ["--cacert", path, "https://api.test/big"])
                #expect(got.status == 0 && got.output == "200 200 100000 0\n")
                #expect(run.requests == ["connect api.test:443"])
                #expect(run.facts.contains { if case .connected(1, _, _) = $0 { true } else { false } })
            }
        }
    }

    @Test func `-p makes a tunnel for a plain request too`() async throws {
        try await ProxyRun.serving(ProxyPlan(name: "front", kind: .http)) { run in
            let got = try await run.curl("http", ["-p", "http://api.test/big"])
            #expect(got.output == "200 200 100000 0\n")
            #expect(run.requests == ["connect api.test:80"])
        }
    }

    @Test func `a proxy with TLS relays and tunnels`() async throws {
        try await withAuthority { path in
            let proxyTLS = try tls("proxy.test")
            try await ProxyRun.serving(
                ProxyPlan(name: "front", kind: .https), originTLS: try tls("api.test"), proxyTLS: proxyTLS
            ) { run in
                let plain = try await run.curl("https", ["--proxy-cacert", path, "http://api.test/big"])
                #expect(plain.output == "000 200 100000 0\n", "\(plain.output)")
                let secure = try await run.curl(
                    "https", ["--proxy-cacert", path, "--cacert", path, "https://api.test/big"])
                #expect(secure.output == "200 200 100000 0\n", "\(secure.output)")
                #expect(run.facts.filter { if case .tlsEstablished = $0 { true } else { false } }.count == 2)
                let distrusted = try await run.curl("https", ["http://api.test/big"])
                // CURLE_PEER_FAILED_VERIFICATION: the proxy's certificate is really verified.
                #expect(distrusted.status == 60)
            }
        }
    }

    @Test(arguments: ["http", "https"])
    func `Basic credentials are requested with 407 and accepted when right`(_ scheme: String) async throws {
        try await withAuthority { path in
            var plan = ProxyPlan(name: "front", kind: .http)
            plan.access = .challenge(Self.basic)
            try await ProxyRun.serving(plan, originTLS: try tls("api.test")) { run in
                let url = "\(scheme)://api.test/big"
                let without = try await run.curl("http", ["--cacert", path, url])
                #expect(without.output.contains("407"))
                #expect(run.refusals == [407])
                let wrong = try await run.curl("http", ["--cacert", path, "-U", "ann:no", url])
                #expect(wrong.output.contains("407"))
                let right = try await run.curl("http", ["--cacert", path, "-U", "ann:pw", url])
                #expect(right.status == 0 && right.output.contains("200 100000"), "\(right.output)")
                let seen = run.origin.facts.compactMap {
                    if case .requestHead(_, _, _, _, _, let headers) = $0 { headers } else { nil }
                }
                #expect(seen.count == 1 && !seen.joined().contains { $0.name.lowercased() == "proxy-authorization" })
            }
        }
    }

    @Test(arguments: [AuthenticationPlan.Digest.Algorithm.md5, .sha256], ["http", "https"])
    func `Digest credentials are requested on the same connection and accepted`(
        _ algorithm: AuthenticationPlan.Digest.Algorithm, _ scheme: String
    ) async throws {
        try await withAuthority { path in
            var plan = ProxyPlan(name: "front", kind: .http)
            plan.access = .challenge(Self.digest(algorithm))
            try await ProxyRun.serving(plan, originTLS: try tls("api.test")) { run in
                let got = try await run.curl(
                    "http", ["--proxy-digest", "-U", "ann:pw", "--cacert", path, "\(scheme)://api.test/big"])
                #expect(got.status == 0 && got.output.contains("200 100000"), "\(got.output)")
                #expect(run.refusals == [407])
                // The challenge left the connection open, which credentials bound to a connection need.
                #expect(run.facts.filter { if case .accepted = $0 { true } else { false } }.count == 1)
            }
        }
    }

    @Test func `SOCKS accepts names and addresses, and a login`() async throws {
        try await ProxyRun.serving(ProxyPlan(name: "socks", kind: .socks5)) { run in
            let name = try await run.curl("socks5h", ["http://api.test/big"])
            #expect(name.status == 0 && name.output.contains("200 100000"))
            let four = try await run.curl("socks5", ["http://127.0.0.1/big"])
            #expect(four.status == 0)
            let six = try await run.curl("socks5", ["-g", "http://[::1]/big"])
            #expect(six.status == 0)
            #expect(run.requests == ["socks5 api.test:80", "socks5 127.0.0.1:80", "socks5 [0:0:0:0:0:0:0:1]:80"])
        }
        var plan = ProxyPlan(name: "socks", kind: .socks5)
        plan.access = .login(user: "ann", password: "pw")
        try await ProxyRun.serving(plan) { run in
            let right = try await run.curl("socks5h", ["-U", "ann:pw", "http://api.test/big"])
            #expect(right.status == 0 && right.output.contains("200 100000"))
            let wrong = try await run.curl("socks5h", ["-U", "ann:no", "http://api.test/big"])
            // CURLE_PROXY: the proxy handshake failed.
            #expect(wrong.status == 97)
            let without = try await run.curl("socks5h", ["http://api.test/big"])
            #expect(without.status == 97)
            #expect(run.requests.count == 1)
        }
    }

    @Test func `an unreachable target is reported in the words of each protocol`() async throws {
        try await ProxyRun.serving(ProxyPlan(name: "front", kind: .http)) { run in
            let relayed = try await run.curl("http", ["http://unknown.test/"])
            #expect(relayed.output.hasPrefix("000 502"))
            let tunnelled = try await run.curl("http", ["-p", "http://refusing.test/"])
            #expect(tunnelled.output.contains("502 000"))
            #expect(run.refusals == [502, 502])
        }
        try await ProxyRun.serving(ProxyPlan(name: "socks", kind: .socks5)) { run in
            let unknown = try await run.curl("socks5h", ["-v", "http://unknown.test/"])
            #expect(unknown.status == 97 && unknown.output.contains("(4)"), "\(unknown.output)")
            let refused = try await run.curl("socks5h", ["-v", "http://refusing.test/"])
            #expect(refused.status == 97 && refused.output.contains("(5)"))
        }
    }
}
