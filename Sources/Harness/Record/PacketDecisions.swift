import LinkEmulator
import Scenario

/// The decisions of an earlier run, to be done again in place of drawing.
package struct PacketDecisions: Sendable {
    let places: [LinkPlace: ReplayedDecisions]
    /// Lines of the log.
    package let count: Int

    /// A direction without a line in the log had plain packets only, which is a decision as well.
    func decisions(_ interface: InterfaceKind, _ direction: LinkDirectionName) -> ReplayedDecisions {
        places[LinkPlace(interface, direction)] ?? ReplayedDecisions([])
    }
}

/// Where the emulator writes what it decides, and what it does again instead of deciding.
package struct DecisionBook: Sendable {
    package var log: DecisionLog?
    package var replayed: PacketDecisions?
    package init(log: DecisionLog? = nil, replayed: PacketDecisions? = nil) {
        self.log = log
        self.replayed = replayed
    }

    func note(_ decision: PacketDecision, _ interface: InterfaceKind, _ direction: LinkDirectionName) {
        guard let log, !decision.isPlain else { return }
        log.note(decision, at: LinkPlace(interface, direction))
    }

    /// The same parameters, with the recorded decisions in place of drawing.
    func applied(to parameters: LinkParameters, _ interface: InterfaceKind, _ direction: LinkDirectionName) -> LinkParameters {
        guard let replayed else { return parameters }
        var parameters = parameters
        parameters.replay = replayed.decisions(interface, direction)
        return parameters
    }
}
