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
    /// Its connection was cut; 0 stands for one whose beginning was not seen.
    case killed(connection: Int)

    package var description: String {
        switch self {
        case .rule(let number, .drop): "filter rule \(number)"
        case .rule(let number, .refuse): "filter rule \(number), refused by RST"
        case .rule(let number, .unreachable(let reason)): "filter rule \(number), \(reason) unreachable by ICMP"
        case .killed(connection: 0): "its connection was cut"
        case .killed(connection: let number): "connection \(number) was cut"
        }
    }
}

/// A packet that the gate generates.
package struct InjectedPacket: Hashable, Sendable {
    package var bytes: [UInt8]
    /// `.down` means that it is sent to the client.
    package var direction: LinkDirectionName
    /// The connection it belongs to.
    package var connection: Int
}

/// A breakpoint at byte `bytes` of layer 3 in one direction, of one connection or of all traffic.
package struct WireBreakpoint: Hashable, Sendable {
    package var direction: LinkDirectionName
    package var bytes: Int64
    package var connection: Int?
    package init(direction: LinkDirectionName, bytes: Int64, connection: Int?) {
        self.direction = direction
        self.bytes = bytes
        self.connection = connection
    }
}
