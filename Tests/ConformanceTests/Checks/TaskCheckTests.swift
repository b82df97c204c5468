@testable import Conformance
@testable import Record
import AdapterProtocol
import Testing

@testable import ScenarioLanguage

/// Tests of the checks about the messages and data of a task.
@Suite struct TaskCheckTests {
    private static let origin = """
        network: { wifi: perfect }
        origin:
          /hello: { text: "hello" }
          /big: { size: 64KiB, etag: '"v1"', replacedBy: { fromRequest: 2, etag: '"v2"', size: 64KiB } }
          /other: { size: 64KiB }
        steps:
          - data: /big
            as: first
        """

    @Test(
        arguments: [
            ("status: 200", nil), ("status: 404", "status 200"),
            ("url: http://api.test/hello, headers: { content-type: text/plain, X-None: absent }", nil),
            ("url: /hello", nil),
            ("url: /other", "http://api.test/hello"), ("headers: { Content-Type: absent }", "Content-Type: text/plain"),
            ("headers: { X-None: present }", "no X-None"), ("status: 200, number: 2", "1 response"),
        ] as [(String, String?)])
    func `the reported response is compared`(fields: String, found: String?) throws {
        #expect(try Run.plain().found("response: { task: first, \(fields) }") == found)
    }

    @Test func `the response of a completion handler counts`() throws {
        var run = Run(Run.hello + "\n    completionHandler: true")
        run.start("first")
        run.report(
            "first",
            .completionHandler(
                .init(status: 404, url: "http://api.test/hello", headers: [], expectedLength: 0), nil,
                resumeDataLength: nil))
        #expect(try run.found("response: { task: first, status: 404 }") == nil)
        #expect(try run.found("response: { task: first, status: 200 }") == "status 404")
    }

    private static func receives(_ bytes: [UInt8]) -> Run {
        var run = Run(origin)
        run.start("first")
        run.report("first", .didReceiveData(Array(bytes.prefix(1000))))
        run.report("first", .didReceiveData(Array(bytes.dropFirst(1000))))
        return run
    }

    @Test func `a body is compared byte for byte`() throws {
        let run = Self.receives(Run.bytes("/big", 0..<65_536))
        #expect(try run.found("body: { task: first, equals: /big }") == nil)
        #expect(try run.found("body: { task: first, equals: /big, length: 64KiB }") == nil)
        #expect(try run.found("body: { task: first, length: 65535 }") == "65536 bytes")
        #expect(try run.found("body: { task: first, text: hello }")?.hasSuffix("wrong from byte 0 on") == true)
        #expect(try run.found("body: { task: first, equals: /other }") == "from byte 0 on it belongs to /big")
        #expect(try run.found("body: { task: first, equals: /big, version: 2 }") == "from byte 0 on it belongs to /big")
    }

    @Test func `the chunk with the first wrong byte is the evidence`() throws {
        var bytes = Run.bytes("/big", 0..<65_536)
        bytes[1000] ^= 1
        let run = Self.receives(bytes)
        let mismatch = try #require(try run.judge("body: { task: first, equals: /big }").first)
        guard case .session(let event) = run.entries[try #require(mismatch.evidence.first)].fact else {
            Issue.record("no session event")
            return
        }
        #expect(event.kind == .task("first", .didReceiveData(Array(bytes.dropFirst(1000)))))
    }

