package import AdapterProtocol
import Record

/// The requests and DNS queries that a lab's own servers received, and the changes of its network, each with the time
/// since the program's start in nanoseconds.
package struct LabHistory: Hashable, Sendable {
    package struct Request: Hashable, Sendable {
        package var number: Int
        package var connection: Int
        package var time: Int64
        package var method: String
        package var target: String
        package var headers: [HeaderField]
        /// nil until the request's body is complete.
        package var bodyBytes: Int64?
        /// The body, if it is short text.
        package var body: String?
        /// nil until the response begins.
        package var status: Int?
        /// The number of bytes of the response's body that were handed to the kernel.
        package var sent: Int64 = 0
        /// True when the whole response was handed to the kernel.
        package var isComplete = false
    }

    package struct Query: Hashable, Sendable {
        package var time: Int64
        package var host: String
        package var type: String
        package var reply: String
    }

    package struct Change: Hashable, Sendable {
        package var time: Int64
        /// The moment, or another cause.
        package var cause: String
        package var changes: [String]
    }

    private(set) var requests: [Request] = []
    private(set) var queries: [Query] = []
    private(set) var changes: [Change] = []
    /// The number of requests so far, also those that are not kept.
    private(set) var requestCount = 0

    /// The number of latest entries of each list that are kept, so that a flood does not fill the memory.
    static let most = 1000
    /// The number of bytes of the longest body that is kept.
    static let longestBody = 4096

    mutating func record(_ event: LabEvent, at time: Int64) {
        switch event {
        case .server(let fact): record(fact, at: time)
        case .name(let fact):
            queries.append(Query(time: time, host: fact.host, type: fact.type, reply: fact.reply))
            LabHistory.limit(&queries)
        case .proxy, .breakpoint: break
        }
    }

    mutating func record(_ changes: [String], because cause: String, at time: Int64) {
        self.changes.append(Change(time: time, cause: cause, changes: changes))
        LabHistory.limit(&self.changes)
    }

    private mutating func record(_ fact: ServerFact, at time: Int64) {
        switch fact {
        case .requestHead(let connection, _, let request, let method, let target, let headers):
            requestCount = max(requestCount, request)
            requests.append(
                Request(
                    number: request, connection: connection, time: time, method: method, target: target,
                    headers: headers))
            LabHistory.limit(&requests)
        case .requestEnded(let request, let bytes, _, let text):
            edit(request) {
                $0.bodyBytes = bytes
                // The origin keeps long bodies of echoes.
                $0.body = text.flatMap { $0.utf8.count <= LabHistory.longestBody ? $0 : nil }
            }
        case .responseHead(let request, let status, _): edit(request) { $0.status = status }
        case .responseBody(let request, let bytes): edit(request) { $0.sent = bytes }
        case .responseEnded(let request, let bytes):
            edit(request) {
                $0.sent = bytes
                $0.isComplete = true
            }
        default: break
        }
    }

    private mutating func edit(_ number: Int, _ body: (inout Request) -> Void) {
        guard let index = requests.lastIndex(where: { $0.number == number }) else { return }
        body(&requests[index])
    }

    /// Removes the oldest entries, many at a time.
    private static func limit<Entry>(_ entries: inout [Entry]) {
        if entries.count >= 2 * most { entries.removeFirst(entries.count - most) }
    }

    /// Returns the JSON of the latest entries, without the requests up to number `after`.
    func json(after: Int) -> JSONValue {
        JSONObject().with("requests", requests.suffix(LabHistory.most).filter { $0.number > after }.map(\.json))
            .with("queries", queries.suffix(LabHistory.most).map(\.json))
            .with("changes", changes.suffix(LabHistory.most).map(\.json))
            .with("requestCount", requestCount).json
    }
}

extension LabHistory.Request: JSONConvertible {
    package var json: JSONValue {
        JSONObject().with("number", number).with("connection", connection).with("time", time).with("method", method)
            .with("target", target).with("headers", headers).with("bodyBytes", bodyBytes).with("body", body)
            .with("status", status).with("sent", sent).with("complete", isComplete).json
    }
}

extension LabHistory.Query: JSONConvertible {
    package var json: JSONValue {
        JSONObject().with("time", time).with("host", host).with("type", type).with("reply", reply).json
    }
}

extension LabHistory.Change: JSONConvertible {
    package var json: JSONValue {
        JSONObject().with("time", time).with("cause", cause).with("changes", changes).json
    }
}
