@testable import Conformance
import AdapterProtocol
import Testing

@testable import ScenarioLanguage

/// Tests of the HTTP/2 faults, and of the errors for faults that could never happen.
struct StreamFaultReaderTests {
    private func read(_ origin: String) -> Result<Scenario, ScenarioErrors> {
        let lines = origin.split(separator: "\n").map { "  \($0.drop { $0 == " " })" }
        return ScenarioReader.read(
            file: "x", text: Sample.good(replacing: "  /a: { text: hi }", with: lines.joined(separator: "\n")))
    }

    private func fault(_ text: String) throws -> Fault {
        try #require(
            try read("protocols: [h2, http/1.1]\n/a: { text: hi }\nfaults: [\(text)]").get().origin.faults.first)
    }

    private func diagnostic(_ origin: String) -> String {
        switch read(origin) {
        case .success: "none"
        case .failure(let errors): errors.errors.map { "\($0)" }.joined(separator: "\n")
        }
    }

    @Test func `a server that speaks only HTTP/2 needs a client that does`() throws {
        #expect(try read("protocols: [h2]\n/a: { text: hi }").get().needs.contains(.http2))
        #expect(try !read("protocols: [h2, http/1.1]\n/a: { text: hi }").get().needs.contains(.http2))
        #expect(try !read("/a: { text: hi }").get().needs.contains(.http2))
    }

    @Test func `every HTTP/2 effect can be written`() throws {
        let cases: [(String, StreamEffect)] = [
            ("goAway", .goAway(.noError, last: .this)), ("refuseStream", .resetStream(.refusedStream)),
            ("closeWindow", .closeWindow), ("openWindow", .openWindow), ("silence", .silence),
            ("{ goAway: { code: ENHANCE_YOUR_CALM, last: before } }", .goAway(.enhanceYourCalm, last: .before)),
            ("{ goAway: { lastStream: 2147483647 } }", .goAway(.noError, last: .number(0x7FFF_FFFF))),
            ("{ resetStream: CANCEL }", .resetStream(.cancel)),
            (
                "{ settings: { MAX_CONCURRENT_STREAMS: 1, INITIAL_WINDOW_SIZE: 0 } }",
                .settings([HTTP2Setting(.maxConcurrentStreams, 1), HTTP2Setting(.initialWindowSize, 0)])
            ),
            ("{ pingFlood: 500 }", .pingFlood(500)),
            (
                "{ frame: { type: 8, flags: 1, stream: 3, payload: \"00 0000 ff\", length: 9 } }",
                .frame(RawFrame(type: 8, flags: 1, stream: 3, payload: [0, 0, 0, 255], length: 9))
            ),
        ]
        for (text, effect) in cases {
            #expect(try fault("{ at: requestHead, do: \(text) }").effect == .stream(effect), "\(text)")
        }
    }

    @Test func `a fault can be limited to one stream`() throws {
        #expect(try fault("{ at: requestHead, for: { stream: 3 }, do: stall }").scope == .init(stream: 3))
    }

    @Test func `protocols, first settings and frame sizes are read and TLS offers the origin's protocols`() throws {
        let plan = try read(
            "tls: true\nprotocols: [h2]\nhttp2: { settings: { MAX_FRAME_SIZE: 20000 }, dataFrame: 1KiB, connectionWindow: 70KiB }"
        )
        .get().origin
        #expect(plan.protocols == [.http2])
        #expect(plan.tls?.alpn == ["h2"])
        #expect(plan.http2.settings == [HTTP2Setting(.maxFrameSize, 20_000)])
        #expect(plan.http2.dataFrame == ByteCount(1024))
        #expect(plan.http2.connectionWindow == ByteCount(70 * 1024))
        let mismatch = try read("tls: { alpn: [h2] }\nprotocols: [http/1.1]\n/a: { text: hi }").get().origin
        #expect(mismatch.tls?.alpn == ["h2"])
    }

    @Test(arguments: [
        ("/a: { text: hi }\nfaults: [{ at: requestHead, do: goAway }]", "`protocols: [h2, http/1.1]`"),
        ("protocols: [h2]\nfaults: [{ at: accept, do: goAway }]", "no HTTP/2 yet"),
        ("protocols: [h2]\nfaults: [{ at: idle, do: refuseStream }]", "has no stream"),
        (
            "protocols: [h2]\n/a: { text: hi }\nfaults: [{ at: requestHead, do: { frame: { type: 1, payload: 0x } } }]",
            "hexadecimal"
        ),
        (
            "protocols: [h2]\n/a: { text: hi }\nfaults: [{ at: requestHead, do: { goAway: { last: this, lastStream: 1 } } }]",
            "exclude each other"
        ),
        ("protocols: [h2]\n/a: { text: hi }\nfaults: [{ at: requestHead, do: { resetStream: CANCELED } }]", "CANCEL"),
        (
            "protocols: [h2]\n/a: { text: hi }\nfaults: [{ at: requestHead, do: { settings: {} } }]",
            "at least one setting"
        ),
        ("protocols: []", "at least one protocol"), ("protocols: [h2, h2]", "twice"), ("protocols: [h3]", "h2"),
        ("http2: { dataFrame: 1KiB }", "does not speak HTTP/2"),
        ("protocols: [h2]\nhttp2: { dataFrame: 20KiB }", "1B to 16KiB"),
        ("protocols: [h2]\nhttp2: { connectionWindow: 0B }", "1B to 2147483647B"),
    ])
    func `a fault that could never happen is refused`(origin: String, message: String) {
        #expect(diagnostic(origin).contains(message), "\(diagnostic(origin))")
    }
}
