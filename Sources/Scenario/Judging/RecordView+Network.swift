extension RecordView {
    /// Packets of one direction of one interface over the whole run, as the link counted them; nil when it did not.
    package func packets(_ kind: InterfaceKind, _ direction: LinkDirectionName) -> (count: UInt64, moment: Moment)? {
        for (fact, moment) in network.reversed() {
            if case .packetCounts(kind, direction, packets: let packets, bytes: _) = fact { return (packets, moment) }
        }
        return nil
    }

    package func measurements(
        _ kind: InterfaceKind, _ direction: LinkDirectionName
    ) -> [(measurement: NetworkFact.Measurement, moment: Moment)] {
        network.compactMap { fact, moment in
            guard case .conditionMeasured(kind, direction, let measurement) = fact else { return nil }
            return (measurement, moment)
        }
    }

    /// An interface that the scenario has from the beginning or that some change brought.
    package func hasInterface(_ kind: InterfaceKind) -> Bool {
        scenario.network.interfaces.contains { $0.kind == kind }
            || network.contains { if case .interfaceState(kind, _) = $0.fact { true } else { false } }
    }
}
