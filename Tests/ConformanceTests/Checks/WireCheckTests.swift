@testable import Record
import AdapterProtocol
import LinkEmulator
import Testing

@testable import ScenarioLanguage
@testable import Conformance

/// Tests of the checks about the wire: requests, connections, DNS queries, packets, links.
@Suite struct WireCheckTests {
    private static let setup = """
        network: { wifi: perfect }
        origin:
          /sink: { text: "stored" }
          /big: { size: 64KiB, etag: '"v1"' }
        steps:
          - upload: /sink
            as: first
            body: { size: 1000B }
          - download: /big
            as: second
        """

    private static func run() -> Run {
        var run = Run(setup)
        run.start("first")
        run.request(1, "/sink?a=b", method: "POST", connection: 1, body: 1000)
        run.request(
            2, "/big", connection: 1, [HeaderField("Range", "bytes=65536-"), HeaderField("if-range", "\"v1\"")])
        run.request(3, "/sink", method: "POST", connection: 2, body: 5, text: "hello")
        run.request(4, "/sink", method: "POST", connection: 2, body: 1000, differsAt: 12)
        run.request(5, "/sink", method: "POST", connection: 2, body: 900)
        run.add(
            .server(.requestHead(connection: 3, exchange: 1, request: 6, method: "PUT", target: "/sink", headers: [])))
        return run
    }

    @Test func `the evidence of wrong frames is those frames, or the others if there are none`() throws {
        var run = Self.run()
        let frames = ["PING", "RST_STREAM", "PING"].map { type in
            run.add(.server(.frame(connection: 2, stream: 1, request: 3, by: .client, type: type, text: "")))
        }
        #expect(try run.judge("frames: { type: PING, count: 1 }").map(\.evidence) == [[frames[0], frames[2]]])
        #expect(try run.judge("frames: { type: GOAWAY, count: 1 }").map(\.evidence) == [frames])
    }

