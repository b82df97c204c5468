/// Picks packets of one direction by what they are, and says what becomes of them. The first rule that matches decides.
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
        /// Swallowed without a word.
        case drop
        /// Swallowed, and the sender is told by ICMP.
        case unreachable(Unreachable)
        /// TCP: swallowed, and a RST goes back to the sender as if from the other side.
        case refuse
    }
    /// RFC 792, RFC 4443 and RFC 1812 §5.2.7.1 in words.
    package enum Unreachable: String, CaseIterable, Hashable, Sendable { case network, host, port, prohibited }

    /// nil: every packet.
    package var kind: Kind?
    /// Longer than this many bytes of layer 3.
    package var longerThan: Int?
    /// The k-th TCP connection that this interface carried, counted from 1.
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
        /// From now on nothing of it passes either way (a NAT that forgot it).
        case silently
        /// RST with a sequence number the receiver must accept (RFC 5961 §3.2), to these sides.
        case reset(Sides)
    }
    package enum Sides: String, CaseIterable, Hashable, Sendable { case client, server, both }
    package var interface: InterfaceKind
    /// The k-th TCP connection that the interface carried, counted from 1; nil means all that are open.
    package var connection: Int?
    package var manner: Method
    package init(interface: InterfaceKind, connection: Int? = nil, manner: Method) {
        self.interface = interface
        self.connection = connection
        self.manner = manner
    }
}
