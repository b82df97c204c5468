import AdapterProtocol
import Testing

@testable import Record
@testable import ScenarioLanguage
@testable import Conformance

/// Tests that every invariant holds on correct runs and fails on a run that violates only this one.
@Suite struct InvariantTests {
    private static func broken(_ run: Run) throws -> [String: String] {
        let record = try run.view()
        var found: [String: String] = [:]
        for invariant in InvariantCatalogue.all {
            for mismatch in invariant.judge(record) {
                #expect(mismatch.check == invariant.name && mismatch.line == nil)
                #expect(!mismatch.evidence.isEmpty && mismatch.evidence.allSatisfy(run.entries.indices.contains))
                found[mismatch.check] = mismatch.found
            }
        }
        return found
    }

    @Test func `correct runs violate no invariant`() throws {
        #expect(try Self.broken(.plain()).isEmpty)
        #expect(try Self.broken(.resumed()).isEmpty)
        #expect(try Self.broken(.resumed(status: 200)).isEmpty)
    }

    @Test func `every name is unique`() {
        let names = InvariantCatalogue.all.map { $0.name }
        #expect(Set(names).count == names.count)
    }

    // MARK: One completion

    @Test func `a second completion is found`() throws {
        var run = Run.plain()
        run.complete("first", .timedOut)
        #expect(try Self.broken(run) == ["one completion": "2: didComplete, didComplete"])
    }

    @Test(
        arguments: [
            ("background, identifier: a", 50, .killed, true), ("background, identifier: a", 50, .terminated, true),
            ("background, identifier: a", 50, .suspended, false), ("background, identifier: a", 150, .killed, false),
            ("default", 50, .killed, false),
        ] as [(String, Int64, ProcessChange, Bool)])
    func `a completion may come again in the process after one that is ended at once`(
        kind: String, milliseconds: Int64, change: ProcessChange, isRight: Bool
    ) throws {
        var run = Run(
            """
            session: { kind: \(kind) }
            origin:
              /hello: { text: "hello" }
            steps:
              - download: /hello
                as: first
            """)
        run.start("first")
        run.complete("first", .timedOut)
        run.wait(milliseconds: milliseconds)
        run.add(.adapter(.process(generation: 1, Labelled(change))))
        run.complete("first", .timedOut)
        #expect(try Self.broken(run).isEmpty == isRight)
    }

    @Test func `a resumed task without an end is found and one that was never resumed is not`() throws {
        var run = Run()
        #expect(try Self.broken(run).isEmpty)
        run.start("first")
        #expect(try Self.broken(run) == ["one completion": "no completion"])
        run.command(.suspend("first"))
        #expect(try Self.broken(run).isEmpty)
        run.start("first")
        #expect(try Self.broken(run) == ["one completion": "no completion"])
        run.command(.suspend("first"))
        var invalidated = run
        run.command(.cancel("first"))
        #expect(try Self.broken(run) == ["one completion": "no completion"])
        invalidated.command(.invalidate("main", cancelling: false))
        #expect(try Self.broken(invalidated).isEmpty)
        invalidated.command(.invalidate("main", cancelling: true))
        #expect(try Self.broken(invalidated) == ["one completion": "no completion"])
    }

    // MARK: Silence

    @Test func `a stream task ends by becoming streams and only their reads and writes follow`() throws {
        var run = Run()
        run.start("first")
        run.report("first", .didBecomeStreams)
        var read = run
        read.report("first", .streamRead([1], isAtEnd: false, nil))
        read.end()
        #expect(try Self.broken(read) == [:])
        var told = run
        told.report("first", .readClosed)
        told.end()
        #expect(try Self.broken(told) == ["silence after completion": "readClosed"])
        run.complete("first")
        run.end()
        #expect(try Self.broken(run) == ["one completion": "2: didComplete, didBecomeStreams"])
    }

    @Test func `metrics and replies may follow the completion and messages may not`() throws {
        var run = Run.plain()
        run.report("first", .didFinishCollectingMetrics(transactions: 1))
        run.report(
            "first",
            .inspected(state: "completed", bytesReceived: 5, bytesSent: 0, expectedToReceive: 5, expectedToSend: 0))
        run.report("first", .resumeDataProduced(length: nil))
        #expect(try Self.broken(run).isEmpty)
        run.report("first", .taskIsWaitingForConnectivity)
        run.report("first", .willCacheResponse)
        #expect(try Self.broken(run) == ["silence after completion": "taskIsWaitingForConnectivity and 1 more"])
    }

