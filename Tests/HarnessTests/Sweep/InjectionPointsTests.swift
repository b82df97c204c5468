import AdapterProtocol
import Conformance
import LinkEmulator
import Record
import ScenarioLanguage
import Testing

@testable import Harness

/// Tests which points of a record a sweep injects faults at.
@Suite struct InjectionPointsTests {
    private static func points(
        _ facts: [RecordEntry.Fact], everyByte: Bool = false, origin: (inout OriginPlan) -> Void = { _ in }
    ) -> [InjectionPoint] {
        var scenario = Scenario(file: "a.yaml", id: "a", title: "a")
        origin(&scenario.origin)
        let entries = facts.enumerated().map { RecordEntry(time: Int64($0.offset), fact: $0.element) }
        return InjectionPoints.find(in: entries, of: scenario, everyByte: everyByte)
    }

    private static func origin(
        _ phase: InjectionPoint.Phase, _ point: Fault.Point, connection: Int? = nil, request: Int? = nil
    )
        -> InjectionPoint
    {
        InjectionPoint(phase, .origin(point, Fault.Scope(connection: connection, request: request)))
    }

    private static func query(_ type: String) -> RecordEntry.Fact {
        .name(DNSFact(host: "API.test", type: type, reply: "origin", client: "192.0.2.2"))
    }

    @Test func `queries are points by host, and replies by host and type`() {
        let points = Self.points([Self.query("A"), Self.query("AAAA")])
        #expect(
            points == [
                InjectionPoint(.dns, .lookup(host: "api.test", number: 1)),
                InjectionPoint(.dns, .moment(.query(host: "api.test", count: 1))),
                InjectionPoint(.dns, .moment(.query(host: "api.test", count: 2))),
            ])
    }

    @Test func `a connection and each step of its handshake are points`() {
        let points = Self.points([
            .server(.accepted(connection: 1, client: "192.0.2.2", port: 4000)),
            .server(.tlsHello(connection: 1, serverName: "api.test", alpn: [])),
            .server(.tlsEstablished(connection: 1, version: "TLSv1.3", serverName: nil)),
        ])
        #expect(
            points == [
                Self.origin(.connect, .accept, connection: 1), InjectionPoint(.connect, .moment(.connection(1))),
                Self.origin(.tls, .tlsStart, connection: 1), Self.origin(.tls, .tlsClientHello, connection: 1),
                Self.origin(.tls, .tlsFinished, connection: 1),
                InjectionPoint(.tls, .moment(.server(ServerMoment(.tlsEstablished, connection: 1)))),
            ])
    }

    private static let head = ServerFact.responseHead(
        request: 1, status: 200, headers: [HeaderField("Date", "today"), HeaderField("Content-Length", "5")])

    @Test func `each line of a head is a point, and each byte on request`() {
        let lines = Self.points([.server(Self.head)])
        for point in [
            Fault.Point.responseHead(after: 0), .statusLine, .responseHeader("Date"), .responseHeader("Content-Length"),
        ] {
            #expect(lines.contains(Self.origin(.responseHead, point, request: 1)))
        }
        let bytes = Self.points([.server(Self.head)], everyByte: true)
        #expect(bytes.count > lines.count + 30)
        #expect(bytes.contains(Self.origin(.responseHead, .responseHead(after: 17), request: 1)))
    }

    @Test func `an HTTP/2 head is one point`() {
        let points = Self.points([.server(Self.head)]) { $0.protocols = [.http2] }
        #expect(points == [Self.origin(.responseHead, .responseHead(after: 0), request: 1)])
    }

    @Test func `a body has its ends, its middle and the boundaries of records`() {
        let points = Self.points([.server(.responseEnded(request: 1, bytes: 20_000))])
        let offsets = points.compactMap { point -> Int64? in
            if case .origin(.responseBody(let bytes), _) = point.place { bytes } else { nil }
        }
        #expect(offsets == [0, 1, 10_000, 16_383, 16_384, 16_385, 19_999, 20_000])
        let all = Self.points([.server(.responseEnded(request: 1, bytes: 30))], everyByte: true)
        #expect(all.count { if case .origin(.responseBody, _) = $0.place { true } else { false } } == 31)
    }

    @Test func `each packet of each direction is a point`() {
        let points = Self.points([
            .network(.packetCounts(.wifi, .downlink, packets: 3, bytes: 300)),
            .network(.packetCounts(.wifi, .uplink, packets: 2, bytes: 200)),
        ])
        #expect(points.count { $0.phase == .downlink } == 3)
        #expect(points.count { $0.phase == .uplink } == 2)
        #expect(points.last == InjectionPoint(.uplink, .moment(.packet(.wifi, .uplink, count: 2))))
    }

    @Test func `events are counted by name, and the end of a task is not a point`() {
        let events: [TaskEvent] = [
            .didReceiveData([1]), .didReceiveData([2]), .didComplete(nil, resumeDataLength: nil),
        ]
        let points = Self.points(
            events.map { .session(SessionEvent(sequence: 1, time: 0, kind: .task("first", $0))) })
        #expect(
            points == (1...2).map { InjectionPoint(.event, .moment(.event("first", .didReceiveData, count: $0))) })
    }
}
