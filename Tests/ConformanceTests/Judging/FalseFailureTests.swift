import AdapterProtocol
import LinkEmulator
import Testing

@testable import Record
@testable import ScenarioLanguage
@testable import Conformance

/// Tests with correct implementations that must pass and wrong ones that must fail.
@Suite struct FalseFailureTests {
    private static func wrong(_ run: Run) throws -> [String] {
        let view = try run.view()
        return InvariantCatalogue.all.flatMap { invariant in
            invariant.judge(view).map { "\($0.check): \($0.expected) / \($0.found)" }
        }
    }

    // MARK: ReceivedBytes

    @Test func `garbage that a client takes for body bytes is not an excess`() throws {
        var run = Run(Run.hello)
        run.start("first")
        run.request(1, "/hello")
        run.answer(1, [HeaderField("Content-Length", "5")], bytes: 2, ends: false)
        run.add(.server(.fault(connection: 1, request: 1, point: "responseBody: 2", effect: "garbage: xyz")))
        run.add(.server(.closed(connection: 1, by: .server)))
        run.response("first", url: "http://api.test/hello", [HeaderField("Content-Length", "5")])
        run.report("first", .didReceiveData(Array("hexyz".utf8)))
        run.complete("first")
        #expect(try Self.wrong(run) == [])
    }

    @Test func `a part that the steps requested counts as the whole file`() throws {
        var run = Run(
            """
            network: { wifi: perfect }
            origin:
              /big: { size: 64KiB }
            steps:
              - download: /big
                as: first
                headers: { Range: bytes=0-99 }
            """)
        run.start("first")
        run.request(1, "/big", [HeaderField("Range", "bytes=0-99")])
        run.answer(
            1, status: 206, [HeaderField("Content-Range", "bytes 0-99/65536"), HeaderField("Content-Length", "100")],
            bytes: 100)
        run.report("first", .didWriteData(written: 100, totalWritten: 100, expected: 100))
        run.report("first", .fileContent(offset: 0, Run.bytes("/big", 0..<100)))
        run.report("first", .didFinishDownloading(length: 100))
        run.complete("first")
        #expect(try Self.wrong(run) == [])
    }

