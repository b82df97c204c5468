@testable import Conformance
import Record
import AdapterProtocol
import NIOCore
import ScenarioLanguage
import Testing

@testable import TestServer

extension LoopbackTests {
    /// curl responds to the origin's challenges: an independent client, which supports every scheme here except
    /// Bearer's errors.
    @Suite struct OriginAuthenticationTests {
        typealias Digest = AuthenticationPlan.Digest

        private static func plan(
            _ schemes: [AuthenticationPlan.Scheme], password: String = "pw",
            _ change: (inout AuthenticationPlan) -> Void = { _ in }
        ) -> OriginPlan {
            var authentication = AuthenticationPlan(schemes: schemes, user: "ann", password: password)
            change(&authentication)
            var route = Route(path: "/private", content: .resource(Resource(body: .text("secret"))))
            route.authentication = authentication
            var echo = Route(path: "/echo", content: .echo)
            echo.authentication = authentication
            var plan = OriginPlan()
            plan.routes = [route, echo, Route(path: "/old", content: .resource(Resource(body: .text("open"))))]
            return plan
        }

        private func curl(_ run: OriginRun, _ arguments: [String], path: String = "/private") async throws -> String {
            let port = run.address.port ?? 0
            return try await Command.run(
                ["curl", "-s", "-S", "-w", "|%{http_code}|%{num_connects}", "--max-time", "20"] + arguments
                    + ["http://127.0.0.1:\(port)\(path)"]
            ).output
        }

        private func heads(_ run: OriginRun) -> [(connection: Int, headers: [HeaderField])] {
            run.facts.compactMap { fact in
                if case .requestHead(let connection, _, _, _, _, let headers) = fact {
                    (connection, headers)
                } else {
                    nil
                }
            }
        }

        // This curl computes SHA-512-256 as SHA-256, so that algorithm is covered only by the RFC's example.
        @Test(
            .enabled(if: !Command.isMissing("curl"), "curl is not installed"),
            arguments: [
                Digest.Algorithm.md5, .md5Session, .sha256, .sha256Session,
            ])
        func `curl's Digest is accepted`(algorithm: Digest.Algorithm) async throws {
            let digest = Digest(algorithm: algorithm, qualities: [.authentication])
            try await OriginRun.serving(Self.plan([.digest(digest)])) { run in
                let said1 = try await curl(run, ["--digest", "-u", "ann:pw"])
                #expect(said1 == "secret|200|1")
                let said2 = try await curl(run, ["--digest", "-u", "ann:no"])
                #expect(said2.contains("|401|"))
            }
        }

        @Test(
            .enabled(if: !Command.isMissing("curl"), "curl is not installed"),
            arguments: [
                (Digest(algorithm: .md5, qualities: []), [String]()), (Digest(acceptsUserHash: true), []),
                (Digest(nonceUses: 1, sendsNextNonce: true), []),
                (Digest(qualities: [.integrity, .authentication]), []),
            ])
        func `curl's Digest is accepted in each form`(digest: Digest, arguments: [String]) async throws {
            try await OriginRun.serving(Self.plan([.digest(digest)])) { run in
                let said3 = try await curl(run, arguments + ["--digest", "-u", "ann:pw"])
                #expect(said3 == "secret|200|1")
                let last = heads(run).last?.headers.value(of: "Authorization") ?? ""
                #expect(last.contains("userhash=true") == digest.acceptsUserHash)
            }
        }

        @Test(.enabled(if: !Command.isMissing("curl"), "curl is not installed"))
        func `curl's NTLMv2 is verified, and its connection needs no more`() async throws {
            try await OriginRun.serving(Self.plan([.ntlm(domain: "LAB")])) { run in
                let port = run.address.port ?? 0
                let url = "http://127.0.0.1:\(port)/private"
                let output = try await curl(run, ["--ntlm", "-u", "ann:pw", url])
                #expect(output == "secret|200|1secret|200|0")
                let requests = heads(run)
                #expect(Set(requests.map(\.connection)).count == 1)
                // Message 1, message 3, and the second transfer on the connection.
                #expect(requests.count == 3 || requests.count == 4)
                #expect(requests.last?.headers.value(of: "Authorization") == nil)
                let said4 = try await curl(run, ["--ntlm", "-u", "ann:no"])
                #expect(said4.contains("|401|"))
            }
        }

