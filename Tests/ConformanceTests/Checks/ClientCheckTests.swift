@testable import Record
import AdapterProtocol
import Testing

@testable import ScenarioLanguage

/// Tests of the checks about a client that delays decisions and retains data; each check fails on a record that differs
/// in one thing.
@Suite struct ClientCheckTests {
    /// A redirect that is held between the events of two other tasks, and 64 KiB that are retained.
    static func run(
        early: TaskEvent? = nil, requestsEarly: Bool = false, releases: Bool = true,
        kept: [UInt8]? = Run.bytes("/big", 0..<65_536),
        isInPlace: Bool? = false
    ) -> Run {
        var run = Run(
            """
            network: { wifi: perfect }
            origin:
              /old: { redirect: /hello }
              /hello: { text: "hello" }
              /big: { size: 64KiB }
            steps:
              - data: /old
                as: first
                redirect: follow
                response: allow
                hold: [redirect, response]
              - await: first.willPerformRedirect
              - release: first
              - readRetained: first
              - download: /big
                as: second
                redirect: follow
                hold: redirect
                retain: true
              - readRetained: second
            """)
        run.start("first")
        run.request(1, "/old")
        run.answer(1, status: 302, bytes: 0)
        run.report("first", .willPerformRedirect(status: 302, url: "http://api.test/hello", method: "GET"))
        if let early { run.report("first", early) }
        if requestsEarly { run.request(2, "/hello") }
        if releases { run.command(.release("first")) }
        if !requestsEarly { run.request(2, "/hello") }
        run.answer(2, bytes: 5)
        run.complete("first")
        run.start("second")
        run.request(3, "/big")
        run.answer(3, bytes: 65_536)
        run.report("second", .didFinishDownloading(length: 65_536))
        run.complete("second")
        run.command(.readRetained("second"))
        if let kept {
            run.report("second", .retainedContent(offset: 0, Array(kept.prefix(40_000))))
            run.report("second", .retainedContent(offset: 40_000, Array(kept.dropFirst(40_000))))
        }
        run.report("second", .retained(length: kept.map { Int64($0.count) }, isInPlace: isInPlace))
        run.end()
        return run
    }

    private static let held = "held: { task: first, at: redirect }"

    @Test func `a task that waits for a decision is held`() throws {
        #expect(try Self.run().found(Self.held) == nil)
    }

    @Test func `a request or a message before the decision is found`() throws {
        #expect(try Self.run(requestsEarly: true).found(Self.held) == "it made a request before the decision")
        #expect(try Self.run(early: .didReceiveData([1])).found(Self.held) == "it reported more before the decision")
        let looked = TaskEvent.inspected(
            state: "running", bytesReceived: 0, bytesSent: 0, expectedToReceive: 0, expectedToSend: 0)
        #expect(try Self.run(early: looked).found(Self.held) == nil, "what the script asks for may be answered")
    }

    @Test func `the first release ends the wait`() throws {
        var run = Self.run()
        run.command(.release("first"))
        #expect(try run.found(Self.held) == nil)
    }

    @Test func `without the delegate call or the release nothing was held`() throws {
        #expect(try Self.run(releases: false).found(Self.held) == "no step released it")
        var silent = Run(Self.run().setup)
        silent.start("first")
        #expect(try silent.found(Self.held) == "none")
    }

    @Test func `a check of something that the steps do not hold, read back or report cannot hold`() throws {
        func problem(_ check: String) -> String {
            do {
                _ = try Self.run().scenario([check])
                return "none"
            } catch {
                return "\(error)"
            }
        }
        #expect(problem(Self.held) == "none")
        #expect(problem("held: { task: first, at: challenge }").contains("`hold: challenge`"))
        #expect(problem("retained: { task: second, equals: /bog }").contains("not serve a body at `/bog`"))
        #expect(problem("file: { task: second, equals: /big }").contains("retains its file"))
        let unasked = Run.hello + "\nexpect:\n  - retained: { task: first, content: nothing }\n"
        #expect(
            Sample.errors("scenario: s\nproves: DNLD-02\n" + unasked).contains {
                "\($0)".contains("`readRetained: first`")
            })
    }

    @Test func `retained data are compared byte for byte`() throws {
        let right = "retained: { task: second, equals: /big, place: empty }"
        #expect(try Self.run().found(right) == nil)
        var bytes = Run.bytes("/big", 0..<65_536)
        bytes[50_000] ^= 1
        #expect(try Self.run(kept: bytes).found(right)?.contains("50000") == true)
        #expect(
            try Self.run(kept: Array(bytes.prefix(45_000))).found(right)
                == "ends after 45000 of 65536 bytes, all of them correct")
        #expect(try Self.run(kept: nil).found(right) == "nothing")
        #expect(try Self.run().found("retained: { task: second, content: nothing }") == "65536 bytes")
        #expect(try Self.run(kept: nil).found("retained: { task: second, content: nothing }") == nil)
    }

    @Test func `the original place of a file is empty or taken`() throws {
        #expect(try Self.run(isInPlace: true).found("retained: { task: second, place: empty }") == "it is there")
        #expect(try Self.run().found("retained: { task: second, place: taken }") == "it is gone")
        #expect(
            try Self.run(isInPlace: nil).found("retained: { task: second, place: empty }") == "no file was delivered")
    }

    @Test func `a retained file is not reported in its callback and no invariant counts it as missing`() throws {
        #expect(try Self.run().outcome() == .pass)
    }

    // MARK: A file, or an error without a file

    @Test func `a file of one version passes and a spliced one fails`() throws {
        let any = "file: { task: second, equals: /big, version: any, orNone: true }"
        #expect(try Run.resumed().found(any) == nil)
        #expect(try Run.resumed(file: Run.bytes("/big", version: 2, 0..<65_536)).found(any) == nil)
        let spliced = Run.bytes("/big", 0..<16_384) + Run.bytes("/big", version: 2, 16_384..<65_536)
        #expect(try Run.resumed(file: spliced).found(any) == "from byte 16384 on it belongs to version 2 of /big")
        let repeated = Run.bytes("/big", 0..<16_384) + Run.bytes("/big", 0..<49_152)
        #expect(try Run.resumed(file: repeated).found(any) != nil)
        #expect(try Run.resumed(file: Run.bytes("/big", 0..<40_000)).found(any) != nil)
        #expect(
            try Run.resumed(file: spliced).found("file: { task: second, equals: /big, version: 2, orNone: true }")
                != nil)
    }

    @Test func `a missing file passes only with an error and only if the check allows it`() throws {
        func ends(_ code: FailureCode?) -> Run {
            var run = Run(Run.resumeSetup)
            run.start("second")
            run.complete("second", code)
            return run
        }
        #expect(try ends(.networkConnectionLost).found("file: { task: second, equals: /big, orNone: true }") == nil)
        #expect(try ends(nil).found("file: { task: second, equals: /big, orNone: true }") == "no file, and no error")
        #expect(try ends(.networkConnectionLost).found("file: { task: second, equals: /big }") == "no file")
        #expect(try Run(Run.resumeSetup).found("file: { task: second, equals: /big, orNone: true }") == "no file")
    }
}