    /// The page of the proxy has 30 bytes, which no fact of the record counts.
    @Test func `a page of a proxy is not an excess`() throws {
        func run(target: String) -> Run {
            var run = Run(Run.hello)
            run.start("first")
            run.add(
                .proxy(
                    ProxyFact(
                        proxy: "office", connection: 1,
                        event: .request(1, form: .absolute, target: target, headers: []))))
            run.add(.proxy(ProxyFact(proxy: "office", connection: 1, event: .refused(request: 1, reply: 502))))
            run.response("first", status: 502, url: "http://api.test/hello", [HeaderField("Content-Length", "30")])
            run.report("first", .didReceiveData([UInt8](repeating: 65, count: 30)))
            run.complete("first")
            return run
        }
        #expect(try Self.wrong(run(target: "http://api.test/hello")) == [])
        #expect(try Self.wrong(run(target: "api.test:80")) == [])
        #expect(
            try Self.wrong(run(target: "http://api.test/other"))
                == ["received bytes: first delivers at most the 0 bytes that the origin sent / 30 bytes"])
    }

    @Test func `the page of an origin that does not understand a request is not an excess`() throws {
        var run = Run(Run.hello)
        run.start("first")
        run.add(.server(.badRequest(connection: 1, reason: "a space in the target")))
        run.response("first", status: 400, url: "http://api.test/hello", [HeaderField("Content-Length", "3")])
        run.report("first", .didReceiveData(Array("bad".utf8)))
        run.complete("first")
        #expect(try Self.wrong(run) == [])
    }

    // MARK: Codings

    private static func coded(_ request: [HeaderField], in begun: Run = Run()) -> Run {
        var run = begun
        run.start("first")
        run.request(1, "/hello", request)
        run.answer(1, [HeaderField("Content-Encoding", "gzip")], bytes: 3)
        run.response("first", url: "http://api.test/hello", [HeaderField("Content-Encoding", "gzip")])
        run.report("first", .didReceiveData([31, 139, 8]))
        run.complete("first")
        run.end()
        return run
    }

    @Test(arguments: [nil, "identity", "br, gzip;q=0"])
    func `a client that did not offer a coding is not blamed for its body`(offer: String?) throws {
        let run = Self.coded(offer.map { [HeaderField("accept-encoding", $0)] } ?? [])
        let unsupported = Outcome.unsupported("the client does not offer to decode gzip (Accept-Encoding)")
        #expect(try run.outcome(["body: { task: first, text: hello }"]) == unsupported)
        #expect(try run.outcome(["completes: { task: first, error: any }"]) == unsupported)
        #expect(try run.outcome(["body: { task: first, length: 3B }"]) == .pass)
        // Anything else that is wrong is still found.
        for check in ["requests: { count: 2 }", "completes: { task: first, error: cancelled }"] {
            #expect(try run.outcome([check]).word == "fail")
            #expect(try run.outcome(["body: { task: first, text: hello }", check]).word == "fail")
        }
    }

    @Test(arguments: [FailureCode.cannotParseResponse, .networkConnectionLost])
    func `a client may refuse a response in a coding that it did not offer, but not lose it`(code: FailureCode) throws {
        var run = Run()
        run.start("first")
        run.request(1, "/hello", [])
        run.answer(1, [HeaderField("Content-Encoding", "gzip")], bytes: 3)
        run.complete("first", code)
        run.end()
        let outcome = try run.outcome(["completes: { task: first, error: none }", "body: { task: first, text: hello }"])
        #expect(outcome.word == (code == .cannotParseResponse ? "unsupported" : "fail"))
    }

    @Test(arguments: ["gzip", "br;q=1.0, GZIP;q=0.5", "*"])
    func `a client that offered a coding must decode it`(offer: String) throws {
        let run = Self.coded([HeaderField("Accept-Encoding", offer)])
        #expect(try run.outcome(["body: { task: first, text: hello }"]).word == "fail")
    }

    /// It does so for ranges, whose codings cannot be decoded, but then gets a complete response.
    @Test func `a client that offered the coding in another request must decode it`() throws {
        var run = Run()
        run.request(9, "/other", [HeaderField("Accept-Encoding", "gzip")])
        #expect(try Self.coded([], in: run).outcome(["body: { task: first, text: hello }"]).word == "fail")
    }

    @Test func `a scenario that writes Accept-Encoding decides for the client`() throws {
        let setup = Run.hello + "\n    headers: { Accept-Encoding: identity }"
        let run = Self.coded([HeaderField("Accept-Encoding", "identity")], in: Run(setup))
        #expect(try run.outcome(["body: { task: first, text: hello }"]).word == "fail")
    }

    // MARK: MemoryCheck

    /// The origin sends 100 MiB; half of that is allowed to a small program.
    @Test(arguments: [
        // A program of 10 MiB, and runtimes of 70 and 500 MiB.
        (10, 40, true), (10, 41, false), (70, 70, true), (70, 71, false), (500, 75, true), (500, 76, false),
        (500, 100, false),
    ])
    func `the bound of memory is relative to the program and to the bodies`(
        hello: Int64, growth: Int64, holds: Bool
    ) throws {
        var run = Run()
        run.add(.adapter(.memory(peak: hello << 20)))
        run.start("first")
        run.request(1, "/hello")
        run.answer(1, bytes: 100 << 20)
        run.add(.adapter(.memory(peak: (hello + growth) << 20)))
        #expect(try (run.found("memory: { growth: 40MiB }") == nil) == holds)
    }

    // MARK: WaitsCheck

    private static let offline = """
        network: { wifi: perfect }
        origin:
          /hello: { text: "hello" }
        steps:
          - data: /hello
            as: first
          - await: first.didComplete
          - set: { wifi: down }
          - data: /hello
            as: second
          - data: /hello
            as: third
        """

    @Test func `a request from before a task started is not attributed to it`() throws {
        var run = Run(Self.offline)
        run.start("first")
        run.request(1, "/hello")
        run.answer(1, bytes: 5)
        run.complete("first")
        run.add(.step("script"))
        run.add(.network(.interfaceState(.wifi, .down)))
        run.start("second")
        run.start("third")
        run.report("second", .taskIsWaitingForConnectivity)
        run.report("third", .taskIsWaitingForConnectivity)
        run.add(.step("timeline"))
        run.add(.network(.interfaceState(.wifi, .up)))
        run.request(2, "/hello", connection: 2)
        run.request(3, "/hello", connection: 3)
        run.complete("second")
        run.complete("third")
        #expect(try run.found("waits: { task: second }") == nil)
    }

    @Test func `waiting may be reported during the change`() throws {
        var run = Run(
            Run.hello.replacing("wifi: perfect", with: "wifi: { profile: perfect, state: down }"), wifi: .down)
        run.start("first")
        run.add(.step("timeline"))
        run.report("first", .taskIsWaitingForConnectivity)
        run.add(.network(.interfaceState(.wifi, .up)))
        run.request(1, "/hello")
        run.complete("first")
        #expect(try run.found("waits: { task: first }") == nil)
    }

    // MARK: ResumeOffsetCheck

    @Test func `bytes that the origin had not recorded yet are not an excess`() throws {
        var run = Run(Run.resumeSetup)
        run.start("first")
        run.request(1, "/big")
        // Progress is recorded every 64 KiB and at the connection's end, which this record lacks.
        run.add(.server(.responseHead(request: 1, status: 200, headers: [HeaderField("ETag", "\"v1\"")])))
        run.complete("first", .cancelled, resumeData: 800)
        run.start("second")
        run.request(2, "/big", [HeaderField("Range", "bytes=16384-"), HeaderField("If-Range", "\"v1\"")])
        run.answer(2, status: 206, [HeaderField("Content-Range", "bytes 16384-65535/65536")], bytes: 49_152)
        run.report("second", .didResumeAtOffset(offset: 16_384, expected: 65_536))
        #expect(try run.found("resumeOffset: { task: second, offset: sameAsOnTheWire }") == nil)
    }

    // MARK: ProgressCheck

    @Test(arguments: [1, 2])
    func `an upload may start again if the wire has another request`(requests: Int) throws {
        var run = Run(
            """
            network: { wifi: perfect }
            origin:
              /old: { redirect: /new, status: 307 }
              /new: { echo: true }
            steps:
              - upload: /old
                as: first
                body: { size: 10 }
            """)
        run.start("first")
        run.request(1, "/old", method: "POST", body: 10)
        run.answer(1, status: 307, [HeaderField("Location", "/new")], bytes: 0)
        run.report("first", .didSendBodyData(sent: 10, totalSent: 10, expected: 10))
        // The adapter's delegate was not called for the redirect, so there is only the request.
        if requests == 2 { run.request(2, "/new", method: "POST", body: 10) }
        run.report("first", .didSendBodyData(sent: 10, totalSent: 10, expected: 10))
        let found = try run.found("progress: { task: first, kind: upload, final: 10, monotonic: true }")
        #expect(found == (requests == 2 ? nil : "10"))
        // Each further request explains one new start.
        run.report("first", .didSendBodyData(sent: 10, totalSent: 10, expected: 10))
        #expect(try run.found("progress: { task: first, kind: upload, final: 10, monotonic: true }") == "10")
    }

    // MARK: SequenceCheck

    @Test func `unlisted upload progress does not break a sequence`() throws {
        var run = Run()
        run.start("first")
        run.report("first", .didSendBodyData(sent: 5, totalSent: 5, expected: 9))
        run.response("first", url: "http://api.test/hello")
        run.report("first", .didSendBodyData(sent: 4, totalSent: 9, expected: 9))
        run.report("first", .didReceiveData(Array("hello".utf8)))
        run.complete("first")
        #expect(
            try run.found("sequence: { task: first, events: [didReceiveResponse, didReceiveData, didComplete] }") == nil
        )
    }

    // MARK: Failures that must be found

    @Test func `a session that was invalidated must not report an error`() throws {
        var run = Run(Run.hello + "\n  - invalidate: main\n    cancel: true")
        run.say(.didBecomeInvalid(.main, error: Failure(domain: Failure.urlErrorDomain, code: -1, text: "")))
        #expect(try run.found("invalidated: { session: main }") != nil)
    }

    @Test func `an adapter that exits before its end command has crashed, even if the command follows`() throws {
        var run = Run.plain()
        let last = run.entries.count - 1
        var entries = run.entries
        let left = entries[last].fact
        entries[last].fact = entries[last - 1].fact
        entries[last - 1].fact = left
        run = Run.plain()
        guard case .fail(.crash, _) = Judge.outcome(scenario: try run.scenario(), entries: entries) else {
            Issue.record("no crash: \(Judge.outcome(scenario: try run.scenario(), entries: entries))")
            return
        }
    }

    /// TCP never repeats a RST, so after its loss on the way to the client a timeout is the right end.
    @Test(arguments: [
        (LinkDirectionName.downlink, true, "networkConnectionLost", true),
        (.uplink, true, "networkConnectionLost", false),
        (.downlink, false, "networkConnectionLost", false), (.downlink, true, "none", false),
        (.downlink, true, "cannotConnectToHost", false),
    ])
    func `a client that a RST did not reach may time out`(
        _ direction: LinkDirectionName, isBefore: Bool, expected: String, isRight: Bool
    ) throws {
        var run = Run(Run.hello)
        run.start("first")
        if isBefore { run.add(.network(.resetLost(.wifi, direction))) }
        run.complete("first", .timedOut)
        if !isBefore { run.add(.network(.resetLost(.wifi, direction))) }
        #expect(try (run.found("completes: { task: first, error: \(expected) }") == nil) == isRight)
    }

    @Test func `a crash followed by a kill is a crash`() throws {
        var run = Run()
        run.start("first")
        run.add(.adapter(.signalled(11)))
        run.add(.adapter(.killed(Labelled(.limit, "too late"))))
        guard case .fail(.crash, _) = try run.outcome() else {
            Issue.record("no crash: \(try run.outcome())")
            return
        }
    }
}
