import InternetAddresses
import LabKernel
import LinkEmulator
import NetworkMonitor
import Record

/// Finds the client interface through which IPv6 packets leave, and the address of the client's translator there.
struct ClientUplinks: Sendable {
    let client: NetlinkSocket
    let internet: NetlinkSocket

    /// Returns the translator's address on an interface, outside the leases of the client itself.
    static func translatorAddress(on kind: InterfaceKind) -> IPv6Address {
        guard let router = IPv6Address(Addressing.interface(kind).network6) else {
            preconditionFailure("the address plan")
        }
        return IPv6Address(high: router.high, low: 0x464)
    }

    /// Returns the interface of the best IPv6 default route; nil without one. Adds the translator's address as a
    /// neighbour in that network, because only the client's own addresses respond to neighbour discovery.
    func current() throws(NetlinkError) -> InterfaceKind? {
        let links = try client.links()
        let defaults = try client.routes().filter { $0.destination == .allV6 }.sorted { $0.metric < $1.metric }
        for route in defaults {
            let index: CInt?
            switch route.target {
            case .interface(let found): index = found
            case .gateway(_, let found, onLink: _): index = found
            case .blackhole, .unreachable, .prohibit: index = nil
            }
            guard let link = links.first(where: { $0.index == index }),
                let kind = InterfaceKind.allCases.first(where: { $0.linuxName == link.name })
            else { continue }
            if !link.hardwareAddress.isEmpty {
                let far = try internet.link(named: kind.networkName).index
                try internet.setPermanentNeighbour(
                    InterfaceEnds.address("\(Self.translatorAddress(on: kind))"), hardwareAddress: link.hardwareAddress,
                    on: far)
            }
            return kind
        }
        return nil
    }
}
