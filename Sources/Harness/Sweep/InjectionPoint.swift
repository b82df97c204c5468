import AdapterProtocol
import LinkEmulator
import Record
package import ScenarioLanguage
import Yams

/// A place in a run at which a sweep injects one fault.
package struct InjectionPoint: Hashable, Sendable {
    /// The columns of a sweep's table.
    package enum Phase: String, CaseIterable, Hashable, Sendable {
        case dns, connect, tls, proxy, request
        case requestBody = "request-body"
        case responseHead = "response-head"
        case responseBody = "response-body"
        case idle, event, downlink, uplink
    }

    package enum Place: Hashable, Sendable {
        /// A fault of the origin.
        case origin(Fault.Point, Fault.Scope)
        case proxy(String, ProxyFault.Point, ProxyFault.Scope)
        /// A change of the network, or of a packet where the moment is one.
        case moment(Trigger.Moment)
        /// The n-th query of each type for a host.
        case lookup(host: String, number: Int)
    }

    package var phase: Phase
    package var place: Place

    package init(_ phase: Phase, _ place: Place) {
        self.phase = phase
        self.place = place
    }

    /// A short description for tables and titles.
    package var description: String {
        switch place {
        case .origin(let point, let scope): point.description + scope.description
        case .proxy(let name, let point, let scope): "\(point.written.flat) of proxy \(name)" + scope.description
        case .moment(let moment): Trigger(moment).summary
        case .lookup(let host, let number): "query \(number) of a type for \(host)"
        }
    }
}

// MARK: - The words of a scenario file

extension Fault.Point {
    var written: Node {
        switch self {
        case .accept, .tlsStart, .tlsClientHello, .tlsFinished, .requestHead, .responseHead(after: 0), .statusLine,
            .trailers, .idle, .reusedRequest:
            Node(description)
        case .requestBody(let bytes): .flow(["requestBody": .number(bytes)])
        case .responseHead(let bytes): .flow(["responseHead": .number(bytes)])
        case .responseHeader(let name): .flow(["responseHeader": Node(name)])
        case .responseBody(let bytes): .flow(["responseBody": .number(bytes)])
        case .afterChunks(let count): .flow(["afterChunks": .number(count)])
        case .insideChunk(let number): .flow(["insideChunk": .number(number)])
        }
    }
}

extension Fault.Scope {
    /// The parts that injection points use.
    var written: Node {
        let parts: [(String, Int?)] = [("connection", connection), ("request", request)]
        return .flow(parts.compactMap { key, value in value.map { (key, Node.number($0)) } })
    }

    fileprivate var description: String {
        (connection.map { " of connection \($0)" } ?? "") + (request.map { " of request \($0)" } ?? "")
    }
}

extension ProxyFault.Point {
    var written: Node {
        switch self {
        case .accept: Node("accept")
        case .request: Node("request")
        case .carried(let direction, let bytes): .flow([(direction.rawValue, .number(bytes))])
        }
    }
}

extension ProxyFault.Scope {
    var written: Node {
        let parts: [(String, Int?)] = [("connection", connection), ("request", request)]
        return .flow(parts.compactMap { key, value in value.map { (key, Node.number($0)) } })
    }

    fileprivate var description: String {
        (connection.map { ", connection \($0)" } ?? "") + (request.map { ", request \($0)" } ?? "")
    }
}

extension Trigger {
    /// The value of `when:`.
    var written: Node {
        let later: [(String, Node)] = delay.map { [("after", .milliseconds($0))] } ?? []
        func pairs(_ pairs: [(String, Node?)]) -> Node {
            .flow(pairs.compactMap { key, value in value.map { (key, $0) } } + later)
        }
        switch moment {
        case .sinceStart(let time): return pairs([("sinceStart", .milliseconds(time))])
        case .event(let task, let event, let count):
            return pairs([
                ("event", Node("\(task.text).\(event.rawValue)")), ("count", count > 1 ? .number(count) : nil),
            ])
        case .sessionEvent(let session, let event, let count):
            return pairs([
                ("event", Node("\(session.text).\(event.rawValue)")), ("count", count > 1 ? .number(count) : nil),
            ])
        case .relaunch(let number): return pairs([("relaunch", .number(number))])
        case .request(let number): return pairs([("request", .number(number))])
        case .responseSent(let bytes, let request):
            return pairs([("responseSent", .number(bytes)), ("request", .number(request))])
        case .acknowledged(let bytes, let request):
            return pairs([("acknowledged", .number(bytes)), ("request", .number(request))])
        case .server(let moment):
            return pairs([
                ("server", Node(moment.event.rawValue)), ("request", moment.request.map { .number($0) }),
                ("connection", moment.connection.map { .number($0) }),
                ("count", moment.count > 1 ? .number(moment.count) : nil),
            ])
        case .connection(let number): return pairs([("connection", .number(number))])
        case .proxy(let moment): return pairs([("proxy", Node(moment.proxy))] + moment.event.written)
        case .query(let host, let count):
            return pairs([("query", Node(host)), ("count", count > 1 ? .number(count) : nil)])
        case .packet(let interface, let direction, let number):
            return pairs([
                ("packet", .number(number)), ("direction", Node(direction.rawValue)), ("on", Node(interface.rawValue)),
            ])
        case .wireBytes(let interface, let direction, let bytes, let connection):
            return pairs([
                ("wireBytes", .number(bytes)), ("direction", Node(direction.rawValue)),
                ("on", Node(interface.rawValue)),
                ("connection", connection.map { .number($0) }),
            ])
        }
    }
}

extension ProxyMoment.Event {
    fileprivate var written: [(String, Node?)] {
        switch self {
        case .request(let number): [("request", .number(number))]
        case .tunnel(let number): [("tunnel", .number(number))]
        case .carried(let direction, let bytes, let request):
            [(direction.rawValue, .number(bytes)), ("request", .number(request))]
        }
    }
}

extension Node {
    static func milliseconds(_ duration: Duration) -> Node { Node("\(duration.nanoseconds / 1_000_000)ms") }

    /// The scalar, or the pairs of a mapping.
    fileprivate var flat: String {
        if let scalar { return scalar.string }
        return mapping?.map { "\($0.key.string ?? "") \($0.value.string ?? "")" }.joined(separator: ", ") ?? ""
    }
}
