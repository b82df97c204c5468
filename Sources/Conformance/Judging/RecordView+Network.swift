import ScenarioLanguage
package import Record
package import LinkEmulator

extension RecordView {
    /// Returns the packets of one direction of one interface over the whole run, as counted by the link; nil if it did
    /// not count them.
    package func packets(_ kind: InterfaceKind, _ direction: LinkDirectionName) -> (count: UInt64, moment: Moment)? {
        for (fact, moment) in network.reversed() {
            if case .packetCounts(kind, direction, packets: let packets, bytes: _) = fact { return (packets, moment) }
        }
        return nil
    }

    /// Returns true if a RST to the client was lost on a link before this moment.
    func lostReset(before moment: Moment) -> Bool {
        network.contains { fact, lost in
            if case .resetLost(_, .downlink) = fact { lost < moment } else { false }
        }
    }

    package func measurements(
        _ kind: InterfaceKind, _ direction: LinkDirectionName
    ) -> [(measurement: NetworkFact.Measurement, moment: Moment)] {
        network.compactMap { fact, moment in
            guard case .conditionMeasured(kind, direction, let measurement) = fact else { return nil }
            return (measurement, moment)
        }
    }

    /// Returns true for an interface that the scenario has from the start or that a change added.
    package func hasInterface(_ kind: InterfaceKind) -> Bool {
        scenario.network.interfaces.contains { $0.kind == kind }
            || network.contains { if case .interfaceState(kind, _) = $0.fact { true } else { false } }
    }
}
