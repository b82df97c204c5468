@testable import Conformance
import Record
import AdapterProtocol
import NIOCore
import ScenarioLanguage
import Testing

@testable import TestServer

extension LoopbackTests {
    /// A raw client performs each step of the draft; the bytes held by the origin are checked with the pattern, which
    /// differs at every offset.
    @Suite struct OriginUploadTests {
        typealias Version = ResumableUploadPlan.Version

        private static func plan(
            _ version: Version, _ faults: [Fault] = [], _ change: (inout ResumableUploadPlan) -> Void = { _ in }
        ) -> OriginPlan {
            var upload = ResumableUploadPlan()
            upload.version = version
            change(&upload)
            var route = Route(path: "/big", content: .resource(Resource(body: .text("stored"))))
            route.resumableUpload = upload
            var plan = OriginPlan()
            plan.routes = [route]
            plan.faults = faults
            return plan
        }

        private func request(
            _ method: String, _ path: String, _ version: Version?, _ fields: [String] = [], body: Int? = nil
        ) -> String {
            let lines =
                ["\(method) \(path) HTTP/1.1", "Host: api.test"]
                + (version.map { ["Upload-Draft-Interop-Version: \($0.rawValue)"] } ?? [])
                + fields + (body.map { ["Content-Length: \($0)"] } ?? [])
            return lines.joined(separator: "\r\n") + "\r\n\r\n"
        }

        private func complete(_ version: Version, _ isComplete: Bool) -> String {
            version == .version3
                ? "Upload-Incomplete: \(isComplete ? "?0" : "?1")" : "Upload-Complete: \(isComplete ? "?1" : "?0")"
        }

        /// Returns the final response of this request.
        private func decision(_ run: OriginRun, _ number: Int) async -> (status: Int, headers: [HeaderField]) {
            await run.wait { $0.contains { if case .responseEnded(number, _) = $0 { true } else { false } } }
            return run.facts.lazy.compactMap { fact in
                if case .responseHead(number, let status, let headers) = fact { (status, headers) } else { nil }
            }.first ?? (0, [])
        }

        @Test(arguments: Version.allCases)
        func `an upload cut at byte N continues from there`(version: Version) async throws {
            let cut = [Fault(point: .requestBody(40_000), effect: .reset, scope: .init(request: 1))]
            try await OriginRun.serving(Self.plan(version, cut)) { run in
                let first = try await RawClient.connect(to: run.address)
                first.send(request("POST", "/big", version, [complete(version, true)], body: 100_000))
                first.send(Bytes.big(0, 60_000))
                _ = await first.end()
                #expect(first.text.hasPrefix("HTTP/1.1 104 Upload Resumption Supported\r\n"))
                #expect(first.text.contains("Location: /big/upload-1\r\n"))
                #expect(first.text.contains("Upload-Draft-Interop-Version: \(version.rawValue)\r\n"))

                let second = try await RawClient.connect(to: run.address)
                second.send(request("HEAD", "/big/upload-1", version))
                let offset = await decision(run, 2)
                #expect(offset.status == 204 && offset.headers.value(of: "Upload-Offset") == "40000")
                #expect(offset.headers.contains { "\($0.name): \($0.value)" == complete(version, false) })
                #expect(offset.headers.value(of: "Cache-Control") == "no-store")
                #expect((offset.headers.value(of: "Upload-Length") == "100000") == (version >= .version6))

                let type = "Content-Type: application/partial-upload"
                second.send(
                    request(
                        "PATCH", "/big/upload-1", version, [complete(version, true), "Upload-Offset: 40000", type],
                        body: 60_000))
                second.send(Bytes.big(40_000, 60_000))
                let last = await decision(run, 3)
                #expect(last.status == 200 && last.headers.value(of: "Upload-Offset") == "100000")
                #expect(last.headers.contains { "\($0.name): \($0.value)" == complete(version, true) })
                #expect(await second.receive(until: "stored").hasSuffix("stored"))
                #expect(run.facts.contains(.requestEnded(request: 3, bodyBytes: 60_000, differsAt: nil, bodyText: nil)))
            }
        }

        /// The 104 names the accepted version; version 3 does not report progress, so its only 104 is the one with the
        /// address.
        @Test(arguments: Version.allCases)
        func `an origin that accepts any version responds to each in its own`(version: Version) async throws {
            let plan = Self.plan(.version8) {
                $0.acceptsAnyVersion = true
                $0.progressEvery = ByteCount(10_000)!
            }
            try await OriginRun.serving(plan) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(request("POST", "/big", version, [complete(version, true)], body: 30_000))
                client.send(Bytes.big(0, 30_000))
                let last = await decision(run, 1)
                #expect(last.status == 200)
                #expect(last.headers.value(of: "Upload-Draft-Interop-Version") == "\(version.rawValue)")
                #expect(last.headers.contains { "\($0.name): \($0.value)" == complete(version, true) })
                let told = run.facts.compactMap { if case .interim(1, 104, let headers) = $0 { headers } else { nil } }
                #expect(told.allSatisfy { $0.value(of: "Upload-Draft-Interop-Version") == "\(version.rawValue)" })
                #expect(told.first?.value(of: "Location") == "/big/upload-1")
                #expect(version == .version3 ? told.count == 1 : told.count > 1)
                let plain = try await RawClient.connect(to: run.address)
                plain.send(
                    "POST /big HTTP/1.1\r\nHost: a\r\nUpload-Draft-Interop-Version: 7\r\nContent-Length: 1\r\n\r\nx")
                #expect(await decision(run, 2).headers.value(of: "Upload-Draft-Interop-Version") == nil)
            }
        }

