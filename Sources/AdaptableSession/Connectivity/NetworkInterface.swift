package import InternetAddresses
import NetworkMonitor

/// An interface with the properties that a session needs: its kind, its traits and its routes.
package struct NetworkInterface: Hashable, Sendable {
    /// A route that leaves through the interface.
    package struct Route: Hashable, Sendable {
        package let destination: AddressPrefix
        package let metric: UInt32

        package init(to destination: AddressPrefix, metric: UInt32 = 0) {
            self.destination = destination
            self.metric = metric
        }
    }

    package let index: CInt
    package let name: String
    package var kind: InterfaceKind
    package var traits: PathTraits = []
    /// True if the interface is administratively up, has a carrier and is operational.
    package var isRunning = true
    /// The addresses that can be the source of packets: without link-local and tentative addresses.
    package var addresses: [IPAddress]
    package var routes: [Route]

    package func hasAddress(v6: Bool) -> Bool { addresses.contains { $0.isV6 == v6 } }

    /// Returns the metric of the best default route of a family; nil without one, or without an address of that family.
    package func defaultMetric(v6: Bool) -> UInt32? {
        guard hasAddress(v6: v6) else { return nil }
        return routes.filter { $0.destination.length == 0 && $0.destination.address.isV6 == v6 }.map(\.metric).min()
    }

    /// Returns prefix length and metric of the most specific route to this address; nil without a route, or without an
    /// address of that family.
    package func metric(to address: IPAddress) -> (length: Int, metric: UInt32)? {
        guard hasAddress(v6: address.isV6) else { return nil }
        return routes.filter { $0.destination.covers(address) }.map { ($0.destination.length, $0.metric) }
            .min { ($1.0, $0.1) < ($0.0, $1.1) }
    }
}

extension AddressPrefix {
    func covers(_ address: IPAddress) -> Bool {
        guard address.isV6 == self.address.isV6, let other = AddressPrefix(address, length: length) else {
            return false
        }
        return other.network == network
    }
}
