import AdapterProtocol
import LinkEmulator
import LinkEngines
import Record
package import ScenarioLanguage

/// Counts events and determines the triggers that have been reached.
package struct TriggerTracker {
    package private(set) var requests = 0
    package private(set) var connections = 0
    private var events: [TaskName: [TaskEventName: Int]] = [:]
    private var sessionEvents: [SessionName: [SessionEventName: Int]] = [:]
    private var relaunches = 0
    private var bodyBytes: [Int: Int64] = [:]
    private var acknowledgedBytes: [Int: Int64] = [:]
    /// The number of events by place; nil stands for any request or any connection.
    private var serverFacts: [ServerPlace: Int] = [:]
    private var connectionOfRequest: [Int: Int] = [:]
    private var queries: [String: Int] = [:]
    private var packets: [PacketPlace: Int] = [:]
    private var wireBytes: [WirePlace: Int64] = [:]
    private let start: Int64

    private var proxies: [String: ProxyCounts] = [:]

    private struct ProxyCounts {
        var requests = 0
        var tunnels = 0
        /// The places at which the proxy reported that it waits.
        var carried: Set<ProxyMoment.Event> = []
    }

    private struct PacketPlace: Hashable {
        var interface: InterfaceKind
        var direction: LinkDirectionName
    }

    private struct WirePlace: Hashable {
        var interface: InterfaceKind
        var direction: LinkDirectionName
        var connection: Int?
    }

    private struct ServerPlace: Hashable {
        var event: ServerMoment.Event
        var request: Int?
        var connection: Int?
    }

    init(start: Int64) { self.start = start }

    mutating func record(_ event: SessionEvent.Kind) {
        if case .task(let task, let event) = event { events[task, default: [:]][event.name, default: 0] += 1 }
        if let (session, name) = event.sessionEvent { sessionEvents[session, default: [:]][name, default: 0] += 1 }
    }

    mutating func record(_ event: LabEvent) {
        switch event {
        case .server(let fact): record(fact)
        case .name(let fact): queries[fact.host.lowercased(), default: 0] += 1
        case .proxy(let fact): record(fact)
        case .breakpoint(let breakpoint): record(breakpoint)
        case .relaunch: relaunches += 1
        }
    }

    private mutating func record(_ fact: ServerFact) {
        if let (event, request, connection) = fact.moment {
            let connection = connection ?? request.flatMap { connectionOfRequest[$0] }
            for request in Set([request, nil]) {
                for connection in Set([connection, nil]) {
                    serverFacts[ServerPlace(event: event, request: request, connection: connection), default: 0] += 1
                }
            }
        }
        switch fact {
        case .accepted: connections += 1
        case .requestHead(let connection, _, let request, _, _, _):
            requests += 1
            connectionOfRequest[request] = connection
        case .acknowledged(_, let request, let bytes):
            acknowledgedBytes[request] = max(acknowledgedBytes[request] ?? 0, bytes)
        case .responseBody(let request, let bytes): bodyBytes[request] = max(bodyBytes[request] ?? 0, bytes)
        case .tlsEstablished, .tlsHello, .tlsAgreed, .tlsFailed, .requestEnded, .responseHead, .responseEnded, .fault,
            .closed, .badRequest,
            .interim, .surplus, .stream, .frame:
            break
        }
    }

    private mutating func record(_ fact: ProxyFact) {
        var reached = proxies[fact.proxy] ?? ProxyCounts()
        switch fact.event {
        case .request: reached.requests += 1
        case .connected: reached.tunnels += 1
        case .carried(let request, let direction, let bytes):
            reached.carried.insert(ProxyMoment.Event.carried(direction, bytes: bytes, request: request))
        case .accepted, .tlsEstablished, .tlsFailed, .refused, .fault, .badRequest, .closed: break
        }
        proxies[fact.proxy] = reached
    }

    private func hasReached(_ moment: ProxyMoment) -> Bool {
        let counts = proxies[moment.proxy] ?? ProxyCounts()
        return switch moment.event {
        case .request(let number): counts.requests >= number
        case .tunnel(let number): counts.tunnels >= number
        case .carried: counts.carried.contains(moment.event)
        }
    }

    private mutating func record(_ breakpoint: PacketBreakpoint) {
        switch breakpoint.place {
        case .packet(let number):
            let place = PacketPlace(interface: breakpoint.interface, direction: breakpoint.direction)
            packets[place] = max(packets[place] ?? 0, number)
        case .bytes(let bytes, let connection):
            let place = WirePlace(
                interface: breakpoint.interface, direction: breakpoint.direction, connection: connection)
            wireBytes[place] = max(wireBytes[place] ?? 0, bytes)
        }
    }

    package func hasReached(_ moment: Trigger.Moment, at now: Int64) -> Bool {
        switch moment {
        case .sinceStart(let duration): now >= start + duration.nanoseconds
        case .event(let task, let event, let count): (events[task]?[event] ?? 0) >= count
        case .sessionEvent(let session, let event, let count): (sessionEvents[session]?[event] ?? 0) >= count
        case .relaunch(let number): relaunches >= number
        case .request(let number): requests >= number
        case .responseSent(let bytes, let request): (bodyBytes[request] ?? -1) >= bytes
        case .acknowledged(let bytes, let request): (acknowledgedBytes[request] ?? -1) >= bytes
        case .server(let moment):
            (serverFacts[ServerPlace(event: moment.event, request: moment.request, connection: moment.connection)] ?? 0)
                >= moment.count
        case .connection(let number): connections >= number
        case .proxy(let moment): hasReached(moment)
        case .query(let host, let count): (queries[host.lowercased()] ?? 0) >= count
        case .packet(let interface, let direction, let count):
            (packets[PacketPlace(interface: interface, direction: direction)] ?? 0) >= count
        case .wireBytes(let interface, let direction, let bytes, let connection):
            (wireBytes[WirePlace(interface: interface, direction: direction, connection: connection)] ?? 0) >= bytes
        }
    }

    /// Returns the moment that is as far from now as `moment` is from the start. Packets are counted by their link.
    func fromNow(_ moment: Trigger.Moment, at now: Int64) -> Trigger.Moment {
        switch moment {
        case .sinceStart(let duration): .sinceStart(duration + .nanoseconds(now - start))
        case .request(let number): .request(requests + number)
        case .responseSent(let bytes, let request): .responseSent(bytes: bytes, request: requests + request)
        case .acknowledged(let bytes, let request): .acknowledged(bytes: bytes, request: requests + request)
        case .connection(let number): .connection(connections + number)
        case .query(let host, let count):
            .query(host: host, count: (queries[host.lowercased()] ?? 0) + count)
        case .server(let moment):
            // A request or a connection that has not begun has had none of the events.
            .server(
                ServerMoment(
                    moment.event, request: moment.request.map { requests + $0 },
                    connection: moment.connection.map { connections + $0 },
                    count: moment.count
                        + (moment.request == nil && moment.connection == nil
                            ? serverFacts[ServerPlace(event: moment.event, request: nil, connection: nil)] ?? 0 : 0)))
        case .packet, .wireBytes, .event, .sessionEvent, .relaunch,
            .proxy:
            moment
        }
    }

    /// Returns the time of a trigger that depends only on the clock; nil for triggers that depend on progress.
    package func clockTime(of moment: Trigger.Moment) -> Int64? {
        switch moment {
        case .sinceStart(let duration): start + duration.nanoseconds
        case .event, .sessionEvent, .relaunch, .request,
            .responseSent, .acknowledged, .server, .connection, .proxy, .query, .packet, .wireBytes:
            nil
        }
    }
}
