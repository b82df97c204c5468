@testable import Conformance
import Foundation
import NIOCore
import OpenSSLTLS
import Record
import ScenarioLanguage
import Synchronization
import TLSTestKit
import Testing

@testable import TestServer

extension LoopbackTests {
    /// The effect of `tls:` settings on independent TLS stacks: openssl s_client names the failed check by its number
    /// (X509_V_ERR_…), curl by its exit status, Python by the reason of its exception. The settings are parsed from a
    /// scenario's text.
    @Suite(.enabled(if: !Command.isMissing("openssl"), "openssl is not installed")) struct OriginTLSClientsTests {
        private let authority: CertificateAuthority
        private static let isCurlMissing = Command.isMissing("curl")
        private static let isPythonMissing = Command.isMissing("python3")

        init() throws { authority = try CertificateAuthority.make(commonName: "Test Authority") }

        /// A running origin and the files that its clients need.
        private struct Place {
            var run: OriginRun
            var folder: String
            var port: Int { run.secureAddress.port ?? 0 }
            var roots: String { folder + "/roots.pem" }
            var url: String { "https://api.test:\(port)/x" }

            /// Runs s_client with the distribution's security level lowered to `level`, so that a version and not a
            /// level decides.
            func openssl(
                _ arguments: [String], request: Bool = false, level: Int? = nil,
                name: [String] = ["-servername", "api.test"]
            ) async throws -> Command.Result {
                let levels = level.map { ["-cipher", "DEFAULT:@SECLEVEL=\($0)"] } ?? []
                let words =
                    [
                        "openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", roots, "-verify_hostname",
                        "api.test",
                    ] + name
                let command = (words + levels + arguments).map { "'\($0)'" }.joined(separator: " ")
                let input =
                    request
                    ? "printf 'GET /x HTTP/1.1\\r\\nHost: api.test\\r\\nConnection: close\\r\\n\\r\\n' | timeout 10 \(command) -ign_eof"
                    : "timeout 10 \(command) </dev/null"
                return try await Command.run(["sh", "-c", input])
            }

            func curl(_ arguments: [String] = []) async throws -> Command.Result {
                try await Command.run(
                    [
                        "env", "SSLKEYLOGFILE=\(folder)/keys-of-curl", "curl", "-q", "-sS", "--noproxy", "*",
                        "--max-time", "10", "--cacert", roots, "--resolve", "api.test:\(port):127.0.0.1",
                    ]
                        + arguments + [url])
            }

            /// Returns one line: `ok VERSION ALPN`, or reason, verify code and text of the exception.
            func python(_ set: String = "") async throws -> String {
                let program = """
                    import socket, ssl
                    c = ssl.create_default_context(cafile="\(roots)")
                    \(set)
                    try:
                        s = c.wrap_socket(socket.create_connection(("127.0.0.1", \(port)), 10), server_hostname="api.test")
                        s.sendall(b"GET /x HTTP/1.1\\r\\nHost: api.test\\r\\nConnection: close\\r\\n\\r\\n")
                        print("ok" if s.recv(12) == b"HTTP/1.1 200" else "no answer", s.version(), s.selected_alpn_protocol())
                    except ssl.SSLError as e:
                        print(e.reason, getattr(e, "verify_code", ""), e)
                    """
                return try await Command.run(["python3", "-W", "ignore", "-c", program]).output
            }
        }

        private func serve(
            _ words: String, hosts: [String] = ["api.test"], keyLog: (@Sendable (String) -> Void)? = nil,
            _ body: (Place) async throws -> Void
        ) async throws {
            let plan = try TLSDescriptions.plan(words)
            let tls = try OriginIdentity.context(
                for: try #require(plan.tls), authority: authority, hosts: hosts, keyLog: keyLog)
            let folder = NSTemporaryDirectory() + "cw-tls-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try Data(authority.certificatePEM.utf8).write(to: URL(fileURLWithPath: folder + "/roots.pem"))
            try await OriginRun.serving(plan, tls: tls) { run in try await body(Place(run: run, folder: folder)) }
        }

        private func agreements(_ run: OriginRun) -> [TLSAgreement] {
            run.facts.compactMap { if case .tlsAgreed(_, let agreement) = $0 { agreement } else { nil } }
        }

        // MARK: - Certificates

        /// The number of the check that fails (openssl's x509_vfy.h): 0 none, 9 not yet valid, 10 expired, 18
        /// self-signed, 20 no issuer, 62 the name, 66 the key is too weak for the distribution's level.
        @Test(arguments: [
            ("valid", 0), ("intermediate", 0), ("expired", 10), ("notYetValid", 9), ("wrongHost", 62),
            ("selfSigned", 18),
            ("unknownAuthority", 20), ("incompleteChain", 20), ("weakKey", 66), ("revoked", 0),
        ])
        func `each certificate fails exactly the check in its name`(word: String, code: Int) async throws {
            try await serve("certificate: \(word)") { (place: Place) async throws in
                let seen = try await place.openssl(["-verify_return_error"])
                #expect(seen.output.contains("Verify return code: \(code) ("), "\(seen.output.suffix(900))")
                if !Self.isCurlMissing {
                    let curl = try await place.curl()
                    // CURLE_PEER_FAILED_VERIFICATION; a revoked one is refused by clients that check the stapled
                    // response.
                    #expect(curl.status == (code == 0 ? 0 : 60), "\(curl.output)")
                }
                if !Self.isPythonMissing {
                    let python = try await place.python()
                    #expect(
                        python.hasPrefix(code == 0 ? "ok TLSv1.3" : "CERTIFICATE_VERIFY_FAILED \(code)"), "\(python)")
                }
                if code != 0 { #expect(place.run.origin.counts.requests == 0) }
            }
        }

        /// The key's strength is the only defect: at level 0 the same certificate is accepted.
        @Test func `a weak key is refused only by the security level`() async throws {
            try await serve("certificate: weakKey") { (place: Place) async throws in
                #expect(try await place.openssl([], level: 0).output.contains("Verify return code: 0 (ok)"))
                #expect(try await place.openssl([], level: 1).output.contains("Verify return code: 0 (ok)"))
                #expect(try await place.openssl([], level: 2).output.contains("Verify return code: 66"))
            }
        }

        @Test(arguments: [
            ("certificate: revoked", "revoked", 91), ("staple: good", "good", 0), ("staple: unknown", "unknown", 91),
        ])
        func `curl applies a stapled response`(words: String, status: String, exit: Int32) async throws {
            try await serve(words) { (place: Place) async throws in
                let seen = try await place.openssl(["-status"]).output
                #expect(seen.contains("OCSP Response Status: successful"), "\(seen.suffix(900))")
                #expect(seen.contains("Cert Status: \(status)"))
                if !Self.isCurlMissing {
                    // CURLE_SSL_INVALIDCERTSTATUS
                    let curl = try await place.curl(["--cert-status"])
                    #expect(curl.status == exit, "\(curl.output)")
                }
            }
        }

        @Test func `nothing is stapled by default`() async throws {
            try await serve("certificate: valid") { (place: Place) async throws in
                #expect(try await place.openssl(["-status"]).output.contains("OCSP response: no response sent"))
                if !Self.isCurlMissing { #expect(try await place.curl(["--cert-status"]).status == 91) }
            }
        }

        // MARK: - Versions

        private static let versions: [(word: String, option: String, python: String)] = [
            ("1.0", "-tls1", "TLSv1"), ("1.1", "-tls1_1", "TLSv1_1"), ("1.2", "-tls1_2", "TLSv1_2"),
            ("1.3", "-tls1_3", "TLSv1_3"),
        ]

        /// Clients with exactly one of the four versions each: accepted within the bounds, refused outside them.
        @Test(arguments: [
            ("1.0", "1.0"), ("1.1", "1.1"), ("1.2", "1.2"), ("1.3", "1.3"), ("1.0", "1.3"), ("1.1", "1.2"),
        ])
        func `the versions are bounded on either side`(minimum: String, maximum: String) async throws {
            try await serve("minimum: \"\(minimum)\", maximum: \"\(maximum)\"") { (place: Place) async throws in
                for version in Self.versions {
                    let isTaken = (minimum...maximum).contains(version.word)
                    let seen = try await place.openssl([version.option], level: 0)
                    #expect((seen.status == 0) == isTaken, "\(version.word): \(seen.output.suffix(400))")
                    if !Self.isCurlMissing {
                        let curl = try await place.curl([
                            "--tlsv\(version.word)", "--tls-max", version.word, "--ciphers", "DEFAULT:@SECLEVEL=0",
                        ])
                        // CURLE_SSL_CONNECT_ERROR
                        #expect(curl.status == (isTaken ? 0 : 35), "\(version.word): \(curl.output)")
                    }
                    if !Self.isPythonMissing {
                        let bound = "ssl.TLSVersion.\(version.python)"
                        let python = try await place.python(
                            "c.set_ciphers('DEFAULT:@SECLEVEL=0'); c.minimum_version = \(bound); c.maximum_version = \(bound)"
                        )
                        #expect(python.hasPrefix("ok") == isTaken, "\(version.word): \(python)")
                    }
                    let recorded = place.run.facts.contains {
                        if case .tlsEstablished(_, version.word, "api.test") = $0 { true } else { false }
                    }
                    #expect(recorded == isTaken)
                }
            }
        }

        /// The distribution's level remains in force on a server that offers the old versions beside the new.
        @Test func `a client at the distribution's level agrees on a version that its level allows`() async throws {
            try await serve("minimum: \"1.0\", maximum: \"1.3\"") { (place: Place) async throws in
                #expect(try await place.openssl([]).output.contains("New, TLSv1.3"))
                #expect(try await place.openssl(["-no_tls1_3"]).output.contains("New, TLSv1.2"))
                #expect(try await place.openssl(["-tls1"], level: 2).status != 0)
            }
        }

        // MARK: - ALPN and SNI

        @Test func `the server selects its first protocol that the client offers, or sends alert 120`()
            async throws
        {
            try await serve("alpn: [h2, http/1.1]") { (place: Place) async throws in
                #expect(try await place.openssl(["-alpn", "http/1.1,h2"]).output.contains("ALPN protocol: h2"))
                #expect(try await place.openssl(["-alpn", "http/1.1"]).output.contains("ALPN protocol: http/1.1"))
                #expect(try await place.openssl([]).output.contains("No ALPN negotiated"))
                let refused = try await place.openssl(["-alpn", "spdy/3"])
                #expect(
                    refused.status != 0 && refused.output.contains("SSL alert number 120"),
                    "\(refused.output.suffix(500))")
                #expect(
                    place.run.facts.contains {
                        if case .tlsHello(_, "api.test", ["spdy/3"]) = $0 { true } else { false }
                    })
                if !Self.isPythonMissing {
                    let python = try await place.python("c.set_alpn_protocols(['spdy/3'])")
                    #expect(python.contains("no application protocol"), "\(python)")
                }
            }
            try await serve("alpn: none") { (place: Place) async throws in
                #expect(try await place.openssl(["-alpn", "spdy/3"]).output.contains("No ALPN negotiated"))
            }
        }

        @Test func `the server name and the presented certificate are recorded`()
            async throws
        {
            try await serve("certificate: valid", hosts: ["other.test", "api.test"]) { (place: Place) async throws in
                _ = try await place.openssl([], name: ["-servername", "other.test"])
                _ = try await place.openssl([], name: ["-noservername"])
                await place.run.wait { facts in facts.count { if case .tlsHello = $0 { true } else { false } } == 2 }
                let names = place.run.facts.compactMap { fact -> String?? in
                    if case .tlsHello(_, let name, _) = fact { .some(name) } else { nil }
                }
                #expect(names == ["other.test", nil])
                #expect(agreements(place.run).allSatisfy { $0.certificate?.contains("CN=other.test") == true })
            }
        }

        // MARK: - Sessions

        @Test(arguments: ["-tls1_2", "-tls1_3"], [true, false])
        func `a session is resumed if the server issued one`(version: String, resumes: Bool) async throws {
            try await serve("resumption: \(resumes)") { (place: Place) async throws in
                let session = place.folder + "/session.pem"
                let first = try await place.openssl([version, "-sess_out", session], request: true)
                #expect(first.output.contains("New, TLSv1"))
                #expect(FileManager.default.fileExists(atPath: session) == resumes)
                guard resumes else { return }
                let second = try await place.openssl([version, "-sess_in", session], request: true)
                #expect(second.output.contains("Reused, TLSv1"), "\(second.output.suffix(900))")
                #expect(agreements(place.run).map(\.isResumed) == [false, true])
                if !Self.isPythonMissing {
                    let python = try await place.python("c.options |= ssl.OP_NO_TICKET")
                    #expect(python.hasPrefix("ok"))
                    #expect(agreements(place.run).last?.isResumed == false)
                }
            }
        }

        @Test func `early data is offered and refused, and the request is sent again after the handshake`() async throws
        {
            try await serve("earlyData: refused") { (place: Place) async throws in
                let session = place.folder + "/session.pem"
                let early = place.folder + "/early"
                try Data("GET /early HTTP/1.1\r\nHost: api.test\r\n\r\n".utf8).write(to: URL(fileURLWithPath: early))
                let first = try await place.openssl(["-tls1_3", "-sess_out", session], request: true)
                #expect(first.output.contains("Max Early Data: 16384"))
                let second = try await place.openssl(
                    ["-tls1_3", "-sess_in", session, "-early_data", early], request: true)
                #expect(second.output.contains("Early data was rejected") && second.output.contains("Reused, TLSv1.3"))
                #expect(second.output.contains("HTTP/1.1 200"))
                #expect(agreements(place.run).last?.earlyData == .refused)
                #expect(place.run.origin.counts.requests == 2)
                #expect(
                    !place.run.facts.contains {
                        if case .requestHead(_, _, _, _, "/early", _) = $0 { true } else { false }
                    })
            }
        }