        @Test func `bytes of another offset are detected`() async throws {
            let cut = [Fault(point: .requestBody(40_000), effect: .reset, scope: .init(request: 1))]
            try await OriginRun.serving(Self.plan(.version8, cut)) { run in
                let first = try await RawClient.connect(to: run.address)
                first.send(request("POST", "/big", .version8, ["Upload-Complete: ?1"], body: 100_000))
                first.send(Bytes.big(0, 50_000))
                _ = await first.end()
                let second = try await RawClient.connect(to: run.address)
                let fields = [
                    "Upload-Complete: ?1", "Upload-Offset: 40000", "Content-Type: application/partial-upload",
                ]
                second.send(request("PATCH", "/big/upload-1", .version8, fields, body: 60_000))
                second.send(Bytes.big(0, 60_000))
                _ = await decision(run, 2)
                #expect(run.facts.contains(.requestEnded(request: 2, bodyBytes: 60_000, differsAt: 0, bodyText: nil)))
            }
        }

        @Test(arguments: Version.allCases)
        func `a wrong offset is a conflict, and the upload continues`(version: Version) async throws {
            try await OriginRun.serving(Self.plan(version)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(request("POST", "/big", version, [complete(version, false)], body: 1_000))
                client.send(Bytes.big(0, 1_000))
                let created = await decision(run, 1)
                #expect(created.status == 201 && created.headers.value(of: "Location") == "/big/upload-1")
                let type = "Content-Type: application/partial-upload"
                client.send(
                    request(
                        "PATCH", "/big/upload-1", version, [complete(version, true), "Upload-Offset: 999", type],
                        body: 1))
                client.send("x")
                let conflict = await decision(run, 2)
                #expect(conflict.status == 409 && conflict.headers.value(of: "Upload-Offset") == "1000")
                client.send(
                    request(
                        "PATCH", "/big/upload-1", version, [complete(version, false), "Upload-Offset: 1000", type],
                        body: 500))
                client.send(Bytes.big(1_000, 500))
                #expect(await decision(run, 3).status == (version == .version8 ? 204 : 201))
                client.send(
                    request(
                        "PATCH", "/big/upload-1", version, [complete(version, true), "Upload-Offset: 1500", type],
                        body: 0))
                #expect(await decision(run, 4).status == 200)
                client.send(request("DELETE", "/big/upload-1", version))
                #expect(await decision(run, 5).status == 204)
                client.send(request("HEAD", "/big/upload-1", version))
                #expect(await decision(run, 6).status == 404)
            }
        }

        @Test(arguments: [Version?.none, .version6])
        func `a request without a version or with another one is an ordinary upload`(version: Version?) async throws {
            try await OriginRun.serving(Self.plan(.version8)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(request("POST", "/big", version, ["Upload-Complete: ?1"], body: 10))
                client.send(Bytes.big(0, 10))
                #expect(await decision(run, 1).headers.value(of: "Upload-Offset") == nil)
                #expect(await client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            }
        }

        @Test func `progress is reported, and after a cut only the bytes kept`() async throws {
            let cut = [Fault(point: .requestBody(250_000), effect: .close)]
            let plan = Self.plan(.version8, cut) {
                $0.progressEvery = ByteCount(65_536)!
                $0.keepsMultiplesOf = ByteCount(65_536)!
            }
            try await OriginRun.serving(plan) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(request("PUT", "/big", .version8, ["Upload-Complete: ?1"], body: 300_000))
                client.send(Bytes.big(0, 250_000))
                _ = await client.end()
                #expect(client.text.contains("\r\nUpload-Offset: 196608\r\n"))
                // Only the first 104 has the address.
                #expect(client.text.ranges(of: "Location:").count == 1)
                let second = try await RawClient.connect(to: run.address)
                second.send(request("HEAD", "/big/upload-1", .version8))
                #expect(await decision(run, 2).headers.value(of: "Upload-Offset") == "196608")
            }
        }

        @Test func `violations of the draft are refused`() async throws {
            try await OriginRun.serving(Self.plan(.version8) { $0.maximumSize = ByteCount(1_000)! }) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(request("POST", "/big", .version8, ["Upload-Complete: ?1"], body: 1_001))
                client.send(Bytes.big(0, 1_001))
                let large = await decision(run, 1)
                #expect(large.status == 413 && large.headers.value(of: "Upload-Limit") == "max-size=1000")
                client.send(request("POST", "/big", .version8, ["Upload-Complete: ?0", "Upload-Length: 20"], body: 10))
                client.send(Bytes.big(0, 10))
                #expect(await decision(run, 2).status == 201)
                let path =
                    run.facts.lazy.compactMap { fact in
                        if case .responseHead(2, _, let headers) = fact { headers.value(of: "Location") } else { nil }
                    }.first ?? ""
                let type = "Content-Type: application/partial-upload"
                let wrong: [(fields: [String], status: Int)] = [
                    (["Upload-Complete: ?1", type], 400), (["Upload-Complete: ?1", "Upload-Offset: 10"], 415),
                    (["Upload-Complete: ?1", "Upload-Offset: -1", type], 400),
                    (["Upload-Complete: ?1", "Upload-Offset: 10", type], 400),
                ]
                for (number, wrong) in wrong.enumerated() {
                    client.send(request("PATCH", path, .version8, wrong.fields, body: 1))
                    client.send("x")
                    #expect(await decision(run, 3 + number).status == wrong.status, "\(wrong.fields)")
                }
                client.send(request("POST", path, .version8, [], body: 0))
                #expect(await decision(run, 7).status == 405)
                client.send(request("HEAD", "/big/upload-99", .version8))
                #expect(await decision(run, 8).status == 404)
            }
        }
    }
}