    @Test func `a message of a session after its invalidation is found`() throws {
        var run = Run.plain()
        run.say(.didBecomeInvalid("main", error: nil))
        #expect(try Self.broken(run).isEmpty)
        run.report("first", .didFinishCollectingMetrics(transactions: 1))
        #expect(try Self.broken(run) == ["silence after invalidation": "didFinishCollectingMetrics"])
        run.say(.didBecomeInvalid("main", error: nil))
        #expect(try Self.broken(run)["silence after invalidation"] != nil)
        var twice = Run.plain()
        twice.say(.didBecomeInvalid("main", error: nil))
        twice.say(.didBecomeInvalid("main", error: nil))
        #expect(try Self.broken(twice) == ["silence after invalidation": "2"])
    }

    @Test func `another session may continue`() throws {
        var run = Run(
            "sessions: { main: {}, other: {} }\norigin: { /hello: { text: hello } }\nsteps:\n  - { data: /hello, as: first, session: main }"
        )
        run.start("first")
        run.say(.didBecomeInvalid("other", error: nil))
        run.complete("first", .cancelled)
        #expect(try Self.broken(run).isEmpty)
    }

    @Test func `a message of the second session after its invalidation is found`() throws {
        var run = Run(
            "sessions: { main: {}, other: {} }\norigin: { /hello: { text: hello } }\nsteps:\n  - { data: /hello, as: first, session: other }"
        )
        run.start("first")
        run.complete("first", .cancelled)
        run.say(.didBecomeInvalid("other", error: nil))
        #expect(try Self.broken(run).isEmpty)
        run.report("first", .didFinishCollectingMetrics(transactions: 1))
        #expect(try Self.broken(run) == ["silence after invalidation": "didFinishCollectingMetrics"])
    }

    // MARK: Data

    private static func data(_ happen: (inout Run) -> Void) -> Run {
        var run = Run()
        run.start("first")
        run.request(1, "/hello")
        run.answer(1, [HeaderField("Content-Length", "5")], bytes: 5)
        happen(&run)
        return run
    }
    private static let hello = Array("hello".utf8)
    private static let length = [HeaderField("Content-Length", "5")]

    @Test func `data before or without the response is found`() throws {
        let late = Self.data { run in
            run.report("first", .didReceiveData(Self.hello))
            run.response("first", url: "http://api.test/hello")
            run.complete("first")
        }
        #expect(try Self.broken(late) == ["response before data": "the response after the data"])
        let never = Self.data { run in
            run.report("first", .didReceiveData(Self.hello))
            run.complete("first")
        }
        #expect(try Self.broken(never) == ["response before data": "no response"])
    }

    @Test func `a completion handler gets response and data at once`() throws {
        func run(_ response: TaskEvent.Response?) throws -> [String: String] {
            var run = Run(Run.hello + "\n    completionHandler: true")
            run.start("first")
            run.request(1, "/hello")
            run.answer(1, Self.length, bytes: 5)
            run.report("first", .didReceiveData(Self.hello))
            run.report("first", .completionHandler(response, nil, resumeDataLength: nil))
            return try Self.broken(run)
        }
        let response = TaskEvent.Response(
            status: 200, url: "http://api.test/hello", headers: Self.length, expectedLength: 5)
        #expect(try run(response).isEmpty)
        #expect(try run(nil) == ["response before data": "none"])
    }

    // MARK: Bytes

    @Test func `more bytes than were sent are found`() throws {
        let run = Self.data { run in
            run.response("first", url: "http://api.test/hello")
            run.report("first", .didReceiveData(Self.hello))
            run.report("first", .didReceiveData([33]))
            run.complete("first")
        }
        #expect(try Self.broken(run) == ["received bytes": "6 bytes"])
        let mismatch = try #require(ReceivedBytes.judge(try run.view()).first)
        guard case .session(let event) = run.entries[try #require(mismatch.evidence.last)].fact else {
            Issue.record("no event")
            return
        }
        #expect(event.kind == .task("first", .didReceiveData([33])))
    }

    /// SCHD-09
    @Test func `the bytes of a request that replaced a delayed one are compared with those of its own URL`() throws {
        func run(_ length: Int64) throws -> [String: String] {
            var run = Run(
                """
                origin: { /hello: { text: hello }, /other: { text: hello } }
                session: { kind: background, identifier: updates }
                steps:
                  - { download: /hello, as: first, earliestBegin: 1s, delayedRequest: replace, replacementURL: /other }
                """)
            run.start("first")
            run.request(1, "/other")
            run.answer(1, Self.length, bytes: 5)
            run.report("first", .fileContent(offset: 0, Array(repeating: 104, count: Int(length))))
            run.report("first", .didFinishDownloading(length: length))
            run.complete("first")
            return try Self.broken(run)
        }
        #expect(try run(5).isEmpty)
        #expect(try run(6)["received bytes"] == "6 bytes")
    }

