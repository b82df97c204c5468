@testable import Conformance
import AdapterProtocol
import Testing

@testable import ScenarioLanguage

/// Tests of the wire options of a route, and of errors for meaningless combinations.
struct WireReaderTests {
    private func read(_ route: String) -> Result<Scenario, ScenarioErrors> {
        ScenarioReader.read(file: "x", text: Sample.good(replacing: "/a: { text: hi }", with: "/a: { \(route) }"))
    }

    private func wire(_ route: String) throws -> WirePlan { try read(route).get().origin.routes[0].wire }

    private func diagnostic(_ route: String) -> String {
        switch read(route) {
        case .success: return "none"
        case .failure(let errors): return errors.errors.map { "\($0)" }.joined(separator: "\n")
        }
    }

    @Test func `a route without wire options is plain HTTP`() throws {
        #expect(try wire("text: hi") == WirePlan())
    }

    @Test func `interim responses are numbers or objects with headers`() throws {
        #expect(try wire("text: hi, interim: 103").interim == [.init(status: 103)])
        #expect(
            try wire("text: hi, interim: [100, { status: 103, headers: { Link: </a> } }]").interim
                == [.init(status: 100), .init(status: 103, headers: [HeaderField("Link", "</a>")])])
    }

    @Test func `trailers are allowed without chunks in HTTP/2`() {
        func errors(_ protocols: String, _ fault: String = "") -> [String] {
            Sample.errors(
                """
                scenario: Sample
                proves: [DATA-01]
                origin:
                  protocols: \(protocols)
                  /a: { text: hi, trailers: { A: b } }
                  \(fault)
                steps:
                  - data: /a
                    as: first
                expect:
                  - completes: { task: first, error: any }
                """
            ).map { "\($0)" }
        }
        #expect(errors("[h2, http/1.1]").isEmpty && errors("[h2]", "faults: [{ at: trailers, do: reset }]").isEmpty)
        #expect(errors("[http/1.1]").contains { $0.contains("or an origin that speaks h2") })
    }

    @Test func `chunks can have a size and trailers`() throws {
        let plan = try wire(
            "text: hi, framing: chunked, chunkSize: 1KiB, trailers: { X-Sum: '1' }, wire: { chunkLines: { 2: zz }, lastChunk: false }"
        )
        #expect(plan.chunkSize.bytes == 1024)
        #expect(plan.trailers == [HeaderField("X-Sum", "1")])
        #expect(plan.chunkLines == [2: "zz"])
        #expect(plan.omitsLastChunk)
    }

    @Test func `Content-Length can have several values or be omitted`() throws {
        #expect(try wire("text: hi").contentLength == nil)
        #expect(try wire("text: hi, wire: { contentLength: none }").contentLength == [])
        #expect(try wire("text: hi, wire: { contentLength: 5 }").contentLength == ["5"])
        #expect(try wire("text: hi, wire: { contentLength: [5, -6] }").contentLength == ["5", "-6"])
    }

    @Test func `the head can be malformed`() throws {
        let plan = try wire(
            #"text: hi, wire: { statusLine: "HTTP/1.1 x", lines: ["A: \0b", " c"], longHeader: 64KiB, manyHeaders: 9, lineEnd: LF, closes: false, trailingBytes: x }"#
        )
        #expect(plan.statusLine == "HTTP/1.1 x")
        #expect(plan.lines == ["A: \u{0}b", " c"])
        #expect(plan.longHeader?.bytes == 65_536)
        #expect(plan.manyHeaders == 9)
        #expect(plan.lineEnd == .lf)
        #expect(plan.closes == false)
        #expect(plan.surplus == "x")
        #expect(try wire("text: hi, wire: { head: false }").omitsHead)
    }

    @Test func `a 204 has a body only if the wire options request it`() throws {
        #expect(diagnostic("text: hi, status: 204").contains("has no body"))
        #expect(try wire("text: hi, status: 204, wire: { forbiddenBody: true }").sendsForbiddenBody)
    }

    @Test(arguments: [
        ("text: hi, interim: 101", "not an interim response"), ("text: hi, interim: 200", "100 to 199"),
        ("text: hi, chunkSize: 1KiB", "`framing: chunked`"), ("text: hi, trailers: { A: b }", "`framing: chunked`"),
        ("text: hi, framing: chunked, chunkSize: 0", "at least 1B"),
        ("text: hi, wire: { lastChunk: false }", "`framing: chunked`"),
        ("text: hi, wire: { chunkLines: { 1: z } }", "`framing: chunked`"),
        ("text: hi, framing: chunked, wire: { chunkLines: { none: z } }", "not a chunk number"),
        ("text: hi, wire: { head: false, statusLine: x }", "needs a head"),
        ("text: hi, wire: { longHeader: 1GiB }", "at most 16MiB"),
        ("text: hi, wire: { contentLength: [none, 5] }", "`none` alone"),
        ("text: hi, wire: { contentLength: none, trailingBytes: x }", "announce a length"),
        ("text: hi, wire: { contentLenght: 5 }", "contentLength"),
        ("text: hi, wire: { lineEnd: CRCR }", "CRLF"),
    ])
    func `a meaningless combination is refused`(route: String, message: String) {
        #expect(diagnostic(route).contains(message), "\(diagnostic(route))")
    }

    @Test(arguments: [
        ("statusLine: x", "statusLine"), ("lines: x", "lines"), ("lineEnd: LF", "lineEnd"),
        ("trailingBytes: x", "trailingBytes"),
        ("chunkLines: { 1: x }", "chunkLines"), ("lastChunk: false", "lastChunk"),
    ])
    func `lines and chunks need an origin with HTTP 1`(word: String, name: String) {
        func diagnostic(_ protocols: String) -> String {
            let text = Sample.good(
                replacing: "  /a: { text: hi }",
                with: "  protocols: [\(protocols)]\n  /a: { text: hi, framing: chunked, wire: { \(word) } }")
            return Sample.errors(text).map { "\($0)" }.joined(separator: "\n")
        }
        #expect(diagnostic("h2").contains("`\(name)` exists in HTTP/1.1 only"))
        #expect(diagnostic("h2, http/1.1") == "")
    }
}
