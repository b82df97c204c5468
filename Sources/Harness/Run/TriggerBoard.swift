import AdapterProtocol
import Scenario

/// Counts what has happened so far, and says which moments have been reached.
struct TriggerBoard {
    private(set) var requests = 0
    private(set) var connections = 0
    private var events: [TaskName: [TaskEventName: Int]] = [:]
    private var invalidated: Set<SessionName> = []
    private var bodyBytes: [Int: Int64] = [:]
    private var queries: [String: Int] = [:]
    private var packets: [PacketPlace: Int] = [:]
    private var wireBytes: [WirePlace: Int64] = [:]
    private let start: Int64

    private struct PacketPlace: Hashable {
        var interface: InterfaceKind
        var direction: LinkDirectionName
    }

    private struct WirePlace: Hashable {
        var interface: InterfaceKind
        var direction: LinkDirectionName
        var connection: Int?
    }

    init(start: Int64) { self.start = start }

    mutating func note(_ event: SessionEvent.Kind) {
        switch event {
        case .task(let task, let event): events[task, default: [:]][event.name, default: 0] += 1
        case .didBecomeInvalid(let session, error: _): invalidated.insert(session)
        case .hello, .unsupported, .adapterFailed, .log, .unknown: break
        }
    }

    mutating func note(_ fact: ServerFact) {
        switch fact {
        case .accepted: connections += 1
        case .requestHead: requests += 1
        case .responseBody(let request, let bytes): bodyBytes[request] = max(bodyBytes[request] ?? 0, bytes)
        case .tlsEstablished, .tlsHello, .tlsAgreed, .tlsFailed, .requestEnded, .responseHead, .responseEnded, .fault, .closed, .badRequest, .stream, .frame: break
        }
    }

    mutating func note(_ fact: NameFact) { queries[fact.host.lowercased(), default: 0] += 1 }

    mutating func note(_ mark: PacketMark) {
        switch mark.place {
        case .packet(let number):
            let place = PacketPlace(interface: mark.interface, direction: mark.direction)
            packets[place] = max(packets[place] ?? 0, number)
        case .bytes(let bytes, let connection):
            let place = WirePlace(interface: mark.interface, direction: mark.direction, connection: connection)
            wireBytes[place] = max(wireBytes[place] ?? 0, bytes)
        }
    }

    func hasReached(_ moment: Trigger.Moment, at now: Int64) -> Bool {
        switch moment {
        case .time(let duration): now >= start + duration.nanoseconds
        case .event(let task, let event, let count): (events[task]?[event] ?? 0) >= count
        case .invalidated(let session): invalidated.contains(session)
        case .request(let number): requests >= number
        case .responseBody(let bytes, let request): (bodyBytes[request] ?? -1) >= bytes
        case .connection(let number): connections >= number
        case .query(let host, let count): (queries[host.lowercased()] ?? 0) >= count
        case .packet(let interface, let direction, let count):
            (packets[PacketPlace(interface: interface, direction: direction)] ?? 0) >= count
        case .wireBytes(let interface, let direction, let bytes, let connection):
            (wireBytes[WirePlace(interface: interface, direction: direction, connection: connection)] ?? 0) >= bytes
        }
    }

    /// When a purely clock-driven moment will be reached; nil for moments that progress brings.
    func clockTime(of moment: Trigger.Moment) -> Int64? {
        switch moment {
        case .time(let duration): start + duration.nanoseconds
        case .event, .invalidated, .request, .responseBody, .connection, .query, .packet, .wireBytes: nil
        }
    }
}
