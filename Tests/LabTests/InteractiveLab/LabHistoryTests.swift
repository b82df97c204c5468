import AdapterProtocol
import Record
import Testing

@testable import Lab

/// The history is a value: facts go in, and the JSON of the protocol comes out.
@Suite struct LabHistoryTests {
    private func head(
        _ request: Int, target: String = "/", headers: [HeaderField] = [HeaderField("Range", "bytes=5-")]
    ) -> LabEvent {
        .server(
            .requestHead(
                connection: 2, exchange: 1, request: request, method: "GET", target: target, headers: headers))
    }

    @Test func `a request has what is known of it so far`() {
        var history = LabHistory()
        history.record(head(1), at: 5)
        #expect(
            history.json(after: 0).line
                == #"{"changes":[],"queries":[],"requestCount":1,"requests":[{"complete":false,"connection":2,"headers":[["Range","bytes=5-"]],"method":"GET","number":1,"sent":0,"target":"/","time":5}]}"#
        )
        history.record(.server(.requestEnded(request: 1, bodyBytes: 2, differsAt: nil, bodyText: "ab")), at: 6)
        history.record(.server(.responseHead(request: 1, status: 206, headers: [])), at: 7)
        history.record(.server(.responseBody(request: 1, bytes: 40)), at: 8)
        history.record(head(2), at: 9)
        history.record(.server(.responseEnded(request: 1, bytes: 50)), at: 10)
        let long = String(repeating: "a", count: LabHistory.longestBody + 1)
        history.record(.server(.requestEnded(request: 2, bodyBytes: 4097, differsAt: nil, bodyText: long)), at: 10)
        #expect(history.requests[1].bodyBytes == 4097 && history.requests[1].body == nil)
        // Facts of a request that is not kept change nothing.
        history.record(.server(.responseHead(request: 9, status: 500, headers: [])), at: 11)
        let first = history.requests[0]
        #expect(
            first.bodyBytes == 2 && first.body == "ab" && first.status == 206 && first.sent == 50 && first.isComplete)
        #expect(history.requests[1].status == nil && !history.requests[1].isComplete)
    }

    @Test func `requests up to a number are omitted, and queries and changes are listed`() {
        var history = LabHistory()
        for number in 1...3 { history.record(head(number), at: Int64(number)) }
        history.record(.name(DNSFact(host: "a.test", type: "A", reply: "nxdomain", client: "")), at: 4)
        history.record(LabHistory.Change(time: 5, cause: "request 3", changes: ["wifi down"]))
        // A change that was not made is for views only.
        history.record(LabHistory.Change(time: 6, cause: "request 3", changes: [], failure: "no such link"))
        #expect(
            history.json(after: 3).line
                == #"{"changes":[{"cause":"request 3","changes":["wifi down"],"time":5}],"queries":[{"host":"a.test","reply":"nxdomain","time":4,"type":"A"}],"requestCount":3,"requests":[]}"#
        )
        #expect(history.json(after: 1).object?["requests"]?.list?.count == 2)
    }

    @Test func `a flood leaves the latest entries and the count`() {
        var history = LabHistory()
        for number in 1...5000 { history.record(head(number), at: Int64(number)) }
        #expect(history.requests.count < 2 * LabHistory.most)
        let seen = history.json(after: 0).object
        #expect(seen?["requestCount"] == .integer(5000))
        let requests = seen?["requests"]?.list
        #expect(requests?.count == LabHistory.most && requests?.last?.object?["number"] == .integer(5000))
    }

    // MARK: - The last entries, for views

    @Test func `a viewed request has the status, the bytes and the fault of its response`() {
        var history = LabHistory()
        history.record(head(1, target: "/big", headers: [HeaderField("Host", "api.test")]), at: 10)
        history.record(.server(.responseHead(request: 1, status: 206, headers: [])), at: 11)
        #expect(history.lastRequests.first?.bytes == nil)
        history.record(.server(.responseBody(request: 1, bytes: 40)), at: 12)
        history.record(
            .server(.fault(connection: 1, request: 1, point: "response body byte 40", effect: "reset")), at: 13)
        var expected = LabView.Request(
            number: 1, age: 10, method: "GET", target: "api.test/big", status: 206, bytes: 40, fault: "reset")
        #expect(history.lastRequests == [expected])
        history.record(.server(.responseEnded(request: 1, bytes: 90)), at: 14)
        expected.bytes = 90
        expected.isComplete = true
        #expect(history.lastRequests == [expected])
    }

    @Test func `views have the last entries of each list`() {
        var history = LabHistory()
        for number in 1...50 {
            let time = Int64(number)
            history.record(head(number), at: time)
            history.record(
                .name(DNSFact(host: "h\(number)", type: "A", reply: "nxdomain", client: "192.0.2.2")), at: time)
            history.record(LabHistory.Change(time: time, cause: "\(number)", changes: ["wifi down", "cellular up"]))
        }
        let last = 50 - LabView.mostEntries + 1
        #expect(history.lastRequests.map(\.number) == Array(last...50))
        #expect(history.lastQueries.map(\.host) == (last...50).map { "h\($0)" })
        #expect(history.lastChanges.map(\.text) == (last...50).map { "\($0): wifi down, cellular up" })
    }

    @Test func `views show failed changes, and omit those without an effect`() {
        var history = LabHistory()
        history.record(LabHistory.Change(time: 1, cause: "on request", changes: []))
        history.record(LabHistory.Change(time: 2, cause: "1 s", changes: [], failure: "no such link"))
        #expect(history.lastChanges == [LabView.Change(age: 2, text: "1 s: no such link")])
    }

    @Test func `views cut texts of the program`() {
        var history = LabHistory()
        history.record(head(1, target: String(repeating: "a", count: 5000)), at: 0)
        #expect(history.lastRequests.first?.target.count == LabView.longestText)
    }
}