    @Test func `bytes of a protocol class, of a file and of the URL itself are not compared with the wire`() throws {
        func run(_ sessions: String, _ url: String = "/hello") throws -> [String: String] {
            var run = Run(
                "origin: { /hello: { text: hello } }\nsessions: \(sessions)\nsteps:\n  - { data: '\(url)', as: first, session: main }"
            )
            run.start("first")
            run.response("first", url: url.hasPrefix("/") ? "http://api.test/hello" : url)
            run.report("first", .didReceiveData(Self.hello))
            run.complete("first")
            return try Self.broken(run)
        }
        let classes = "{ protocolClasses: { scheme: http, response: hello } }"
        #expect(try run("{ main: \(classes) }").isEmpty)
        #expect(try run("{ main: {}, other: \(classes) }") == ["received bytes": "5 bytes"])
        #expect(
            try run("{ main: {}, other: { protocolClasses: { scheme: http, response: hello, registered: true } } }")
                .isEmpty)
        #expect(try run("{ main: {} }", "file:///etc/hosts").isEmpty && run("{ main: {} }", "data:,hello").isEmpty)
    }

    @Test func `a protocol class may start while its task ends and is not a message`() throws {
        var run = Run(
            "origin: { /hello: { text: hello } }\nsession: { protocolClasses: { scheme: http, response: hello } }\nsteps:\n  - { data: /hello, as: first }\n  - invalidate: main"
        )
        run.start("first")
        run.complete("first", .cancelled)
        run.say(.didBecomeInvalid(.main, error: nil))
        run.report("first", .protocolLoad(number: 1, url: "http://api.test/hello"))
        #expect(try Self.broken(run).isEmpty)
        run.report("first", .didReceiveData(Self.hello))
        #expect(try Self.broken(run).keys.contains("silence after completion"))
    }

    @Test func `fewer bytes than announced are not a success`() throws {
        func run(_ code: FailureCode?, _ headers: [HeaderField]) -> Run {
            Self.data { run in
                run.response("first", url: "http://api.test/hello", headers)
                run.report("first", .didReceiveData(Array(Self.hello.prefix(4))))
                run.complete("first", code)
            }
        }
        #expect(try Self.broken(run(nil, Self.length)) == ["received bytes": "4 bytes, without an error"])
        #expect(try Self.broken(run(.networkConnectionLost, Self.length)).isEmpty)
        #expect(try Self.broken(run(nil, [])).isEmpty)
        #expect(try Self.broken(run(nil, Self.length + [HeaderField("Content-Encoding", "gzip")])).isEmpty)
        #expect(
            try Self.broken(run(nil, Self.length + [HeaderField("Content-Encoding", "identity")])) == [
                "received bytes": "4 bytes, without an error"
            ])
    }

    /// The origin's count is exact only if a response, a connection or a fault ended.
    @Test func `an unfinished response or one that the client aborted is not counted`() throws {
        func run(closedBy: ServerFact.Closing?, effect: String? = nil) -> Run {
            var run = Run()
            run.start("first")
            run.request(1, "/hello")
            run.answer(1, bytes: 2, ends: false)
            if let effect {
                run.add(.server(.fault(connection: 1, request: 1, point: "responseBody: 2", effect: effect)))
            }
            run.response("first", url: "http://api.test/hello")
            run.report("first", .didReceiveData(Self.hello))
            run.complete("first", .cancelled)
            if let closedBy { run.add(.server(.closed(connection: 1, by: closedBy))) }
            return run
        }
        #expect(try Self.broken(run(closedBy: nil)).isEmpty)
        #expect(try Self.broken(run(closedBy: .client)).isEmpty)
        #expect(try Self.broken(run(closedBy: .reset)).isEmpty)
        #expect(try Self.broken(run(closedBy: .server)) == ["received bytes": "5 bytes"])
        #expect(try Self.broken(run(closedBy: .client, effect: "pause: 1.0 seconds")).isEmpty)
        #expect(try Self.broken(run(closedBy: .client, effect: "stall")) == ["received bytes": "5 bytes"])
    }

    @Test func `a file that is too short or too long is found`() throws {
        let whole = Run.bytes("/big", 0..<65_536)
        #expect(try Self.broken(.resumed(file: Array(whole.dropLast()))) == ["received bytes": "65535 bytes"])
        #expect(try Self.broken(.resumed(file: whole + [0])) == ["received bytes": "65537 bytes"])
        #expect(
            try Self.broken(.resumed(status: 200, file: Array(whole.dropLast()))) == ["received bytes": "65535 bytes"])
    }

    @Test func `bytes after a redirect count`() throws {
        var run = Run(
            "origin: { /old: { redirect: /new }, /new: { text: hello } }\nsteps:\n  - { data: /old, as: first, redirect: follow }"
        )
        run.start("first")
        run.request(1, "/old")
        run.answer(1, status: 302, [HeaderField("Location", "/new")], bytes: 0)
        run.request(2, "/new")
        run.answer(2, Self.length, bytes: 5)
        run.response("first", url: "http://api.test/new", Self.length)
        run.report("first", .didReceiveData(Self.hello))
        run.complete("first")
        #expect(try Self.broken(run).isEmpty)
        #expect(try run.view().requests(of: "first")?.map(\.number) == [1, 2])
    }

    // MARK: Paths

    private static let offline =
        "network: { wifi: { profile: perfect, state: down } }\norigin: { /hello: { text: hello } }\nsteps:\n  - { data: /hello, as: first }"

    @Test func `traffic without a path is found`() throws {
        var run = Run(Self.offline, wifi: .down)
        run.add(.name(DNSFact(host: "api.test", type: "A", reply: "203.0.113.10", client: "192.0.2.2")))
        #expect(try Self.broken(run) == ["no traffic without a path": "a query for api.test"])
        run.request(1, "/hello")
        #expect(try Self.broken(run) == ["no traffic without a path": "a query for api.test and 2 more"])
        run.add(.step("timeline"))
        run.add(.network(.interfaceState(.wifi, .noRoute)))
        run.request(2, "/hello")
        #expect(try Self.broken(run) == ["no traffic without a path": "a query for api.test and 4 more"])
    }

    /// The interface is up before the harness records it.
    @Test func `traffic counts as later than a change that the start of the steps made`() throws {
        var run = Run(Self.offline, wifi: .down)
        run.add(.stepsBegan)
        run.request(1, "/hello")
        run.add(.network(.interfaceState(.wifi, .up)))
        #expect(try Self.broken(run).isEmpty)
    }

    @Test func `packets in flight when the path was lost may arrive for a limited time`() throws {
        var run = Run()
        run.add(.step("timeline"))
        run.add(.network(.interfaceState(.wifi, .down)))
        run.wait(milliseconds: 1000)
        run.request(1, "/hello")
        #expect(try Self.broken(run).isEmpty)
        run.wait(milliseconds: 10_000)
        run.request(2, "/hello", connection: 1)
        #expect(try Self.broken(run) == ["no traffic without a path": "request 2"])
    }

    @Test(arguments: [InterfaceState.noIPv4Route, .noIPv6Route])
    func `a route of one family is a path on a network with two`(state: InterfaceState) throws {
        var run = Run()
        run.add(.step("timeline"))
        run.add(.network(.interfaceState(.wifi, state)))
        run.wait(milliseconds: 20_000)
        run.request(1, "/hello")
        #expect(try Self.broken(run).isEmpty)
    }

    // MARK: The adapter's protocol

    @Test func `gaps and clocks that run backwards are found`() throws {
        func found(_ events: [(UInt64, Int64, Int64)]) throws -> [String] {
            let entries =
                [RecordEntry(time: 1_000_000, fact: .note(.other("")))]
                + events.map { sequence, time, noted in
                    RecordEntry(
                        time: noted, fact: .session(SessionEvent(sequence: sequence, time: time, kind: .log(""))))
                }
            return ProtocolOrder.judge(RecordView(scenario: try Run().scenario(), entries: entries)).map(\.found)
        }
        #expect(try found([(1, 2_000_000, 2_000_000), (2, 2_000_000, 2_000_000), (3, 3_000_000, 3_000_000)]).isEmpty)
        #expect(try found([(1, 2_000_000, 2_000_000), (3, 3_000_000, 3_000_000)]) == ["3"])
        #expect(try found([(2, 2_000_000, 2_000_000)]) == ["2"])
        #expect(try found([(1, 2_000_000, 2_000_000), (1, 3_000_000, 3_000_000)]) == ["1"])
        #expect(try found([(1, 3_000_000, 3_000_000), (2, 2_000_000, 2_000_000)]) == ["1.0 ms earlier"])
        #expect(try found([(1, 9_000_000, 3_000_000)]) == ["6.0 ms after it was read"])
        #expect(try found([(1, 0, 3_000_000)]) == ["1.0 ms before the run"])
    }

    @Test func `pieces of a file must be in order and complete`() throws {
        var run = Run(Run.resumeSetup)
        run.start("first")
        run.report("first", .fileContent(offset: 0, [1, 2]))
        var gap = run
        gap.report("first", .fileContent(offset: 3, [4]))
        #expect(ProtocolOrder.judge(try gap.view()).map(\.found) == ["one from byte 3 on"])
        run.report("first", .didFinishDownloading(length: 3))
        #expect(ProtocolOrder.judge(try run.view()).map(\.found) == ["2 bytes"])
    }
}
