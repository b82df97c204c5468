import AdapterProtocol
import Testing

@testable import Conformance
@testable import Record
@testable import ScenarioLanguage

/// Tests that the properties of every task hold for right records, and that each of them fails for a wrong one.
@Suite struct ConsistentCheckTests {
    private static let setup = """
        network: { wifi: perfect }
        origin:
          /hello: { text: "hello", replacedBy: { fromRequest: 2, text: "world!" } }
          /form: { text: "done" }
        session: { resourceTimeout: 6s }
        steps:
          - data: /hello
            as: first
          - data: /form
            body: "a=1"
            as: post
          - download: /hello
            as: file
        """
    private static let url = "http://api.test/hello"

    /// Returns what the check found about this task after the events of `body`.
    private static func found(_ task: String = "first", _ body: (inout Run) -> Void) throws -> String? {
        var run = Run(setup)
        run.start(TaskName(task))
        body(&run)
        return try run.judge("consistent: { task: \(task) }").first?.found
    }

    private static func deliver(_ text: String, error: FailureCode? = nil) throws -> String? {
        try found { run in
            run.request(1, "/hello")
            run.answer(1, bytes: 5)
            run.response("first", url: url)
            run.report("first", .didReceiveData(Array(text.utf8)))
            run.complete("first", error)
        }
    }

    @Test func `a success delivers exactly one version`() throws {
        #expect(try Self.deliver("hello") == nil)
        #expect(try Self.deliver("world!") == nil)
        #expect(try Self.deliver("hell") == "ends after 4 of 5 bytes, all of them correct")
        #expect(try Self.deliver("held!!") != nil)
        #expect(try Self.deliver("helld!") != nil, "the start of one version and the end of the other")
    }

    @Test func `a failure may deliver the beginning of one version and nothing else`() throws {
        #expect(try Self.deliver("", error: .networkConnectionLost) == nil)
        #expect(try Self.deliver("hell", error: .networkConnectionLost) == nil)
        #expect(try Self.deliver("held", error: .networkConnectionLost) != nil)
    }

    @Test func `a file is compared with the versions too`() throws {
        func download(_ text: String) throws -> String? {
            try Self.found("file") { run in
                run.request(1, "/hello")
                run.answer(1, bytes: 5)
                run.report("file", .fileContent(offset: 0, Array(text.utf8)))
                run.report("file", .didFinishDownloading(length: Int64(text.utf8.count)))
                run.complete("file")
            }
        }
        #expect(try download("hello") == nil)
        #expect(try download("hellohello") != nil)
    }

    @Test func `an error is a documented one, and a cancellation has a cause`() throws {
        #expect(try Self.found { $0.complete("first", .timedOut) } == nil)
        #expect(try Self.found { $0.complete("first", .backgroundSessionWasDisconnected) } == nil)
        #expect(try Self.found { $0.complete("first", .unknown) } != nil)
        #expect(try Self.found { $0.complete("first", .cancelled) } != nil)
        let cancelled = try Self.found { run in
            run.command(.cancel("first"))
            run.complete("first", .cancelled)
        }
        #expect(cancelled == nil)
        let foreign = try Self.found { run in
            run.report("first", .didComplete(Failure(domain: "POSIX", code: 104, text: ""), resumeDataLength: nil))
        }
        #expect(foreign == "POSIX 104")
    }

    @Test func `a task ends within its resource timeout`() throws {
        func end(after milliseconds: Int64) throws -> String? {
            try Self.found { run in
                run.wait(milliseconds: milliseconds)
                run.complete("first", .timedOut)
            }
        }
        #expect(try end(after: 6_500) == nil)
        #expect(try end(after: 9_000) != nil)
        // A machine that was too slow excuses it.
        var late = Run(Self.setup)
        late.start("first")
        late.wait(milliseconds: 9_000)
        late.complete("first", .timedOut)
        #expect(try late.judge("consistent: { task: first }").map(\.dependsOnTime) == [true])
    }