    @Test(arguments: ["bodyBytes: 3", "bodyText: hi", "bodyEquals: pattern"])
    func `a body without an end has neither length nor content`(field: String) {
        let error = #expect(throws: ScenarioErrors.self) {
            try Run.plain().scenario(["request: { number: 1, complete: false, \(field) }"])
        }
        #expect(error?.description.contains("is about a complete body") == true)
    }

    @Test func `a request whose body never ends is incomplete`() throws {
        #expect(try Self.connections().found("request: { number: 1, complete: true }") == "a body without an end")
        #expect(try Self.connections().found("request: { number: 1, complete: false }") == nil)
    }

    @Test(arguments: [
        "request: { number: 6 }",
        "request: { number: 1, method: POST, path: /sink, bodyBytes: 1000, bodyEquals: pattern }",
        "request: { number: 1, path: '/sink?a=b', bodyEquals: pattern, rangeStart: absent }",
        "request: { number: 2, headers: { If-Range: '\"v1\"', Authorization: absent, host: present } }",
        "request: { number: 2, rangeStart: 65536, bodyBytes: 0, bodyText: '' }",
        "request: { number: 2, rangeStart: 1..65536 }",
        "request: { number: 2, connection: 1, sameConnectionAs: 1, differentConnectionFrom: 3 }",
        "request: { number: 3, bodyText: hello }",
        "requests: { count: 6 }", "requests: { atMost: 6, atLeast: 6 }",
        "requests: { count: 4, path: /sink, method: POST }",
        "requests: { count: 0, path: /none }", "connections: { count: 2 }", "connections: { atMost: 2 }",
    ])
    func `a correct record holds`(check: String) throws {
        #expect(try Self.run().found(check) == nil)
    }

    @Test(arguments: [
        ("request: { number: 7 }", "6 requests"),
        ("request: { number: 1, method: GET }", "POST"),
        ("request: { number: 1, path: /big }", "/sink?a=b"),
        ("request: { number: 1, path: '/sink?a=c' }", "/sink?a=b"),
        ("request: { number: 2, headers: { If-Range: '\"v2\"' } }", "If-Range: \"v1\""),
        ("request: { number: 2, headers: { Authorization: present } }", "no Authorization"),
        ("request: { number: 2, headers: { Range: absent } }", "Range: bytes=65536-"),
        ("request: { number: 2, rangeStart: absent }", "Range: bytes=65536-"),
        ("request: { number: 2, rangeStart: 1..65535 }", "Range: bytes=65536-"),
        ("request: { number: 1, rangeStart: 0..65536 }", "no Range"),
        ("request: { number: 1, bodyBytes: 999 }", "1000 body bytes"),
        ("request: { number: 3, bodyText: hallo }", "body \"hello\""),
        ("request: { number: 1, bodyText: hallo }", "1000 bytes of another body"),
        ("request: { number: 3, bodyEquals: pattern }", "a text of 5 bytes"),
        ("request: { number: 4, bodyEquals: pattern }", "another byte at 12 of the body"),
        ("request: { number: 5, bodyEquals: pattern }", "900 body bytes"),
        ("request: { number: 6, bodyBytes: 0 }", "a body without an end"),
        ("request: { number: 2, connection: 2 }", "connection 1"),
        ("request: { number: 3, sameConnectionAs: 1 }", "connection 2, request 1 on connection 1"),
        ("request: { number: 2, differentConnectionFrom: 1 }", "connection 1, request 1 on connection 1"),
        ("request: { number: 2, sameConnectionAs: 9 }", "no request 9"),
        ("requests: { count: 5 }", "6 requests"),
        ("requests: { atMost: 3, path: /sink, method: POST }", "4 requests"),
        ("requests: { atLeast: 1, path: /none }", "0 requests"),
        ("connections: { atLeast: 3 }", "2 connections"),
    ])
    func `a wrong record is found`(check: String, found: String) throws {
        #expect(try Self.run().found(check) == found)
    }

    @Test(
        arguments: [
            ("dnsQueries: { host: api.test, count: 2 }", nil),
            ("dnsQueries: { host: API.TEST, type: aaaa, count: 1 }", nil),
            ("dnsQueries: { host: gone.test, count: 0 }", nil),
            ("dnsQueries: { host: api.test, type: AAAA, atLeast: 2 }", "1"),
            ("dnsQueries: { host: gone.test, atLeast: 1 }", "0"),
            ("packets: { interface: wifi, direction: uplink, count: 6 }", nil),
            ("packets: { interface: wifi, direction: both, count: 11 }", nil),
            // An interface that does not exist carries no packets.
            ("packets: { interface: cellular, direction: uplink, count: 0 }", nil),
            ("packets: { interface: wifi, direction: downlink, atMost: 4 }", "5"),
            ("packets: { interface: wifi, direction: both, atLeast: 12 }", "11"),
            ("packets: { interface: cellular, direction: uplink, atLeast: 1 }", "0"),
        ] as [(String, String?)])
    func `queries and packets are counted`(check: String, found: String?) throws {
        #expect(try Run.plain().found(check) == found)
    }

    @Test func `packets that were not counted are not zero packets`() throws {
        #expect(
            try Run().found("packets: { interface: wifi, direction: uplink, count: 0 }")
                == "the record does not contain the number")
    }

    @Test(
        arguments: [
            ("delayAtLeast: 10ms, delayAtMost: 11ms, lossAtMost: 5%, rateAtLeast: 1Mbit/s, rateAtMost: 3Mbit/s", nil),
            ("delayAtLeast: 10.6ms", "delay 10.5 ms"), ("delayAtMost: 10ms", "delay 10.5 ms"),
            ("lossAtLeast: 6%", "loss 5.0%"),
            ("lossAtMost: 4%", "loss 5.0%"), ("rateAtLeast: 3Mbit/s", "rate 2.0Mbit/s"),
            ("rateAtMost: 1Mbit/s", "rate 2.0Mbit/s"),
            ("means: traffic, delayAtMost: 1s", "none"),
        ] as [(String, String?)])
    func `a link is compared with the lab's measurement`(limits: String, found: String?) throws {
        var run = Run()
        run.add(
            .network(
                .conditionMeasured(
                    .wifi, .downlink,
                    .init(
                        means: .probe, packets: 20, lost: 1, delayMedian: 10_500_000, bitsPerSecond: 2_000_000, text: ""
                    ))))
        #expect(try run.found("link: { interface: wifi, direction: downlink, \(limits) }") == found)
        #expect(try run.found("link: { interface: wifi, direction: uplink, delayAtMost: 1s }") == "none")
    }

    @Test(arguments: [ServerFact.Closing.client, .server, .reset])
    func `a connection is open until it is closed or reset`(closing: ServerFact.Closing) throws {
        var run = Run()
        for number in 1...2 {
            run.add(.server(.accepted(connection: number, client: "192.0.2.2", port: 40_000 + number)))
            run.add(.server(.closed(connection: number, by: closing)))
        }
        #expect(try run.found("openConnections: { count: 1 }") == nil)
    }

    /// Connection 1 is open from 0 to 30 ms, 2 from 10 to 20, 3 from 40 on.
    static func connections() -> Run {
        var run = Run(setup)
        run.start("first")
        func accept(_ number: Int, _ run: inout Run) {
            run.add(.server(.accepted(connection: number, client: "192.0.2.2", port: 40_000 + number)))
            let host = number == 2 ? "other.test:80" : "api.test"
            run.add(
                .server(
                    .requestHead(
                        connection: number, exchange: 1, request: number, method: "GET", target: "/big",
                        headers: [HeaderField("Host", host)])))
        }
        accept(1, &run)
        run.wait(milliseconds: 10)
        accept(2, &run)
        run.wait(milliseconds: 10)
        run.add(.server(.closed(connection: 2, by: .reset)))
        run.wait(milliseconds: 10)
        run.add(.server(.closed(connection: 1, by: .server)))
        run.wait(milliseconds: 10)
        accept(3, &run)
        run.command(.end)
        run.add(.server(.closed(connection: 3, by: .client)))
        return run
    }

    @Test(
        arguments: [
            ("openConnections: { count: 2 }", nil), ("openConnections: { atMost: 1 }", "2"),
            ("openConnections: { host: api.test, atMost: 1 }", nil),
            ("openConnections: { host: Other.Test, count: 1 }", nil),
            ("openConnections: { host: none.test, atLeast: 1 }", "0"),
            ("closed: { connection: 1, by: server }", nil), ("closed: { connection: 2, by: client }", nil),
            ("closed: { connection: 1, by: client }", "it was closed by the server"),
            // A connection closed by the end of the run counts as open.
            ("closed: { connection: 3, by: client }", "it was still open"),
            ("closed: { connection: 4, by: client }", "the connection does not exist"),
        ] as [(String, String?)])
    func `open and closed connections are distinguished`(check: String, found: String?) throws {
        #expect(try Self.connections().found(check) == found)
    }
}
