import AdapterProtocol
import Record
import Testing

@testable import Lab

@Suite struct RecentActivityTests {
    private static func head(_ number: Int, _ target: String = "/big") -> LabEvent {
        .server(
            .requestHead(
                connection: 1, exchange: 1, request: number, method: "GET", target: target,
                headers: [HeaderField("Host", "api.test")]))
    }

    @Test func `a request has the status, the bytes and the fault of its response`() {
        var activity = RecentActivity()
        activity.record(Self.head(1), at: 10)
        activity.record(.server(.responseHead(request: 1, status: 206, headers: [])), at: 11)
        activity.record(.server(.responseBody(request: 1, bytes: 40)), at: 12)
        activity.record(
            .server(.fault(connection: 1, request: 1, point: "response body byte 40", effect: "reset")), at: 13)
        var expected = LabView.Request(
            number: 1, age: 10, method: "GET", target: "api.test/big", status: 206, bytes: 40, fault: "reset")
        #expect(activity.requests == [expected])
        activity.record(.server(.responseEnded(request: 1, bytes: 90)), at: 14)
        expected.bytes = 90
        expected.isComplete = true
        #expect(activity.requests == [expected])
    }

    @Test func `only the last entries of each list are kept`() {
        var activity = RecentActivity()
        for number in 1...50 {
            activity.record(Self.head(number), at: Int64(number))
            activity.record(
                .name(DNSFact(host: "h\(number)", type: "A", reply: "nxdomain", client: "192.0.2.2")), at: Int64(number)
            )
            activity.record(change: "\(number)", at: Int64(number))
        }
        let last = 50 - RecentActivity.most + 1
        #expect(activity.requests.map(\.number) == Array(last...50))
        #expect(activity.queries.map(\.host) == (last...50).map { "h\($0)" })
        #expect(activity.changes.map(\.text) == (last...50).map(String.init))
    }

    @Test func `texts of the program are cut`() {
        var activity = RecentActivity()
        activity.record(Self.head(1, String(repeating: "a", count: 5000)), at: 0)
        #expect(activity.requests.first?.target.count == RecentActivity.longestText)
    }
}