        // MARK: - Client certificates

        /// In TLS 1.3 a client finishes before the server has verified its certificate, so the refusal arrives at its
        /// first read.
        @Test(arguments: ["asked", "required"], ["1.2", "1.3"])
        func `a client certificate is requested or required`(mode: String, version: String) async throws {
            let ann = try authority.issue(CertificateRequest(commonName: "ann", usage: .client))
            let stranger = try CertificateAuthority.make(commonName: "Stranger").issue(
                CertificateRequest(commonName: "eve", usage: .client))
            try await serve("clientCertificate: \(mode), maximum: \"\(version)\"") { (place: Place) async throws in
                for (name, identity) in [("ann", ann), ("eve", stranger)] {
                    try Data((try identity.certificatePEM() + identity.privateKeyPEM()).utf8).write(
                        to: URL(fileURLWithPath: "\(place.folder)/\(name).pem"))
                }
                let without = try await place.openssl([], request: true)
                #expect(without.output.contains("HTTP/1.1 200") == (mode == "asked"), "\(without.output.suffix(600))")
                #expect(without.output.contains("Test Authority"))
                let with = try await place.openssl(["-cert", "\(place.folder)/ann.pem"], request: true)
                #expect(with.output.contains("HTTP/1.1 200"), "\(with.output.suffix(600))")
                #expect(agreements(place.run).last?.clientCertificate?.contains("CN=ann") == true)
                guard !Self.isCurlMissing else { return }
                let known = try await place.curl(["--cert", "\(place.folder)/ann.pem"])
                #expect(known.status == 0, "\(known.output)")
                let refusal: Int32 = version == "1.2" ? 35 : 56
                let bare = try await place.curl()
                #expect(bare.status == (mode == "asked" ? 0 : refusal), "\(bare.output)")
                if mode == "required", version == "1.3" {
                    #expect(bare.output.contains("certificate required"), "\(bare.output)")
                }
                // One of another authority is refused, whether requested or required (RFC 8446 §4.4.2.4: unknown_ca).
                let unknown = try await place.curl(["--cert", "\(place.folder)/eve.pem"])
                #expect(unknown.status == refusal && unknown.output.contains("unknown ca"), "\(unknown.output)")
                if !Self.isPythonMissing {
                    #expect(try await place.python("c.load_cert_chain('\(place.folder)/ann.pem')").hasPrefix("ok"))
                }
            }
        }

