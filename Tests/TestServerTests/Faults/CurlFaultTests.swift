import Foundation
import NIOCore
import OpenSSLTLS
import TLSTestKit
import Testing

import Record
@testable import ScenarioLanguage
@testable import TestServer

extension LoopbackTests {
    /// curl reports each fault correctly: its exit status (curl(1)), the HTTP status and the bytes it output. Each row
    /// is the effect of the fault on an independent client; where a race decides between results, the table lists them
    /// and explains why.
    @Suite(.enabled(if: !Command.isMissing("curl"), "curl is not installed")) struct CurlFaultTests {
        private static let table = CurlFaultTable.plain + CurlFaultTable.secure + CurlFaultTable.http2

        @Test(arguments: table.filter { !$0.waits }) func `curl reports each fault as in the table`(row: CurlFaultRow)
            async throws
        {
            let place = try await Place()
            defer { place.remove() }
            try await place.check(row)
        }

        /// They only wait, so they run concurrently.
        @Test func `curl reaches its own limit wherever the origin falls silent`() async throws {
            let place = try await Place()
            defer { place.remove() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, row) in Self.table.filter(\.waits).enumerated() {
                    if index >= 8 { try await group.next() }
                    group.addTask { try await place.check(row) }
                }
                try await group.waitForAll()
            }
        }

        /// curl's limit for repeated tries, on a fresh connection each time; the refused requests were not processed.
        @Test
        func
            `a stream that is always refused is tried again until curl gives up, and one that is refused twice is answered`()
            async throws
        {
            for (first, requests, status) in [(nil, 6, "000"), (2, 3, "200")] as [(Int?, Int, String)] {
                var plan = CurlFaultRow.at(
                    .requestHead, .http2, says: [.stream(.resetStream(.refusedStream)): "0 200 10"])[0].plan
                plan.faults[0].scope.first = first
                try await OriginRun.serving(plan) { run in
                    let url = "http://127.0.0.1:\(run.address.port ?? 0)/x"
                    let result = try await Command.run(
                        [
                            "curl", "-q", "-s", "--noproxy", "*", "--max-time", "20", "--http2-prior-knowledge", "-o",
                            "/dev/null", "-w", "%{http_code}", url,
                        ])
                    #expect(result.output == status)
                    #expect(run.origin.counts == Origin.Counts(connections: requests, requests: requests))
                }
            }
        }

        /// A point or an effect added to the language needs rows here.
        @Test func `every point and every effect of the language is in the table`() {
            let points = Self.table.map(\.fault.point)
            for word in FaultReader.points.words {
                #expect(points.contains(word.product), "no row at \(word.word)")
            }
            for name in FaultReader.points.keys.map(\.field.name) {
                #expect(points.contains { $0.description.hasPrefix(name) }, "no row at \(name)")
            }
            let effects = Self.table.map(\.fault.effect)
            // It grants the bytes that `closeWindow` withheld, which is not a fault.
            let words = Fault.Effect.Word.allCases.filter { $0 != .openWindow }
            for word in words {
                #expect(effects.contains { $0.recorded.word == word }, "no row does \(word.rawValue)")
            }
            #expect(Set(FaultReader.effects.keys.map(\.field.name)).isSubset(of: words.map(\.rawValue)))
            #expect(words.count > 20)
        }

        /// A folder with the files that the rows share.
        private struct Place {
            let authority: CertificateAuthority
            let folder: String

            /// The version in `curl 7.88.1 (…) …`.
            let version: String

            init() async throws {
                version = String(
                    try await Command.run(["curl", "-q", "--version"]).output.split(separator: " ").dropFirst().first
                        ?? "")
                authority = try CertificateAuthority.make(commonName: "Test Authority")
                folder = NSTemporaryDirectory() + "cw-curl-faults-\(UUID().uuidString)"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try authority.certificatePEM.write(toFile: folder + "/authority.pem", atomically: true, encoding: .utf8)
                try Data().write(to: URL(fileURLWithPath: folder + "/upload"))
                let upload = try FileHandle(forWritingTo: URL(fileURLWithPath: folder + "/upload"))
                // A sparse file, which takes no disk space.
                try upload.truncate(atOffset: 64 << 20)
            }

            func remove() { try? FileManager.default.removeItem(atPath: folder) }

            func check(_ row: CurlFaultRow) async throws {
                var tls: TLSContext?
                if row.transport.isSecure {
                    var plan = TLSPlan()
                    plan.alpn = row.transport.isHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]
                    tls = try OriginIdentity.context(for: plan, authority: authority, hosts: ["api.test"])
                }
                let output = folder + "/\(UUID().uuidString)"
                try await OriginRun.serving(row.plan, tls: tls) { run in
                    let port = try #require((row.transport.isSecure ? run.secureAddress : run.address).port)
                    let url = "http\(row.transport.isSecure ? "s" : "")://api.test:\(port)/x"
                    var arguments = [
                        "curl", "-q", "-s", "--noproxy", "*", "--max-time", row.waits ? "1" : "20", "--cacert",
                        folder + "/authority.pem",
                    ]
                    arguments += [
                        "--resolve", "api.test:\(port):127.0.0.1", "-w", "%{http_code} %{time_total} %{errormsg}\n",
                    ]
                    switch row.transport {
                    case .http1, .tls: arguments.append("--http1.1")
                    case .http2: arguments.append("--http2-prior-knowledge")
                    case .http2TLS: arguments.append("--http2")
                    }
                    switch row.request {
                    case .get: arguments += ["-o", output, url]
                    case .getTwice: arguments += ["-o", output + "-1", "-o", output, url, url]
                    case .post: arguments += ["-o", output, "--data-binary", CurlFaultRow.text, url]
                    // Without waiting for 100 Continue.
                    case .put: arguments += ["-o", output, "-H", "Expect:", "-T", folder + "/upload", url]
                    }
                    let result = try await Command.run(arguments)
                    let received = (result.output.split(separator: "\n").last ?? "").split(separator: " ", maxSplits: 2)
                    // The bytes that curl output; its own count may miss bytes read together with an error.
                    let body = (try? Data(contentsOf: URL(fileURLWithPath: output))) ?? Data()
                    let found = "\(result.status) \(received.first ?? "") \(body.count)"
                    guard
                        let answer = row.answers.first(where: {
                            $0.matches(result.status, of: version, String(received.first ?? ""), body.count)
                        })
                    else {
                        Issue.record("\(row.testDescription): curl says \(found): \(result.output)")
                        return
                    }
                    #expect(body == Data(answer.body.utf8), "\(row.testDescription)")
                    #expect(
                        received.count > 1 && Double(received[1])! >= answer.least,
                        "\(row.testDescription): \(result.output)")
                    // A fault that leaves the response whole is recorded all the same; curl may have closed an idle
                    // connection before.
                    let isFault: @Sendable (ServerFact) -> Bool = { fact in
                        if case .fault(_, _, row.fault.point.description, row.fault.recordedEffect.text) = fact {
                            true
                        } else {
                            false
                        }
                    }
                    await run.wait {
                        $0.contains { if case .closed(connection: 1, _) = $0 { true } else { isFault($0) } }
                    }
                    #expect(row.fault.point == .idle || run.facts.contains(where: isFault), "\(row.testDescription)")
                }
            }
        }
    }
}
