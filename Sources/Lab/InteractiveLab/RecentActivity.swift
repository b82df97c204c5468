import AdapterProtocol
import Record

/// The last requests, DNS queries and changes of an interactive lab, for watchers. Times count from the lab's start.
struct RecentActivity: Hashable, Sendable {
    private(set) var requests: [LabView.Request] = []
    private(set) var queries: [LabView.Query] = []
    private(set) var changes: [LabView.Change] = []

    /// Maximum length of each list, so that a view stays small.
    static let most = 20
    /// Maximum length of a text that the program chose.
    static let longestText = 200

    mutating func record(_ event: LabEvent, at age: Int64) {
        switch event {
        case .server(let fact): record(fact, at: age)
        case .name(let fact):
            queries.append(
                LabView.Query(
                    age: age, host: RecentActivity.cut(fact.host), type: fact.type,
                    reply: RecentActivity.cut(fact.reply)))
            queries = queries.suffix(RecentActivity.most)
        case .proxy, .breakpoint: break
        }
    }

    /// Records a change of the network with its cause.
    mutating func record(change words: String, at age: Int64) {
        changes.append(LabView.Change(age: age, text: RecentActivity.cut(words)))
        changes = changes.suffix(RecentActivity.most)
    }

    private mutating func record(_ fact: ServerFact, at age: Int64) {
        switch fact {
        case .requestHead(_, _, let request, let method, let target, let headers):
            let host = headers.first { $0.name.lowercased() == "host" || $0.name == ":authority" }?.value ?? ""
            requests.append(
                LabView.Request(
                    number: request, age: age, method: RecentActivity.cut(method),
                    target: RecentActivity.cut(host + target)))
            requests = requests.suffix(RecentActivity.most)
        case .responseHead(let request, let status, _): edit(request) { $0.status = status }
        case .responseBody(let request, let bytes): edit(request) { $0.bytes = bytes }
        case .responseEnded(let request, let bytes):
            edit(request) {
                $0.bytes = bytes
                $0.isComplete = true
            }
        case .fault(_, let request?, _, let effect): edit(request) { $0.fault = RecentActivity.cut(effect) }
        default: break
        }
    }

    private mutating func edit(_ number: Int, _ body: (inout LabView.Request) -> Void) {
        guard let index = requests.lastIndex(where: { $0.number == number }) else { return }
        body(&requests[index])
    }

    private static func cut(_ text: String) -> String { String(text.prefix(longestText)) }
}
