package import Scenario

/// What a link engine tells while it runs, from its own thread, in order.
package enum LinkObservation: Sendable {
    case fact(NetworkFact)
    /// The n-th packet (from 1) that some trigger named was offered.
    case packetMark(InterfaceKind, LinkDirectionName, count: Int)
    /// The engine itself failed; the run's evidence is not to be trusted.
    case failed(String)
}

package typealias LinkObserver = @Sendable (LinkObservation) -> Void

/// One packet count that a trigger names.
package struct PacketMark: Hashable, Sendable {
    package var interface: InterfaceKind
    package var direction: LinkDirectionName
    package var count: Int
}
