import Foundation
import Glibc
import Testing

@testable import CrosswindControl

/// The lines are those of `scripts/control/golden.txt`, which the tests of the lab read as well.
@Suite struct NetworkTests {
    private func with(_ body: (Network, FakeLab) async throws -> Void) async throws {
        let lab = try FakeLab()
        defer { lab.stop() }
        try await body(Network(connection: ControlConnection(path: lab.path)), lab)
    }

    @Test func `requests are those of the protocol`() async throws {
        try await with { network, lab in
            #expect(try await network.interfaces == [.wifi, InterfaceKind(rawValue: "later")])
            try await network.wifi.down()
            try await network.wifi.up()
            try await network.set(.cellular, to: .edge)
            try await network.wifi.set(.lte.with(.loss("2%")))
            try await network.wifi.flap(times: 3, downFor: .seconds(1), upFor: .seconds(2))
            try await network.nat64(true)
            try await network.dns("api.test", .nonexistent)
            try await network.dns("api.test", .origin, delay: .seconds(2))
            try await network.after(packet: 20, on: .wifi, in: .uplink, .down(.wifi))
            try await network.after(.request(1).delayed(by: .milliseconds(100)), .down(.wifi))
            try await network.after(.sinceStart(.seconds(2)), .up(.wifi))
            try await network.after(.responseSent(1000, request: 2), .down(.wifi))
            try await network.wait(for: .request(1))
            try await network.faults(OriginFault(at: .responseBody(1000), .reset, path: "/big", first: 1))
            _ = try await network.seen(after: 7)
            #expect(try await network.reset() == ["wifi down"])
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
            let text = try String(
                contentsOf: root.appendingPathComponent("scripts/control/golden.txt"), encoding: .utf8)
            let golden = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
            // This library writes durations in milliseconds.
            let expected = golden.map {
                $0.replacing("\"1s\"", with: "\"1000ms\"").replacing("\"2s\"", with: "\"2000ms\"")
            }
            #expect(lab.lines == expected)
        }
    }

    @Test func `several changes are one request`() async throws {
        try await with { network, lab in
            try await network.set(
                .condition(.wifi, .edge), .down(.wifi), .dns("a.test", .silent),
                .dns("b.test", .addresses(["192.0.2.1"])),
                .renumber(.wifi), .renumber(.cellular), .endConnections(on: .wifi))
            try await network.after(.responseSent(1000), .cost(.wifi, expensive: true))
            try await network.wifi.set(Condition(.rate("1Mbit/s"), .delay(.microseconds(1_500))))
            #expect(
                lab.lines == [
                    #"{"change":{"connections":{"end":"drop","on":"wifi"},"dns":{"a.test":"silent","b.test":["192.0.2.1"]},"renumber":["wifi","cellular"],"wifi":{"profile":"edge","state":"down"}},"do":"set","v":1}"#,
                    #"{"change":{"wifi":{"constrained":false,"expensive":true}},"do":"after","v":1,"when":{"request":1,"responseSent":"1000B"}}"#,
                    #"{"change":{"wifi":{"both":{"delay":"1.500ms","rate":"1Mbit/s"}}},"do":"set","v":1}"#,
                ])
        }
    }

    @Test func `the history is read, without fields of later versions`() async throws {
        try await with { network, _ in
            let history = try await network.seen()
            let request = try #require(history.requests.first)
            #expect(history.requestCount == 8 && request.number == 8 && request.connection == 3)
            #expect(request.time == .milliseconds(1500) && request.method == "GET" && request.target == "/big")
            #expect(request.status == 206 && request.sent == 1000 && request.isComplete && request.body == nil)
            #expect(request.header("range") == "bytes=5-" && request.header("cookie") == nil)
            #expect(history.queries == [Query(time: .nanoseconds(5), host: "api.test", type: "A", reply: "nxdomain")])
            #expect(
                history.changes == [
                    AppliedChange(time: .nanoseconds(6), cause: "request 1", changes: ["wifi down"])
                ])
        }
    }

    @Test(arguments: [
        ("dwon", NetworkError.refused("did you mean `down`?")), ("version", .invalidReply("its version is 2, not 1")),
        ("text", .invalidReply("it is not a JSON object")),
        ("close", .unreachable("it closed the connection without a reply; it may have ended")),
    ])
    func `failures have the reason`(_ word: String, _ expected: NetworkError) async throws {
        try await with { network, _ in
            await #expect(throws: expected) { try await network.wifi.set(Condition(profile: word)) }
        }
    }

    @Test func `a lab that has ended and a path that is too long are errors`() async throws {
        let gone = Network(connection: ControlConnection(path: "/nowhere/lab"))
        await #expect(throws: NetworkError.unreachable("/nowhere/lab: No such file or directory")) {
            try await gone.reset()
        }
        let long = Network(connection: ControlConnection(path: String(repeating: "a", count: 108)))
        await #expect(throws: NetworkError.self) { try await long.reset() }
    }
}
