import Record
import AdapterProtocol

/// One request to a proxy with its result.
struct ProxyRequest {
    var proxy: String
    var number: Int
    var form: ProxyFact.Form
    var target: String
    var headers: [HeaderField]
    /// The HTTP status or SOCKS reply of a refusal.
    var reply: Int?
    var isConnected = false
    var moment: RecordView.Moment
}

extension RecordView {
    func requests(toProxy name: String) -> [ProxyRequest] {
        var requests: [ProxyRequest] = []
        for (fact, moment) in proxyFacts where fact.proxy == name {
            switch fact.event {
            case .request(let number, let form, let target, let headers):
                requests.append(
                    ProxyRequest(
                        proxy: name, number: number, form: form, target: target, headers: headers, reply: nil,
                        moment: moment))
            case .refused(let number, let reply):
                if let index = requests.firstIndex(where: { $0.number == number }) { requests[index].reply = reply }
            case .connected(let number, _, _):
                if let index = requests.firstIndex(where: { $0.number == number }) {
                    requests[index].isConnected = true
                }
            case .accepted, .tlsEstablished, .tlsFailed, .carried, .fault, .badRequest, .closed: break
            }
        }
        return requests
    }

    /// Returns true if a proxy of the lab or the parser of the origin may have sent the task a page of its own: a
    /// refusal, or a complaint about a request. Nothing counts the bytes of those pages.
    func mayHaveOwnPage(_ task: TaskName) -> Bool {
        let targets = targets(of: task)
        let isOfProxy = Set(proxyFacts.map(\.fact.proxy)).contains { name in
            requests(toProxy: name).contains { request in
                guard request.reply != nil, request.form != .socks5 else { return false }
                let isURL = request.target.contains("://")
                let wanted = ParsedURL(isURL ? request.target : "//" + request.target)
                return targets.contains { $0.host == wanted.host && (!isURL || $0.path == wanted.path) }
            }
        }
        // The target of a request that was not understood is unknown.
        return isOfProxy
            || proxyFacts.contains { if case .badRequest = $0.fact.event { true } else { false } }
            || serverFacts.contains { if case .badRequest = $0.fact { true } else { false } }
    }

    /// The origin's connections that do not come from a proxy of the lab.
    var directConnections: [(Int, Moment)] {
        let proxied = Set(
            proxyFacts.compactMap { fact, _ in
                if case .connected(_, let from, _) = fact.event { from } else { nil }
            })
        return connections.filter { !proxied.contains(clients[$0.0] ?? "") }
    }
}
