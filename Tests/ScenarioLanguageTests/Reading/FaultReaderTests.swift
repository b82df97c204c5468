@testable import Conformance
import AdapterProtocol
import Testing

@testable import ScenarioLanguage

/// Tests of `faults:`, and of the errors for faults that could never happen.
struct FaultReaderTests {
    private let origin = """
          tls: true
          protocols: [h2, http/1.1]
          /a: { text: hello }
          /c: { size: 100KiB, framing: chunked, chunkSize: 40KiB }
          faults: [FAULT]
        """

    private func read(_ fault: String, origin: String? = nil) -> Result<Scenario, ScenarioErrors> {
        let lines = (origin ?? self.origin).replacing("FAULT", with: fault).split(separator: "\n").map {
            "  \($0.drop { $0 == " " })"
        }
        return ScenarioReader.read(
            file: "x", text: Sample.good(replacing: "  /a: { text: hi }", with: lines.joined(separator: "\n")))
    }

    private func fault(_ text: String) throws -> Fault {
        try #require(try read(text).get().origin.faults.first)
    }

    private func diagnostic(_ text: String, origin: String? = nil) -> String {
        switch read(text, origin: origin) {
        case .success: return "none"
        case .failure(let errors): return errors.errors.map { "\($0)" }.joined(separator: "\n")
        }
    }

    @Test func `every point can be written`() throws {
        for word in FaultReader.points.words {
            #expect(try fault("{ at: \(word.word), do: close }").point == word.product)
        }
        #expect(try fault("{ at: { requestBody: 1KiB }, do: close }").point == .requestBody(1024))
        #expect(try fault("{ at: { responseHead: 9 }, do: close }").point == .responseHead(after: 9))
        #expect(try fault("{ at: { responseHeader: ETag }, do: close }").point == .responseHeader("ETag"))
        #expect(try fault("{ at: { responseBody: 3 }, do: close }").point == .responseBody(3))
        #expect(try fault("{ at: { afterChunks: 3 }, for: { path: /c }, do: close }").point == .afterChunks(3))
        #expect(try fault("{ at: { insideChunk: 3 }, for: { path: /c }, do: close }").point == .insideChunk(3))
    }

    @Test func `a step or the timeline replaces the faults of the origin`() throws {
        func changes(_ faults: String) throws -> [NetworkChange] {
            let text = Sample.good(
                replacing: "steps:",
                with: "timeline: [{ when: { request: 1 }, set: { origin: { faults: \(faults) } } }]\nsteps:")
            return try #require(try ScenarioReader.read(file: "x", text: text).get().timeline.first).changes
        }
        #expect(try changes("none") == [.faults([])])
        let both = try changes("[{ at: accept, do: reset }, { at: requestHead, for: { first: 2 }, do: stall }]")
        let expected = [
            Fault(point: .accept, effect: .reset),
            Fault(point: .requestHead, effect: .stall, scope: Fault.Scope(first: 2)),
        ]
        #expect(both == [.faults(expected)])
        #expect(both.map(\.summary) == ["origin: 2 faults"])
        #expect(throws: ScenarioErrors.self) { try changes("[{ at: tlsStart, do: reset }]") }
        for text in ["all", "[]"] { #expect(throws: ScenarioErrors.self) { try changes(text) } }
    }

    @Test func `every effect can be written`() throws {
        for word in FaultReader.effects.words {
            #expect(try fault("{ at: requestHead, do: \(word.word) }").effect == word.product)
        }
        let cases: [(String, Fault.Effect)] = [
            ("{ pause: 2s }", .pause(.seconds(2))), ("{ throttle: 1kbit/s }", .throttle(BitRate(bitsPerSecond: 1000)!)),
            ("{ dribble: { bytes: 1, every: 100ms } }", .dribble(bytes: 1, every: .milliseconds(100))),
            ("{ garbage: no }", .garbage("no")), ("{ noise: 1KiB }", .noise(ByteCount(1024)!)),
            ("{ tlsGarbage: x }", .tlsGarbage("x")),
            ("{ status: 503 }", .status(503, [])),
            ("{ status: 429, headers: { Retry-After: \"1\" } }", .status(429, [HeaderField("Retry-After", "1")])),
        ]
        for (text, effect) in cases { #expect(try fault("{ at: requestHead, do: \(text) }").effect == effect) }
        #expect(try fault("{ at: tlsFinished, do: { tlsAlert: 40 } }").effect == .tlsAlert(40))
    }

    @Test func `failing twice and then succeeding takes one line`() throws {
        let expected = Fault(point: .requestHead, effect: .status(503, []), scope: .init(path: "/a", first: 2))
        #expect(try fault("{ at: requestHead, for: { path: /a, first: 2 }, do: { status: 503 } }") == expected)
    }

    @Test func `a fault can be delayed and limited to the k-th exchange of a connection`() throws {
        let expected = Fault(point: .idle, effect: .reset, scope: .init(exchange: 2), delay: .seconds(2))
        #expect(try fault("{ at: idle, for: { exchange: 2 }, do: reset, after: 2s }") == expected)
    }

    @Test(arguments: [
        ("{ at: requestHead, do: { tlsAlert: 40 } }", "possible during the handshake only"),
        ("{ at: tlsFinished, do: { tlsAlert: 40 }, after: 1s }", "leave `after` out"),
        ("{ at: tlsFinished, for: { exchange: 1 }, do: close }", "the request is not known yet"),
        ("{ at: trailers, for: { path: /a }, do: close }", "`framing: chunked`"),
        ("{ at: { afterChunks: 4 }, for: { path: /c }, do: close }", "only 3 chunks of 40960 bytes"),
        ("{ at: { responseHeader: 'a b' }, do: close }", "not a header name"),
        ("{ at: responseHead, do: { status: 503 } }", "`at: requestHead`"),
        ("{ at: requestHead, do: respond, after: 1s }", "come first"),
        ("{ at: idle, do: respond }", "`at: requestHead`"),
        ("{ at: requestHead, do: { noise: 2MiB } }", "1B to 1MiB"),
        ("{ at: requestHead, do: { dribble: { bytes: 1, every: 0ms } } }", "greater than zero"),
        ("{ at: requestHead, do: { dribble: { bytes: 1 } } }", "every"),
        ("{ at: requestHead, do: { pause: 1s, headers: { A: b } } }", "only a response with `status`"),
        ("{ at: reusedRequest, for: { exchange: 1 }, do: close }", "never happens"),
        ("{ at: requestHed, do: close }", "requestHead"),
        ("{ at: requestHead, do: { status: 100 } }", "200 to 599"),
    ])
    func `a fault that could never happen is refused`(text: String, message: String) {
        #expect(diagnostic(text).contains(message), "\(diagnostic(text))")
    }

    @Test func `TLS effects need TLS`() {
        let plain = "/a: { text: hello }\nfaults: [FAULT]"
        for text in [
            "{ at: idle, do: closeWithoutNotify }", "{ at: idle, do: { tlsGarbage: x } }",
            "{ at: tlsStart, do: close }",
        ] {
            #expect(diagnostic(text, origin: plain).contains("`tls: true`"), "\(diagnostic(text, origin: plain))")
        }
    }
}
