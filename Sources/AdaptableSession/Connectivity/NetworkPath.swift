package import LinuxNet

/// What a network offers one request: the interfaces that it may use, best first, or why there is none.
package struct NetworkPath: Hashable, Sendable {
    package enum Obstacle: Hashable, Sendable {
        /// No interface leads anywhere.
        case noNetwork
        /// Those that lead somewhere have traits that the request forbids: these ones.
        case forbidden(PathTraits)
    }

    package let interfaces: [NetworkInterface]
    package let obstacle: Obstacle?
    /// Sockets must be bound to one of `interfaces`: there are others, which are forbidden.
    package let needsBinding: Bool

    package var isOpen: Bool { obstacle == nil }
    package func has(v6: Bool) -> Bool { interfaces.contains { $0.defaultMetric(v6: v6) != nil } }
}

extension NetworkState {
    /// The path for a name, or with `destination` to an address: then any way to it will do, not only a default route.
    package func path(
        to destination: IPAddress? = nil, forbidding forbidden: PathTraits = [], policy: PathPolicy = PathPolicy()
    ) -> NetworkPath {
        if policy.loopbackIsAlwaysOpen, let destination, destination.isLoopback {
            return NetworkPath(
                interfaces: interfaces.filter { $0.kind == .loopback }, obstacle: nil, needsBinding: false)
        }
        let leading = interfaces.filter { $0.kind != .loopback && isLeading($0, destination, policy) }
        let allowed = policy.honoursForbidden ? leading.filter { $0.traits.isDisjoint(with: forbidden) } : leading
        // Also one that leads nowhere at this moment: it may in the next.
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
        if policy.needsRunningInterface, !interface.isRunning { return false }
        if policy.needsAddress, interface.addresses.isEmpty { return false }
        guard policy.needsRoute else { return true }
        if let destination { return interface.metric(to: destination) != nil }
        return interface.defaultMetric(v6: false) != nil || interface.defaultMetric(v6: true) != nil
    }

    /// As the kernel chooses: the narrower destination, then the lower metric.
    private func rank(_ interface: NetworkInterface, _ destination: IPAddress?) -> (Int, UInt32, CInt) {
        if let destination {
            let route = interface.metric(to: destination)
            return (-(route?.length ?? -1), route?.metric ?? .max, interface.index)
        }
        let metrics = [interface.defaultMetric(v6: false), interface.defaultMetric(v6: true)].compactMap(\.self)
        return (0, metrics.min() ?? .max, interface.index)
    }
}
