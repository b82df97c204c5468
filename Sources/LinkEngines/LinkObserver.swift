package import LinkEmulator
package import Record

/// Reports of a link engine while it runs, sent from its own thread, in order.
package enum LinkObservation: Sendable {
    case fact(NetworkFact)
    /// The packet that a trigger names was offered; the network is suspended until `Lab.resume`.
    case packetBreakpoint(PacketBreakpoint)
    /// Packets left so late, because the machine was busy, that the requested condition was not kept.
    case late(String)
    /// The engine itself failed; the run's evidence cannot be trusted.
    case failed(String)
}

package typealias LinkObserver = @Sendable (LinkObservation) -> Void

/// A packet that a trigger names, by its number or by the byte that it carries.
package struct PacketBreakpoint: Hashable, Sendable {
    package var interface: InterfaceKind
    package var direction: LinkDirectionName
    package var place: Place

    package typealias Place = LinkBreakpoint.Place

    package init(interface: InterfaceKind, direction: LinkDirectionName, place: Place) {
        self.interface = interface
        self.direction = direction
        self.place = place
    }
}
