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
        /// The effect of the last fault.
        package var fault: String?
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
        /// The reason why the change was not made. Only views show such changes.
        package var failure: String?
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
        case .proxy, .breakpoint, .relaunch: break
        }
    }

    mutating func record(_ change: Change) {
        changes.append(change)
        LabHistory.limit(&changes)
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
        case .fault(_, let request?, _, let effect): edit(request) { $0.fault = effect }
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
            .with("changes", changes.filter { $0.failure == nil }.suffix(LabHistory.most).map(\.json))
            .with("requestCount", requestCount).json
    }

    /// The last entries of each list for watchers, with short texts, because they are sent twice a second.
    var lastRequests: [LabView.Request] { requests.suffix(LabView.mostEntries).map { LabView.Request($0) } }
    var lastQueries: [LabView.Query] { queries.suffix(LabView.mostEntries).map { LabView.Query($0) } }
    var lastChanges: [LabView.Change] {
        changes.filter { !$0.changes.isEmpty || $0.failure != nil }.suffix(LabView.mostEntries)
            .map { LabView.Change($0) }
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

extension LabHistory.Change {
    /// The cause with the changes, or with the reason why they were not made.
    var summary: String { "\(cause): \(failure ?? changes.joined(separator: ", "))" }
}

extension LabView {
    /// Maximum length of each list of requests, queries and changes, so that a view stays small.
    static let mostEntries = 20
    /// Maximum length of a text that the program chose.
    static let longestText = 200

    fileprivate static func cut(_ text: String) -> String { String(text.prefix(longestText)) }
}

extension LabView.Request {
    fileprivate init(_ request: LabHistory.Request) {
        let host = request.headers.first { $0.name.lowercased() == "host" || $0.name == ":authority" }?.value ?? ""
        self.init(
            number: request.number, age: request.time, method: LabView.cut(request.method),
            target: LabView.cut(host + request.target), status: request.status,
            bytes: request.sent > 0 || request.isComplete ? request.sent : nil, isComplete: request.isComplete,
            fault: request.fault.map(LabView.cut))
    }
}

extension LabView.Query {
    fileprivate init(_ query: LabHistory.Query) {
        self.init(age: query.time, host: LabView.cut(query.host), type: query.type, reply: LabView.cut(query.reply))
    }
}

extension LabView.Change {
    fileprivate init(_ change: LabHistory.Change) {
        self.init(age: change.time, text: LabView.cut(change.summary))
    }
}
