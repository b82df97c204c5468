package import AdapterProtocol
import LinkEmulator
import LinkEngines
package import ScenarioLanguage

/// An event of an interactive lab or a change of its network, in order. `crosswind record` writes a scenario from them.
package enum LabObservation: Sendable {
    case event(LabEvent)
    /// A change that a request made at once. `moving` is the next packet of the link with a queue, if there is one.
    case change(JSONValue, moving: Trigger.Moment?)
    /// A change that a request added to the timeline.
    case planned(JSONValue, Trigger)
    /// The program ended before this moment of an added change.
    case unreached(Trigger)
    /// The network, the names and the faults of the start.
    case reset(moving: Trigger.Moment?)
    /// Other faults of the origin.
    case faults
}

extension LinkTraffic {
    /// Returns the next packet of the direction with the longest queue; nil if no packets are waiting.
    static func moving(_ traffic: [LinkTraffic]) -> Trigger.Moment? {
        let longest = traffic.max { ($0.queuedBytes ?? 0) < ($1.queuedBytes ?? 0) }
        guard let longest, let queued = longest.queuedPackets, queued > 0 else { return nil }
        let offered = longest.packets &+ (longest.lost ?? 0) &+ UInt64(queued)
        return Int(exactly: offered).map { .packet(longest.interface, longest.direction, count: $0 + 1) }
    }
}