    @Test func `a text is compared and shown`() throws {
        var run = Run()
        run.start("first")
        run.report("first", .didReceiveData(Array("helo\n".utf8)))
        #expect(try run.found("body: { task: first, text: \"helo\\n\" }") == nil)
        #expect(try run.found("body: { task: first, text: hello }") == #""helo\n", wrong from byte 3 on"#)
        run.report("first", .didReceiveData([0xFF]))
        #expect(
            try run.found("body: { task: first, text: hello }") == "6 bytes that are not text, wrong from byte 3 on")
    }

    @Test func `the delivered file is compared`() throws {
        #expect(try Run.resumed().found("file: { task: second, equals: /big }") == nil)
        #expect(try Run.resumed().found("file: { task: first, equals: /big }") == "no file")
        let spliced = Run.bytes("/big", 0..<16_384) + Run.bytes("/big", version: 2, 16_384..<65_536)
        let run = Run.resumed(file: spliced)
        #expect(
            try run.found("file: { task: second, equals: /big }")
                == "from byte 16384 on it belongs to version 2 of /big")
        #expect(
            try run.found("file: { task: second, equals: /big, version: 2 }")
                == "from byte 0 on it belongs to /big, up to byte 16384")
    }

    @Test func `file pieces without the delivery message are not a file`() throws {
        var run = Run(Run.resumeSetup)
        run.start("first")
        run.report("first", .fileContent(offset: 0, Run.bytes("/big", 0..<65_536)))
        #expect(try run.found("file: { task: first, equals: /big }") == "no file")
        run.report("first", .didFinishDownloading(length: 65_536))
        #expect(try run.found("file: { task: first, equals: /big }") == nil)
    }

    @Test func `an empty file from a completion handler is a file`() throws {
        var run = Run(
            Run.resumeSetup.replacing("    as: first\n", with: "    as: first\n    completionHandler: true\n")
                .replacing(
                    "didComplete", with: "completionHandler"))
        run.start("first")
        run.report("first", .completionHandler(nil, nil, resumeDataLength: nil))
        #expect(try run.found("file: { task: first, text: '' }") == nil)
        #expect(try run.found("file: { task: first, length: 1 }") == "0 bytes")
    }

    // MARK: Resuming

    @Test func `a resume must agree with the wire`() throws {
        let check = "resumeOffset: { task: second, offset: sameAsOnTheWire }"
        #expect(try Run.resumed().found(check) == nil)
        #expect(try Run.resumed(at: 8_000).found(check) == nil)
        #expect(try Run.resumed(status: 200).found(check) == nil)
        #expect(try Run.resumed(at: 8_000).found("resumeOffset: { task: second, offset: 8000, request: 2 }") == nil)
        #expect(try Run.resumed(status: 200).found("resumeOffset: { task: second, offset: zero }") == nil)

        #expect(try Run.resumed(told: 0).found(check) == "second.didResumeAtOffset says 0")
        #expect(try Run.resumed(told: 8_000, status: 200).found(check) == "second.didResumeAtOffset says 8000")
        #expect(try Run.resumed(at: 16_385).found(check) == "second.didResumeAtOffset says 16385")
        #expect(try Run.resumed(expected: 49_152).found(check) == "second.didResumeAtOffset says 16384 of 49152 bytes")
        #expect(try Run.resumed(asks: false).found(check) == "the part from byte 16384 on was accepted")
        #expect(try Run.resumed().found("resumeOffset: { task: second, offset: zero }") == "it says 16384")
        #expect(try Run.resumed().found("resumeOffset: { task: first, offset: zero }") == "none")
        #expect(
            try Run.resumed().found("resumeOffset: { task: second, offset: sameAsOnTheWire, request: 1 }")
                == "second.didResumeAtOffset says 16384")
    }

    @Test func `a resume that is reported twice is found`() throws {
        var run = Run.resumed()
        run.report("second", .didResumeAtOffset(offset: 16_384, expected: 65_536))
        #expect(try run.found("resumeOffset: { task: second, offset: 16384 }") == "2")
    }

    @Test func `a request that two tasks may have made is not attributed`() throws {
        let setup = Run.resumeSetup.replacing(
            "  - await: first.didComplete\n", with: "  - download: /big\n    as: third\n  - await: first.didComplete\n")
        var run = Run(setup)
        for task in ["first", "third", "second"] as [TaskName] { run.start(task) }
        run.request(1, "/big", [HeaderField("Range", "bytes=5-")])
        run.answer(1, status: 206, [HeaderField("Content-Range", "bytes 5-65535/65536")], bytes: 65_531)
        run.report("second", .didResumeAtOffset(offset: 5, expected: 65_536))
        let found = try run.found("resumeOffset: { task: second, offset: sameAsOnTheWire }")
        #expect(found == "several tasks may have sent it; name the request in the scenario with `request:`")
        // A named request is compared: nothing had been sent before.
        #expect(
            try run.found("resumeOffset: { task: second, offset: sameAsOnTheWire, request: 1 }")
                == "second.didResumeAtOffset says 5")
    }

    // MARK: Progress

    private static func download(_ messages: [(Int64, Int64)], resumedAt offset: Int64? = nil) -> Run {
        var run = Run(Run.resumeSetup)
        run.start("first")
        if let offset { run.report("first", .didResumeAtOffset(offset: offset, expected: 100)) }
        for (step, total) in messages {
            run.report("first", .didWriteData(written: step, totalWritten: total, expected: 100))
        }
        return run
    }

    @Test func `progress must add up to the size`() throws {
        let check = "progress: { task: first, kind: download, final: 100, expected: 100, monotonic: true }"
        #expect(try Self.download([(40, 40), (60, 100)]).found(check) == nil)
        #expect(try Self.download([(40, 60), (40, 100)], resumedAt: 20).found(check) == nil)
        #expect(try Self.download([]).found(check) == "no didWriteData")
        #expect(try Self.download([(40, 40), (60, 101)]).found(check) == "101")
        #expect(try Self.download([(40, 40), (40, 80)]).found(check) == "80")
        #expect(try Self.download([(60, 60), (-20, 40), (60, 100)]).found(check) == "40")
        #expect(try Self.download([(60, 60), (40, 40)]).found(check) == "40")
        #expect(try Self.download([(80, 100)], resumedAt: 10).found(check) == "100")
        #expect(
            try Self.download([(100, 100)]).found("progress: { task: first, kind: download, expected: -1 }") == "100")
        // A check of the end alone ignores totals that do not add up.
        #expect(try Self.download([(1, 100)]).found("progress: { task: first, kind: download, final: 100 }") == nil)
    }

    @Test func `an upload may start again only after a challenge`() throws {
        let check = "progress: { task: first, kind: upload, final: 10, monotonic: true }"
        func run(challenged: Bool) -> Run {
            var run = Run()
            run.start("first")
            run.report("first", .didSendBodyData(sent: 10, totalSent: 10, expected: 10))
            if challenged {
                run.report(
                    "first",
                    .didReceiveChallenge(
                        .init(level: .task, method: "httpBasic", realm: nil, host: "api.test", previousFailureCount: 0)
                    ))
            }
            run.report("first", .didSendBodyData(sent: 10, totalSent: 10, expected: 10))
            return run
        }
        #expect(try run(challenged: true).found(check) == nil)
        #expect(try run(challenged: false).found(check) == "10")
    }

    @Test(arguments: ["60", "50", nil]) func `an upload starts where its append starts`(offset: String?) throws {
        var run = Run()
        run.start("first")
        run.request(1, "/rest", method: "PATCH", offset.map { [HeaderField("Upload-Offset", $0)] } ?? [], body: 40)
        run.report("first", .didSendBodyData(sent: 40, totalSent: 100, expected: 100))
        let found = try run.found("progress: { task: first, kind: upload, final: 100, monotonic: true }")
        #expect(found == (offset == "60" ? nil : "100"))
    }

    @Test(arguments: [(20, nil), (40, nil), (50, "60")] as [(Int64, String?)])
    func `a later append may go back and not forward`(offset: Int64, found: String?) throws {
        var run = Run()
        run.start("first")
        run.request(1, "/rest", method: "PATCH", [HeaderField("Upload-Offset", "\(offset)")], body: 10)
        run.report("first", .didSendBodyData(sent: 40, totalSent: 40, expected: 100))
        run.report("first", .didSendBodyData(sent: 10, totalSent: offset + 10, expected: 100))
        let check = "progress: { task: first, kind: upload, expected: 100, monotonic: true }"
        #expect(try run.found(check) == found)
    }

    // MARK: Delegate decisions

    @Test func `challenges are compared one by one`() throws {
        var run = Run()
        run.start("first")
        run.report(
            "first",
            .didReceiveChallenge(
                .init(level: .task, method: "httpBasic", realm: "lab", host: "api.test", previousFailureCount: 0))
        )
        run.report(
            "first",
            .didReceiveChallenge(
                .init(level: .task, method: "httpBasic", realm: nil, host: "api.test", previousFailureCount: 1)))
        for check in [
            "number: 1, method: httpBasic, level: task, realm: lab, previousFailureCount: 0, host: api.test",
            "number: 2, previousFailureCount: 1",
            "count: 2", "atMost: 2, method: httpBasic",
        ] { #expect(try run.found("challenge: { task: first, \(check) }") == nil, "\(check)") }
        for (check, found) in [
            ("number: 2, previousFailureCount: 0", "previousFailureCount 1"),
            ("method: httpDigest", "method httpBasic"),
            ("level: session, realm: x", "level task, realm lab"), ("number: 2, realm: lab", "realm none"),
            ("host: x.test", "host api.test"),
            ("count: 1", "2"), ("number: 3", "2 challenges"),
        ] { #expect(try run.found("challenge: { task: first, \(check) }") == found, "\(check)") }
        #expect(try Run().found("challenge: { task: first, count: 0 }") == nil)
    }

    /// Some sessions call their delegate for every certificate, others for none.
    @Test func `a server trust challenge counts only for a check about it`() throws {
        var run = Run()
        run.start("first")
        for (level, method) in [(TaskEvent.Challenge.Level.session, "serverTrust"), (.task, "httpBasic")] {
            run.report(
                "first",
                .didReceiveChallenge(
                    .init(level: level, method: method, realm: nil, host: "api.test", previousFailureCount: 0)))
        }
        for check in [
            "number: 1, method: httpBasic, level: task", "count: 1", "onlyLevel: task",
            "number: 1, method: serverTrust, level: session",
        ] {
            #expect(try run.found("challenge: { task: first, \(check) }") == nil, "\(check)")
        }
        #expect(try run.found("challenge: { task: first, number: 2, method: httpBasic }") == "1 challenge")
        #expect(try run.found("challenge: { task: first, method: serverTrust, level: task }") == "level session")
    }

    @Test func `redirects are compared one by one`() throws {
        var run = Run()
        run.start("first")
        run.report("first", .willPerformRedirect(status: 302, url: "http://api.test/new", method: "GET"))
        for check in ["number: 1, status: 302, url: http://api.test/new, method: GET", "count: 1"] {
            #expect(try run.found("redirect: { task: first, \(check) }") == nil, "\(check)")
        }
        for (check, found) in [
            ("status: 301", "status 302"), ("url: http://api.test/old", "url http://api.test/new"),
            ("method: POST", "method GET"),
            ("count: 0", "1"), ("number: 2", "1 redirect"),
        ] { #expect(try run.found("redirect: { task: first, \(check) }") == found, "\(check)") }
    }

    @Test func `inspections are compared one by one`() throws {
        var run = Run()
        run.start("first")
        run.report(
            "first",
            .inspected(state: "running", bytesReceived: 5, bytesSent: 0, expectedToReceive: -1, expectedToSend: 0))
        for check in [
            "state: running", "state: [running, suspended], bytesReceived: 1..5, expectedToReceive: -1",
            "bytesSent: 0, expectedToSend: 0",
        ] {
            #expect(try run.found("inspected: { task: first, \(check) }") == nil, "\(check)")
        }
        for (check, found) in [
            ("state: completed", "state running"), ("bytesReceived: 6..9", "bytesReceived 5"),
            ("bytesSent: 1", "bytesSent 0"),
            ("expectedToReceive: 0..9", "expectedToReceive -1"), ("expectedToSend: 1", "expectedToSend 0"),
            ("state: running, number: 2", "1 inspection"),
        ] { #expect(try run.found("inspected: { task: first, \(check) }") == found, "\(check)") }
    }
}
