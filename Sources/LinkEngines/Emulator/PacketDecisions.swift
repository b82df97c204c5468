import LinkEmulator
import Record

/// The decisions of an earlier run, to be repeated instead of random draws.
package struct PacketDecisions: Sendable {
    let places: [LinkDirectionKey: ReplayedDecisions]
    /// The number of lines of the log.
    package let count: Int

    /// Returns the decisions for one direction. A direction without a line in the log had only unchanged packets, which
    /// is repeated as well.
    func decisions(_ interface: InterfaceKind, _ direction: LinkDirectionName) -> ReplayedDecisions {
        places[LinkDirectionKey(interface, direction)] ?? ReplayedDecisions([])
    }
}

/// The log to which the emulator writes its decisions, and the decisions to repeat.
package struct DecisionRecorder: Sendable {
    package var log: DecisionLog?
    package var replayed: PacketDecisions?
    package init(log: DecisionLog? = nil, replayed: PacketDecisions? = nil) {
        self.log = log
        self.replayed = replayed
    }

    func record(_ decision: PacketDecision, _ interface: InterfaceKind, _ direction: LinkDirectionName) {
        guard let log, !decision.isPlain else { return }
        log.record(decision, at: LinkDirectionKey(interface, direction))
    }

    /// Returns the parameters with the recorded decisions instead of random draws.
    func applied(
        to parameters: PerDirection<LinkParameters>, _ interface: InterfaceKind
    ) -> PerDirection<LinkParameters> {
        guard let replayed else { return parameters }
        var parameters = parameters
        parameters.uplink.replay = replayed.decisions(interface, .uplink)
        parameters.downlink.replay = replayed.decisions(interface, .downlink)
        return parameters
    }
}
