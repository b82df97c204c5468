import LinkEmulator
package import LinkEngines
package import ScenarioLanguage

/// A place at which the lab pauses because a trigger names it, so that the change takes effect exactly there.
package enum Breakpoint: Hashable, Sendable {
    /// A byte of a response: the origin pauses.
    case response(request: Int, bytes: Int64)
    /// A byte that a proxy carries: the proxy pauses.
    case proxy(ProxyMoment)
    /// A packet: the network pauses until `Lab.resume`.
    case packet(PacketBreakpoint)
}

extension Trigger.Moment {
    /// The place at which the lab pauses for this moment; nil when a change may follow a little later. A byte has the
    /// same breakpoint whether it is awaited as sent or as acknowledged.
    package var breakpoint: Breakpoint? {
        switch self {
        case .responseSent(let bytes, let request), .acknowledged(let bytes, let request):
            .response(request: request, bytes: bytes)
        case .proxy(let moment): if case .carried = moment.event { .proxy(moment) } else { nil }
        case .packet(let interface, let direction, let count):
            .packet(PacketBreakpoint(interface: interface, direction: direction, place: .packet(count)))
        case .wireBytes(let interface, let direction, let bytes, let connection):
            .packet(
                PacketBreakpoint(
                    interface: interface, direction: direction, place: .bytes(bytes, connection: connection)))
        case .sinceStart, .event, .sessionEvent, .relaunch, .request,
            .server, .connection, .query:
            nil
        }
    }
}

extension Scenario {
    /// The moments of the timeline and of the awaits of the script.
    var moments: [Trigger.Moment] {
        var triggers = timeline.map(\.trigger)
        for case .await(let trigger) in script { triggers.append(trigger) }
        return triggers.map(\.moment)
    }

    /// The breakpoints of all triggers, each once.
    package var breakpoints: [Breakpoint] {
        var found: [Breakpoint] = []
        for case let breakpoint? in moments.map(\.breakpoint) where !found.contains(breakpoint) {
            found.append(breakpoint)
        }
        return found
    }

    /// The packets that triggers name; a link reports only those.
    package var packetBreakpoints: [PacketBreakpoint] {
        breakpoints.compactMap { if case .packet(let packet) = $0 { packet } else { nil } }
    }
}
