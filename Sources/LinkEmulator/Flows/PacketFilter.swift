import Units

extension PacketRule {
    /// Returns true if the rule selects the packet. `address` is the parsed `host`.
    fileprivate func selects(_ packet: FlowPacket, connection number: Int?, address: FlowAddress?) -> Bool {
        if let kind, !kind.selects(packet) { return false }
        if let longerThan, packet.length <= longerThan { return false }
        if let connection, number != connection { return false }
        if let port, packet.originPort.map(Int.init) != port { return false }
        if let address, packet.originAddress != address { return false }
        switch action {
        case .refuse: return packet.segment != nil
        case .drop, .unreachable: return true
        }
    }
}

extension PacketRule.Kind {
    fileprivate func selects(_ packet: FlowPacket) -> Bool {
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
        var rule: PacketRule
        var address: FlowAddress?
        var random: CounterRandom
        /// The number of packets that matched the criteria so far.
        var selected = 0
    }
    private var entries: [Entry] = []

    static let passesAll = PacketFilter()

    private init() {}

    init(_ rules: [PacketRule], seed: UInt64, stream: UInt64) {
        // Each rule draws its own random numbers: with one draw for all, a packet spared by one rule would be spared by
        // the next one too. Small stream numbers belong to links.
        for (place, rule) in rules.enumerated() {
            let own = stream | UInt64(place + 1) << 32
            let address = rule.host.map { text in
                guard let address = FlowAddress(text) else {
                    preconditionFailure("the scenario's reader takes only addresses")
                }
                return address
            }
            entries.append(Entry(rule: rule, address: address, random: CounterRandom(seed: seed, stream: own)))
        }
    }

    var isEmpty: Bool { entries.isEmpty }
    var rules: [PacketRule] { entries.map(\.rule) }
    /// True if a rule refers to a connection by its number.
    var namesConnections: Bool { entries.contains { $0.rule.connection != nil } }

    /// Returns the rule that decides about packet `index`, counted from 1, with its action; nil if the packet passes.
    mutating func verdict(
        on packet: FlowPacket, connection: Int?, index: UInt64
    ) -> (rule: Int, action: PacketRule.Action)? {
        for place in entries.indices {
            let rule = entries[place].rule
            guard rule.selects(packet, connection: connection, address: entries[place].address) else { continue }
            if let first = rule.first {
                guard entries[place].selected < first else { continue }
                entries[place].selected += 1
            }
            guard entries[place].random.happens(rule.share.value, .filter, index) else { continue }
            return (place, rule.action)
        }
        return nil
    }
}
