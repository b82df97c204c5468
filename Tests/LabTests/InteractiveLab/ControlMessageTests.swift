import Foundation
import Record
import AdapterProtocol
import ScenarioLanguage
import Testing

@testable import Lab

/// The lines that running labs and other terminals exchange. Golden texts: changing them means changing the version.
@Suite struct ControlMessageTests {
    @Test(arguments: [
        (#"{"do":"describe","v":1}"#, ControlRequest.describe), (#"{"do":"watch","v":1}"#, .watch),
        (#"{"change":{"wifi":"down"},"do":"set","v":1}"#, .set(.object(["wifi": .text("down")]))),
    ])
    func `requests are written and read`(_ line: String, _ request: ControlRequest) throws {
        #expect(request.line == line)
        #expect(try ControlRequest(line: Array(line.utf8)) == request)
    }

    /// The requests that the tests of every library send (`scripts/control/test`).
    @Test func `the requests of the libraries are read, and written with the same keys`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let text = try String(contentsOf: root.appendingPathComponent("scripts/control/golden.txt"), encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
        #expect(lines.count == 17)
        for line in lines { #expect(try ControlRequest(line: Array(line.utf8)).line == line) }
        let words = try Set(lines.map { try #require(JSONValue.parse(Array($0.utf8))?.object?["do"]?.text) })
        // `watch` is for people; the libraries do not have it.
        #expect(words == Set(ControlRequest.words).subtracting(["watch"]))
    }

    @Test func `the page of the protocol has every request, and its examples are valid`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let path = "Sources/Lab/InteractiveLab/Control/PROTOCOL.md"
        let page = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        var words: Set<String> = []
        for line in page.split(separator: "\n") where line.hasPrefix(#"    {"v":1,"do""#) {
            let bytes = Array(line.drop { $0 == " " }.utf8)
            _ = try ControlRequest(line: bytes)
            words.insert(try #require(JSONValue.parse(bytes)?.object?["do"]?.text))
        }
        #expect(words == Set(ControlRequest.words))
        #expect(page.contains(ControlServer.variable))
    }

    @Test(arguments: [
        ("", "not a JSON object"), ("[1]", "not a JSON object"), ("GET / HTTP/1.1", "not a JSON object"),
        ("{}", "version none"),
        (#"{"v":2,"do":"watch"}"#, "version 2"), (#"{"v":"1","do":"watch"}"#, "version"), (#"{"v":1}"#, "missing"),
        (#"{"v":1,"do":"fly"}"#, "`fly`"), (#"{"v":1,"do":"set"}"#, "object `change`"),
        (#"{"v":1,"do":"set","change":"down"}"#, "object `change`"),
        (#"{"v":1,"do":"after","change":{"wifi":"down"}}"#, "object `when`"),
        (#"{"v":1,"do":"after","when":{"packet":1}}"#, "`change`, `wait` or both"),
        (#"{"v":1,"do":"after","when":{"packet":1},"change":"down"}"#, "not an object"),
        (#"{"v":1,"do":"faults"}"#, "list `faults`"), (#"{"v":1,"do":"seen","after":-1}"#, "not the number"),
    ])
    func `an invalid request is refused with the reason`(_ line: String, _ reason: String) {
        do throws(ControlError) {
            _ = try ControlRequest(line: Array(line.utf8))
            Issue.record("taken")
        } catch {
            #expect("\(error)".contains(reason), "\(error)")
        }
    }

    /// A seeded generator modifies valid lines; each result is either read or refused.
    @Test func `two hundred thousand modified lines give a value or an error`() {
        let good = [
            ControlRequest.describe, .watch,
            .set(.object(["wifi": .object(["both": .object(["rate": .text("1Mbit/s")])])])),
        ]
        .map { Array($0.line.utf8) }
        var state: UInt64 = 42
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        var taken = 0
        for _ in 0..<200_000 / (isDebug ? 10 : 1) {
            var line = good[next(good.count)]
            for _ in 0...next(3) {
                switch next(3) {
                case 0: line[next(line.count)] = UInt8(next(256))
                case 1: line.insert(UInt8(next(256)), at: next(line.count))
                default: if line.count > 1 { line.remove(at: next(line.count)) }
                }
            }
            if (try? ControlRequest(line: line)) != nil { taken += 1 }
        }
        #expect(taken < 200_000)
    }

    private var isDebug: Bool {
        var debug = false
        assert(
            {
                debug = true
                return true
            }())
        return debug
    }

    static let view = LabView(
        lab: LabDescription(id: "7", program: "curl", engine: "emulator"), age: 61_000_000_000, window: 500_000_000,
        links: [
            LabView.Link(
                interface: .wifi, state: .up, condition: "custom",
                downlink: LabView.Direction(
                    requested: "1.0Mbit/s", packets: 12, bytes: 3400, lost: 1, bitsPerSecond: 998_000,
                    lossShare: 0.0769,
                    delay: 80_200_000, queuedPackets: 3, queuedBytes: 4500),
                uplink: LabView.Direction(requested: "perfect", packets: 0, bytes: 0, bitsPerSecond: 0))
        ],
        connections: [
            LabView.Connection(
                state: "established", local: "192.0.2.2:5000", remote: "203.0.113.65:443", roundTrip: 160_400_000,
                resent: 2,
                sent: 517, received: 3_145_728, waiting: 0)
        ])

    @Test(arguments: [
        ControlReply.lab(LabDescription(id: "7", program: "curl", engine: "kernel")), .done(["wifi down"]),
        .lab(LabDescription(id: "7", program: "curl", engine: "kernel", interfaces: [.wifi], requests: ["set"])),
        .seen(.object(["requests": .list([])])),
        .refused("no"), .view(view),
    ])
    func `replies are read as they were written`(_ reply: ControlReply) throws {
        #expect(try ControlReply(line: Array(reply.line.utf8)) == reply)
    }

    @Test func `requests, queries and changes are part of a view`() throws {
        var view = Self.view
        view.requests = [
            LabView.Request(number: 1, age: 5, method: "GET", target: "api.test/big"),
            LabView.Request(
                number: 2, age: 6, method: "POST", target: "api.test/", status: 200, bytes: 12, isComplete: true,
                fault: "reset"),
        ]
        view.queries = [LabView.Query(age: 4, host: "api.test", type: "A", reply: "203.0.113.10")]
        view.changes = [LabView.Change(age: 7, text: "from another terminal: wifi down")]
        view.nat64 = true
        #expect(try ControlReply(line: Array(ControlReply.view(view).line.utf8)) == .view(view))
    }

    @Test func `a view of a lab without these lists is read`() throws {
        let line = ControlReply.view(Self.view).line
        #expect(!line.contains("requests") && !line.contains("queries") && !line.contains("changes"))
        #expect(!line.contains("nat64"))
    }

    @Test func `a reply is one line with its version`() {
        let line = ControlReply.refused("two\nlines").line
        #expect(line == #"{"refused":"two\nlines","v":1}"#)
    }
}
