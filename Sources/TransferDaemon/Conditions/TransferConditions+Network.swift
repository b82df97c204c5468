package import AdaptableSession
package import TransferProtocol

extension TransferConditions {
    /// Creates the conditions from the state of the network and of the power supplies.
    package init(_ network: NetworkState, _ power: PowerSupply) {
        let routed = network.path().interfaces
        // An interface without a default route counts too: it may lead to the host of a request, and the session itself
        // waits for a route (BKGD-16).
        let running = network.interfaces.filter { $0.kind != .loopback && $0.isRunning && !$0.addresses.isEmpty }
        self.init(usable: routed.isEmpty ? running : routed, power)
    }

    /// Creates the conditions from the interfaces that can be used, best first.
    init(usable interfaces: [NetworkInterface], _ power: PowerSupply) {
        // A tunnel shares the kind and the cost of the interface through which its packets leave.
        let best = interfaces.first { $0.kind != .vpn } ?? interfaces.first
        self.init(
            path: best.map { Path($0.kind) } ?? .none, isExpensive: best?.traits.contains(.expensive) ?? false,
            isConstrained: best?.traits.contains(.constrained) ?? false, hasExternalPower: power.hasExternalPower,
            batteryLevel: power.batteryLevel)
    }
}

extension TransferConditions.Path {
    /// An unknown kind counts as wired: it is not known to be expensive, and a container's only interface may have any
    /// name.
    init(_ kind: InterfaceKind) {
        self =
            switch kind {
            case .wifi: .wifi
            case .cellular: .cellular
            case .wired, .vpn, .other, .loopback: .wired
            }
    }
}
