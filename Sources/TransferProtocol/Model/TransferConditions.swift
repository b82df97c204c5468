/// The conditions of the machine that decide which tasks may run.
package struct TransferConditions: Codable, Hashable, Sendable {
    /// The best interface with a route.
    package enum Path: String, Codable, Hashable, Sendable, CaseIterable {
        case none, cellular, wifi, wired
    }

    package var path: Path
    package var isExpensive: Bool
    package var isConstrained: Bool
    /// True on external power; also true for a machine without a battery.
    package var hasExternalPower: Bool
    /// 0…1; nil for a machine without a battery.
    package var batteryLevel: Double?

    package init(
        path: Path, isExpensive: Bool = false, isConstrained: Bool = false, hasExternalPower: Bool = true,
        batteryLevel: Double? = nil
    ) {
        self.path = path
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.hasExternalPower = hasExternalPower
        self.batteryLevel = batteryLevel
    }
}
