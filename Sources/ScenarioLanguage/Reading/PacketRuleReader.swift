import InternetAddresses
package import LinkEmulator
import Units

/// Converts the list under `filter:` into packet rules.
enum PacketRuleReader {
    static let actions = ["drop", "refuse"] + PacketRule.Unreachable.allCases.map { "unreachable-" + $0.rawValue }

    static let shape = Shape.list(
        .object([
            Field(
                "packets", .word(PacketRule.Kind.allCases.map(\.rawValue)), "Only packets of this kind; default all."),
            Field("longerThan", .integer(0...65535), "Only packets longer than this many bytes of layer 3."),
            Field("connection", .integer(1...1_000_000), "Only the k-th TCP connection over the interface."),
            Field("port", .integer(1...65535), "Only flows with this port on the internet side."),
            Field("host", .text, "Only flows with this address on the internet side."),
            Field("share", .probability, "Only this share of the packets; default all."),
            Field("first", .integer(1...1_000_000_000), "Only the first n packets."),
            Field(
                "do", .word(actions),
                "drop (silently, the default), refuse (a RST to the sender) or an ICMP error to the sender."),
        ]))

    static func rules(_ values: [Value], _ findings: inout Findings) -> [PacketRule] {
        values.compactMap { value in
            guard let fields = value.fields else { return nil }
            if let host = fields.text("host"), IPAddress(host) == nil {
                findings.refuse(
                    fields.place(of: "host"), "`\(host.shortened)` is not an IP address; write one such as 203.0.113.10"
                )
            }
            let kind = fields.text("packets").flatMap(PacketRule.Kind.init(rawValue:))
            let action = action(fields)
            if action == .refuse {
                switch kind {
                case .udp, .icmp:
                    findings.refuse(fields.place(of: "do"), "only TCP can be refused by RST; use unreachable-port")
                case .syn, .synAck, .ack, .data, .fin, .rst, .tcp, nil: break
                }
            }
            return PacketRule(
                kind: kind, longerThan: Findings.int(fields.integer("longerThan")),
                connection: Findings.int(fields.integer("connection")), port: Findings.int(fields.integer("port")),
                host: fields.text("host"), share: fields.probability("share") ?? .certain,
                first: Findings.int(fields.integer("first")), action: action)
        }
    }

    private static func action(_ fields: Fields) -> PacketRule.Action {
        switch fields.text("do") {
        case "refuse": .refuse
        case let word?:
            PacketRule.Unreachable(rawValue: String(word.dropFirst("unreachable-".count))).map { .unreachable($0) }
                ?? .drop
        case nil: .drop
        }
    }
}

extension ConnectionKill {
    /// The words of `end:`.
    static let named: [(word: String, manner: ConnectionKill)] =
        [("drop", .silently)] + ConnectionKill.Sides.allCases.map { ("reset-" + $0.rawValue, .reset($0)) }
}

extension PacketRule {
    package var summary: String {
        var words: [String] =
            switch action {
            case .drop: ["drops"]
            case .refuse: ["refuses"]
            case .unreachable(let what): ["sends ICMP \(what.rawValue) unreachable for"]
            }
        words.append(share == .certain ? "all" : "\(share) of all")
        if let first { words.append("of the first \(first)") }
        words.append(kind?.rawValue ?? "packets")
        if let longerThan { words.append("longer than \(longerThan)") }
        if let connection { words.append("of connection \(connection)") }
        if let host { words.append("with \(host)") }
        if let port { words.append("port \(port)") }
        return words.joined(separator: " ")
    }
}