        // MARK: - Key log

        /// Both ends log the same secrets, so a capture can be decrypted with the origin's log (NSS's key log format).
        @Test(.enabled(if: !Command.isMissing("curl"), "curl is not installed"), arguments: ["1.2", "1.3"])
        func `the key log has the secrets that the client has`(version: String) async throws {
            let log = LogBox()
            try await serve("maximum: \"\(version)\"", keyLog: { log.add($0) }) { (place: Place) async throws in
                #expect(try await place.curl().status == 0)
                let text = try String(contentsOfFile: place.folder + "/keys-of-curl", encoding: .utf8)
                let theirs = Set(text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init))
                #expect(
                    theirs.contains { $0.hasPrefix(version == "1.2" ? "CLIENT_RANDOM " : "CLIENT_TRAFFIC_SECRET_0 ") })
                #expect(theirs.isSubset(of: log.lines))
            }
        }

        private final class LogBox: Sendable {
            private let box = Mutex<Set<String>>([])
            var lines: Set<String> { box.withLock { $0 } }
            func add(_ line: String) { box.withLock { _ = $0.insert(line) } }
        }
    }
}

/// Parses `tls:` from the text of a scenario.
enum TLSDescriptions {
    static func plan(_ words: String) throws -> OriginPlan {
        let text = """
            scenario: Sample
            proves: [TLSV-04]
            origin:
              tls: { \(words) }
              /x: { text: "0123456789" }
            steps:
              - data: /x
                as: first
            expect:
              - completes: { task: first, error: any }
            """
        return try ScenarioReader.read(file: "x", text: text).get().origin
    }
}
