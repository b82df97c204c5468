package import Units

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
        /// The packet is dropped, and the sender gets a RST that seems to come from the other side; the rule therefore
        /// selects only TCP.
        case refuse
    }
    /// The reason that an ICMP error gives for a packet that a router or host did not forward.
    package enum Unreachable: String, CaseIterable, Hashable, Sendable {
        case network, host, port
        /// Administratively prohibited (RFC 1812 §5.2.7.1).
        case prohibited
    }

    /// nil: every packet.
    package var kind: Kind?
    /// Only packets longer than this many bytes of layer 3.
    package var longerThan: Int?
    /// The k-th TCP connection over this interface, counted from 1.
    package var connection: Int?
    /// The origin's side of the flow: its port.
    package var port: Int?
    /// The origin's side of the flow: its IP address.
    package var host: String?
    /// The share of the packets left by the criteria above and by `first` that the rule applies to; the others
    /// continue with the next rule.
    package var share: Probability
    /// Only this many of the packets that match the criteria above.
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
