/// A rule that selects packets of one direction and the action for them. The first rule that matches applies.
package struct PacketRule: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// TCP with SYN and without ACK.
        case syn
        /// TCP with SYN and ACK.
        case synAck
        /// TCP with ACK, without payload, SYN, FIN or RST.
        case ack
        /// TCP with payload.
        case data
        case fin, rst
        case tcp, udp, icmp
    }
    package enum Action: Hashable, Sendable {
        /// The packet is dropped silently.
        case drop
        /// The packet is dropped, and the sender gets an ICMP error.
        case unreachable(Unreachable)
        /// TCP: the packet is dropped, and the sender gets a RST that seems to come from the other side.
        case refuse
    }
    /// Names for the codes of RFC 792, RFC 4443 and RFC 1812 §5.2.7.1.
    package enum Unreachable: String, CaseIterable, Hashable, Sendable { case network, host, port, prohibited }

    /// nil: every packet.
    package var kind: Kind?
    /// Only packets longer than this many bytes of layer 3.
    package var longerThan: Int?
    /// The k-th TCP connection over this interface, counted from 1.
    package var connection: Int?
    /// The origin's side of the flow: its port.
    package var port: Int?
    /// The origin's side of the flow: its address.
    package var host: String?
    /// Only this share of the matching packets.
    package var share: Probability
    /// Only the first n matching packets.
    package var first: Int?
    package var action: Action

    package init(
        kind: Kind? = nil, longerThan: Int? = nil, connection: Int? = nil, port: Int? = nil, host: String? = nil,
        share: Probability = .certain, first: Int? = nil, action: Action = .drop
    ) {
        self.kind = kind
        self.longerThan = longerThan
        self.connection = connection
        self.port = port
        self.host = host
        self.share = share
        self.first = first
        self.action = action
    }
}

/// Ends connections that are established across one interface.
package struct ConnectionKillPlan: Hashable, Sendable {
    package enum Method: Hashable, Sendable {
        /// All later packets of the connection are dropped in both directions (a NAT that lost its mapping).
        case silently
        /// A RST, with a sequence number that the receiver must accept (RFC 5961 §3.2), to these sides.
        case reset(Sides)
    }
    package enum Sides: String, CaseIterable, Hashable, Sendable { case client, server, both }
    package var interface: InterfaceKind
    /// The k-th TCP connection over the interface, counted from 1; nil means all open ones.
    package var connection: Int?
    package var manner: Method
    package init(interface: InterfaceKind, connection: Int? = nil, manner: Method) {
        self.interface = interface
        self.connection = connection
        self.manner = manner
    }
}
