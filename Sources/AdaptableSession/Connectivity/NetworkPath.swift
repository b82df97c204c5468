package import InternetAddresses

/// The part of the network that one request may use: the allowed interfaces, best first, or the reason why there are
/// none.
package struct NetworkPath: Hashable, Sendable {
    package enum Obstacle: Hashable, Sendable {
        /// No interface has a suitable route.
        case noNetwork
        /// All interfaces with a suitable route have traits that the request forbids: these traits.
        case forbidden(PathTraits)
    }

    package let interfaces: [NetworkInterface]
    package let obstacle: Obstacle?
    /// True if sockets must be bound to one of `interfaces`, because forbidden interfaces exist.
    package let needsBinding: Bool

    package var isOpen: Bool { obstacle == nil }
    package func has(v6: Bool) -> Bool { interfaces.contains { $0.defaultMetric(v6: v6) != nil } }
}

extension NetworkState {
    /// Returns the path for a name, or with `destination` the path to an address: any route to it then suffices, not
    /// only a default route.
    package func path(
        to destination: IPAddress? = nil, forbidding forbidden: PathTraits = [], policy: PathPolicy = PathPolicy()
    ) -> NetworkPath {
        // A loopback address leads to this machine and needs no network.
        if let destination, destination.isLoopback {
            return NetworkPath(
                interfaces: interfaces.filter { $0.kind == .loopback }, obstacle: nil, needsBinding: false)
        }
        let leading = interfaces.filter { $0.kind != .loopback && isLeading($0, destination, policy) }
        let allowed = policy.honoursForbidden ? leading.filter { $0.traits.isDisjoint(with: forbidden) } : leading
        // An interface without routes counts too: it may get one at any time.
        let others = interfaces.contains { $0.kind != .loopback && !$0.traits.isDisjoint(with: forbidden) }
        let sorted = allowed.sorted { rank($0, destination) < rank($1, destination) }
        guard sorted.isEmpty else {
            return NetworkPath(
                interfaces: sorted, obstacle: nil, needsBinding: policy.bindsToAllowedInterface && others)
        }
        let met = leading.reduce(into: PathTraits()) { $0.formUnion($1.traits) }.intersection(forbidden)
        return NetworkPath(
            interfaces: [], obstacle: met.isEmpty ? .noNetwork : .forbidden(met),
            needsBinding: policy.bindsToAllowedInterface && others)
    }

    private func isLeading(_ interface: NetworkInterface, _ destination: IPAddress?, _ policy: PathPolicy) -> Bool {
        // An interface without a carrier, or switched off, does not count (CONN-13); one without an address cannot receive
        // replies.
        guard interface.isRunning, !interface.addresses.isEmpty else { return false }
        guard policy.needsRoute else { return true }
        if let destination { return interface.metric(to: destination) != nil }
        return interface.defaultMetric(v6: false) != nil || interface.defaultMetric(v6: true) != nil
    }

    /// Ranks interfaces as the kernel does: the more specific destination first, then the lower metric.
    private func rank(_ interface: NetworkInterface, _ destination: IPAddress?) -> (Int, UInt32, CInt) {
        if let destination {
            let route = interface.metric(to: destination)
            return (-(route?.length ?? -1), route?.metric ?? .max, interface.index)
        }
        let metrics = [interface.defaultMetric(v6: false), interface.defaultMetric(v6: true)].compactMap(\.self)
        return (0, metrics.min() ?? .max, interface.index)
    }
}
