package import Scenario

/// What a link engine tells while it runs, from its own thread, in order.
package enum LinkObservation: Sendable {
    case fact(NetworkFact)
    /// The packet that some trigger named was offered; the network stands still until `Lab.goOn`.
    case packetMark(PacketMark)
    /// Packets left so late, because the machine was busy, that the condition was not what was asked.
    case late(String)
    /// The engine itself failed; the run's evidence is not to be trusted.
    case failed(String)
}

package typealias LinkObserver = @Sendable (LinkObservation) -> Void

/// One packet that a trigger names, by its number or by the byte that it carries.
package struct PacketMark: Hashable, Sendable {
    package var interface: InterfaceKind
    package var direction: LinkDirectionName
    package var place: Place

    package enum Place: Hashable, Sendable {
        /// The n-th packet of the direction, counted from 1.
        case packet(Int)
        /// Byte n of layer 3 of the direction: of the k-th TCP connection of the interface, or of everything.
        case bytes(Int64, connection: Int?)
    }
}
