/// The decision about a packet before it reaches the link.
package enum FlowVerdict: Hashable, Sendable {
    case pass
    /// The packet is dropped without a reply.
    case drop(FlowDrop)
    /// The packet is dropped, and these bytes are sent back to the sender.
    case reply([UInt8], FlowDrop)
}

/// The reason why a packet does not reach the link.
package enum FlowDrop: Hashable, Sendable {
    /// Dropped by the n-th rule, counted from 1.
    case rule(Int, PacketRule.Action)
    /// Its connection was killed; 0 means one whose beginning was not seen.
    case killed(connection: Int)

    package var description: String {
        switch self {
        case .rule(let number, .drop): "filter rule \(number)"
        case .rule(let number, .refuse): "filter rule \(number), refused with RST"
        case .rule(let number, .unreachable(let reason)): "filter rule \(number), \(reason) unreachable by ICMP"
        case .killed(connection: 0): "its connection was killed"
        case .killed(connection: let number): "connection \(number) was killed"
        }
    }
}

/// A packet that the tracker generates.
package struct InjectedPacket: Hashable, Sendable {
    package var bytes: [UInt8]
    /// `.downlink` means that it is sent to the client.
    package var direction: LinkDirectionName
    /// The connection it belongs to.
    package var connection: Int
}

/// A packet of one direction at which the network is suspended.
package struct LinkBreakpoint: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        /// Packet n of the direction, counted from 1.
        case packet(Int)
        /// Layer 3 byte n of the direction: of the k-th TCP connection of the interface, or of all packets.
        case bytes(Int64, connection: Int?)

        var connection: Int? {
            switch self {
            case .packet: nil
            case .bytes(_, let connection): connection
            }
        }
    }
    package var direction: LinkDirectionName
    package var place: Place
    package init(direction: LinkDirectionName, place: Place) {
        self.direction = direction
        self.place = place
    }
}