    /// A background session delivers the end of a task when the app runs again.
    @Test(arguments: [ProcessChange.terminated, .killed, .ended, .suspended])
    func `the time in which the app does not run is not the task's`(change: ProcessChange) throws {
        func found(away: Bool) throws -> String? {
            try Self.found { run in
                if away { run.add(.adapter(.process(generation: 1, Labelled(change)))) }
                run.wait(milliseconds: 9_000)
                run.complete("first")
            }
        }
        #expect(try found(away: true)?.hasPrefix("after") != true)
        #expect(try found(away: false)?.hasPrefix("after") == true)
    }

    @Test func `a request that is not idempotent arrives once`() throws {
        func post(_ statuses: [Int]) throws -> String? {
            try Self.found("post") { run in
                for (index, status) in statuses.enumerated() {
                    run.request(index + 1, "/form", method: "POST", body: 3)
                    run.answer(index + 1, status: status, bytes: 4)
                }
                run.response("post", url: "http://api.test/form")
                run.report("post", .didReceiveData(Array("done".utf8)))
                run.complete("post")
            }
        }
        #expect(try post([200]) == nil)
        #expect(try post([200, 200]) == "2 complete requests")
        // Neither a challenge nor a redirect processes the request.
        #expect(try post([401, 200]) == nil)
        #expect(try post([307, 200]) == nil)
    }

    @Test(arguments: [("background, identifier: a", true), ("default", false)])
    func `only a background transfer is sent again whatever its method`(kind: String, isRight: Bool) throws {
        var run = Run(
            """
            session: { kind: \(kind) }
            origin:
              /form: { text: "done" }
            steps:
              - upload: /form
                as: first
                body: { size: 3, from: file }
            """)
        run.start("first")
        for number in 1...2 { run.request(number, "/form", method: "POST", body: 3) }
        run.complete("first", .networkConnectionLost)
        #expect(try run.found("consistent: { task: first }") == (isRight ? nil : "2 complete requests"))
    }

    /// RFC 9113 §6.8: the streams after the last one of a GOAWAY were not processed.
    @Test(arguments: [
        // The POST is on stream 3.
        (1, 1, "goAway: NO_ERROR", nil), (1, 1, "goAway: NO_ERROR, last before", nil),
        (1, 1, "goAway: NO_ERROR, last 1, 200 ms after", nil), (1, 3, "goAway: NO_ERROR, last before", nil),
        (1, 3, "goAway: NO_ERROR", "2 complete requests"), (1, 1, "goAway: NO_ERROR, last 3", "2 complete requests"),
        (1, 1, "goAway: NO_ERROR, last 2147483647", "2 complete requests"), (1, 1, "stall", "2 complete requests"),
        (4, 1, "goAway: NO_ERROR", "2 complete requests"),
    ])
    func `a request that a GOAWAY refuses may be sent again`(
        connection: Int, place: Int, effect: String, found: String?
    ) throws {
        let judged = try Self.found("post") { run in
            run.request(1, "/other", connection: connection)
            run.add(.server(.stream(request: 1, stream: 1, priority: nil)))
            run.request(2, "/form", method: "POST", connection: 1, body: 3)
            run.add(.server(.stream(request: 2, stream: 3, priority: nil)))
            let request = place == 1 ? 1 : 2
            run.add(
                .server(.fault(connection: connection, request: request, point: "requestHead", effect: effect)))
            run.request(3, "/form", method: "POST", connection: 2, body: 3)
            run.answer(3, bytes: 4)
            run.response("post", url: "http://api.test/form")
            run.report("post", .didReceiveData(Array("done".utf8)))
            run.complete("post")
        }
        #expect(judged == found)
    }

    @Test func `an idempotent request may arrive again`() throws {
        let found = try Self.found { run in
            for number in 1...2 {
                run.request(number, "/hello")
                run.answer(number, bytes: 5)
            }
            run.response("first", url: Self.url)
            run.report("first", .didReceiveData(Array("hello".utf8)))
            run.complete("first")
        }
        #expect(found == nil)
    }
}