        @Test(.enabled(if: !Command.isMissing("curl"), "curl is not installed"))
        func `curl selects the strongest of several challenges in any order`() async throws {
            let schemes: [AuthenticationPlan.Scheme] = [
                .other("Unknown x=\"y\""), .basic, .digest(Digest(algorithm: .md5)),
            ]
            for isOneLine in [false, true] {
                try await OriginRun.serving(Self.plan(schemes) { $0.isOneLine = isOneLine }) { run in
                    let said5 = try await curl(run, ["--anyauth", "-u", "ann:pw"])
                    #expect(said5.hasPrefix("secret|200|"))
                    #expect(heads(run).last?.headers.value(of: "Authorization")?.hasPrefix("Digest ") == true)
                }
            }
        }

        @Test(.enabled(if: !Command.isMissing("curl"), "curl is not installed"))
        func `curl responds to a proxy's challenge with a proxy's field`() async throws {
            try await OriginRun.serving(Self.plan([.digest(Digest(algorithm: .md5))]) { $0.requester = .proxy }) {
                run in
                let port = run.address.port ?? 0
                let arguments = ["--proxy", "http://127.0.0.1:\(port)", "--proxy-digest", "--proxy-user", "ann:pw"]
                let said6 = try await curl(run, arguments + ["http://any.test/private", "-o", "/dev/null"])
                #expect(said6.hasSuffix("secret|200|0"))
                #expect(heads(run).contains { $0.headers.value(of: "Proxy-Authorization") != nil })
            }
        }

        @Test(.enabled(if: !Command.isMissing("curl"), "curl is not installed"))
        func `an upload gets its challenge after its body and is sent again`() async throws {
            try await OriginRun.serving(Self.plan([.digest(Digest())])) { run in
                let output = try await curl(
                    run, ["--digest", "-u", "ann:pw", "-X", "PUT", "--data-binary", "twelve bytes"], path: "/echo")
                #expect(output.contains("twelve bytes|200|1"))
            }
        }

        @Test func `in the middle of a kept-alive connection the third request is the first with a challenge`()
            async throws
        {
            try await OriginRun.serving(Self.plan([.basic]) { $0.fromRequest = 3 }) { run in
                let client = try await RawClient.connect(to: run.address)
                for number in 1...3 {
                    client.send("GET /private HTTP/1.1\r\nHost: a.test\r\n\r\n")
                    await run.wait { $0.contains { if case .responseEnded(number, _) = $0 { true } else { false } } }
                }
                let statuses = run.facts.compactMap {
                    if case .responseHead(_, let status, _) = $0 { status } else { nil }
                }
                #expect(statuses == [200, 200, 401])
                #expect(Set(heads(run).map(\.connection)) == [1])
            }
        }

        @Test func `auth-int covers the body that was actually received`() async throws {
            try await OriginRun.serving(Self.plan([.digest(Digest(algorithm: .md5, qualities: [.integrity]))])) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send("POST /echo HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\n\r\nbody")
                await run.wait { $0.contains { if case .responseEnded(1, _) = $0 { true } else { false } } }
                let challenge = run.facts.compactMap { fact in
                    if case .responseHead(1, 401, let headers) = fact {
                        headers.value(of: "WWW-Authenticate")
                    } else {
                        nil
                    }
                }.first
                let given = try #require(AuthenticationParameters((challenge ?? "").dropFirst("Digest ".count)))
                for (number, body) in [(2, "boda"), (3, "body")] {
                    var right = DigestResponse(
                        algorithm: .md5, user: "ann", realm: "lab", password: "pw", method: "POST", uri: "/echo",
                        nonce: given["nonce"] ?? "", nonceCount: "00000001", clientNonce: "c", quality: .integrity)
                    right.bodyDigest = BodyDigestExample.md5("body")
                    let response =
                        "Digest username=\"ann\", realm=\"lab\", nonce=\"\(right.nonce)\", uri=\"/echo\", algorithm=MD5, qop=auth-int, "
                        + "nc=00000001, cnonce=\"c\", opaque=\"\(given["opaque"] ?? "")\", response=\"\(right.value)\""
                    client.send(
                        "POST /echo HTTP/1.1\r\nHost: a.test\r\nAuthorization: \(response)\r\nContent-Length: 4\r\n\r\n\(body)"
                    )
                    await run.wait { $0.contains { if case .responseEnded(number, _) = $0 { true } else { false } } }
                    let status = number == 3 ? 200 : 401
                    #expect(
                        run.facts.contains { if case .responseHead(number, status, _) = $0 { true } else { false } })
                }
            }
        }
    }
}
