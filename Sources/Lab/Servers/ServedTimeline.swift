import ScenarioLanguage

/// The part of a timeline that `serve` can play: changes of servers, at moments that servers observe.
struct ServedTimeline: Hashable {
    var played: [TimelineEntry] = []
    /// The other changes, each with its moment and the reason.
    var omitted: [String] = []

    init(_ timeline: [TimelineEntry]) {
        for entry in timeline {
            var changes: [NetworkChange] = []
            for change in entry.changes {
                if let reason = entry.trigger.moment.reasonNotServed ?? change.reasonNotServed {
                    omitted.append("\(change.summary), at \(entry.trigger.summary): \(reason)")
                } else {
                    changes.append(change)
                }
            }
            if !changes.isEmpty { played.append(TimelineEntry(trigger: entry.trigger, changes: changes)) }
        }
    }
}

extension Trigger.Moment {
    fileprivate var reasonNotServed: String? {
        switch self {
        case .sinceStart, .request, .responseSent, .acknowledged, .server, .connection, .proxy: nil
        case .event, .sessionEvent, .relaunch:
            "the steps are not played"
        case .query: NetworkChange.noNameServer
        case .packet, .wireBytes: NetworkChange.noLinks
        }
    }
}

extension NetworkChange {
    fileprivate static let noNameServer = "there is a DNS server only in a lab"
    fileprivate static let noLinks = "there are links only in a lab"

    fileprivate var reasonNotServed: String? {
        switch self {
        case .proxy, .faults: nil
        case .name: NetworkChange.noNameServer
        case .program, .power, .disk: "there is a program under test only in a lab"
        case .interfaceState, .link, .renumber, .cost, .connections, .flaps: NetworkChange.noLinks
        }
    }
}
