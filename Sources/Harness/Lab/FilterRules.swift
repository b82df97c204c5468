import LinkEmulator
import Scenario

/// The packet rules for both directions of a link, in the emulator's form.
struct FilterRules: Hashable, Sendable {
    var uplink: [FilterRule]
    var downlink: [FilterRule]

    init(_ link: LinkPlan) {
        uplink = FilterRules.rules(link.uplink)
        downlink = FilterRules.rules(link.downlink)
    }

    private static func rules(_ condition: Condition) -> [FilterRule] {
        condition.effects.flatMap { effect -> [FilterRule] in
            switch effect {
            case .filter(let rules): rules.map(FilterRule.init)
            case .rate, .promotion, .delay, .loss, .duplicate, .reorder, .corrupt, .queue, .mtu, .outages: []
            }
        }
    }
}

extension FilterRule {
    init(_ rule: PacketRule) {
        self.init(
            kind: rule.kind.map(Kind.init), longerThan: rule.longerThan, connection: rule.connection,
            originPort: rule.port.map { UInt16(clamping: $0) },
            originAddress: rule.host.map { text in
                guard let address = FlowAddress(text) else {
                    preconditionFailure("the scenario's reader takes only addresses")
                }
                return address
            }, share: rule.share.value, first: rule.first, action: Action(rule.action))
    }
}

extension FilterRule.Kind {
    fileprivate init(_ kind: PacketRule.Kind) {
        switch kind {
        case .syn: self = .syn
        case .synAck: self = .synAck
        case .ack: self = .ack
        case .data: self = .data
        case .fin: self = .fin
        case .rst: self = .rst
        case .tcp: self = .tcp
        case .udp: self = .udp
        case .icmp: self = .icmp
        }
    }
}

extension FilterRule.Action {
    fileprivate init(_ action: PacketRule.Action) {
        switch action {
        case .drop: self = .drop
        case .refuse: self = .refuse
        case .unreachable(.network): self = .unreachable(.network)
        case .unreachable(.host): self = .unreachable(.host)
        case .unreachable(.port): self = .unreachable(.port)
        case .unreachable(.prohibited): self = .unreachable(.prohibited)
        }
    }
}

extension ConnectionKill {
    init(_ manner: ConnectionKillPlan.Method) {
        switch manner {
        case .silently: self = .silently
        case .reset(.client): self = .reset(client: true, origin: false)
        case .reset(.server): self = .reset(client: false, origin: true)
        case .reset(.both): self = .reset(client: true, origin: true)
        }
    }
}

extension FlowDirection {
    init(_ name: LinkDirectionName) {
        switch name {
        case .uplink: self = .uplink
        case .downlink: self = .downlink
        }
    }
}

extension LinkDirectionName {
    init(_ direction: FlowDirection) {
        switch direction {
        case .uplink: self = .uplink
        case .downlink: self = .downlink
        }
    }
}
