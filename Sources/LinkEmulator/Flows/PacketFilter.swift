/// A rule that selects packets of one direction by their properties.
package struct FilterRule: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable {
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
        case drop
        /// Drops the packet and sends an ICMP error to the sender.
        case unreachable(Unreachability)
        /// Drops the packet and sends a RST to the sender; the rule therefore selects only TCP.
        case refuse
    }

    package var kind: Kind?
    /// Selects packets of more than this many bytes of layer 3.
    package var longerThan: Int?
    /// The number of the TCP connection.
    package var connection: Int?
    package var originPort: UInt16?
    package var originAddress: FlowAddress?
    /// The share of the packets left by the criteria above and by `first` that the rule applies to; the others
    /// continue with the next rule.
    package var share: Double
    /// The rule applies only to this many of the packets that match the criteria above.
    package var first: Int?
    package var action: Action

    package init(
        kind: Kind? = nil, longerThan: Int? = nil, connection: Int? = nil, originPort: UInt16? = nil,
        originAddress: FlowAddress? = nil, share: Double = 1, first: Int? = nil, action: Action = .drop
    ) {
        self.kind = kind
        self.longerThan = longerThan
        self.connection = connection
        self.originPort = originPort
        self.originAddress = originAddress
        self.share = share
        self.first = first
        self.action = action
    }

    func picks(_ packet: FlowPacket, connection number: Int?) -> Bool {
        if let kind, !kind.picks(packet) { return false }
        if let longerThan, packet.length <= longerThan { return false }
        if let connection, number != connection { return false }
        if let originPort, packet.originPort != originPort { return false }
        if let originAddress, packet.originAddress != originAddress { return false }
        switch action {
        case .refuse: return packet.segment != nil
        case .drop, .unreachable: return true
        }
    }
}

extension FilterRule.Kind {
    fileprivate func picks(_ packet: FlowPacket) -> Bool {
        switch self {
        case .tcp: return packet.payloadProtocol == .tcp
        case .udp: return packet.payloadProtocol == .udp
        case .icmp: return packet.payloadProtocol == .icmp || packet.payloadProtocol == .icmpv6
        case .syn, .synAck, .ack, .data, .fin, .rst: break
        }
        guard let segment = packet.segment else { return false }
        let flags = segment.flags
        switch self {
        case .syn: return flags.contains(.syn) && !flags.contains(.ack)
        case .synAck: return flags.isSuperset(of: [.syn, .ack])
        case .ack:
            return flags.contains(.ack) && flags.isDisjoint(with: [.syn, .fin, .rst]) && segment.payloadLength == 0
        case .data: return segment.payloadLength > 0
        case .fin: return flags.contains(.fin)
        case .rst: return flags.contains(.rst)
        case .tcp, .udp, .icmp: return false
        }
    }
}

/// The rules of one direction; the first that selects a packet decides.
struct PacketFilter {
    private struct Entry {
        var rule: FilterRule
        var random: CounterRandom
        /// The number of packets that matched the criteria so far.
        var picked = 0
    }
    private var entries: [Entry] = []

    static let passesAll = PacketFilter()

    private init() {}

    init(_ rules: [FilterRule], seed: UInt64, stream: UInt64) {
        // Each rule draws its own random numbers: with one draw for all, a packet spared by one rule would be spared by
        // the next one too. Small stream numbers belong to links.
        for (place, rule) in rules.enumerated() {
            let own = stream | UInt64(place + 1) << 32
            entries.append(Entry(rule: rule, random: CounterRandom(seed: seed, stream: own)))
        }
    }

    var isEmpty: Bool { entries.isEmpty }
    var rules: [FilterRule] { entries.map(\.rule) }
    /// True if a rule refers to a connection by its number.
    var namesConnections: Bool { entries.contains { $0.rule.connection != nil } }

    /// Returns the rule that decides about packet `index`, counted from 1, with its action; nil if the packet passes.
    mutating func verdict(
        on packet: FlowPacket, connection: Int?, index: UInt64
    ) -> (rule: Int, action: FilterRule.Action)? {
        for place in entries.indices where entries[place].rule.picks(packet, connection: connection) {
            let rule = entries[place].rule
            if let first = rule.first {
                guard entries[place].picked < first else { continue }
                entries[place].picked += 1
            }
            guard entries[place].random.happens(rule.share, .filter, index) else { continue }
            return (place, rule.action)
        }
        return nil
    }
}
