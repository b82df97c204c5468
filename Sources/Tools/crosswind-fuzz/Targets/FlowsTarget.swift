import LinkEmulator
import Units

/// The stage that filters packets, tracks connections and cuts them.
final class FlowsTarget: FuzzTarget {
    static let name = "flows"
    static let subject = "packet filters, the TCP connection table, cuts and resets"

    private var tracker = ConnectionTracker(
        seed: 1, stream: 0, tracks: true, near: .init(four: PacketMaker.server4, six: PacketMaker.client6),
        far: .init(four: PacketMaker.pool4, six: PacketMaker.client6), mostConnections: 64)
    private var index: UInt64 = 0

    func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        if random.happens(oneIn: 100) { tracker.set(up: FlowsTarget.rules(&random), down: FlowsTarget.rules(&random)) }
        if random.happens(oneIn: 100) {
            let number = random.happens(oneIn: 2) ? nil : 1 + random.below(80)
            let manner: ConnectionKill =
                random.happens(oneIn: 2)
                ? .silently : .reset(random.pick(ConnectionKill.Sides.allCases))
            for packet in tracker.kill(connection: number, manner).packets where !PacketMaker.isIntact(packet.bytes) {
                throw FuzzFinding("a reset that is not intact", packet.bytes)
            }
        }
        let bytes = PacketMaker.packet(&random)
        let direction: LinkDirectionName = random.happens(oneIn: 2) ? .uplink : .downlink
        let verdict = tracker.verdict(bytes.span, direction, index: index)
        index += 1
        switch verdict {
        case .pass: break
        case .drop(let why): if why.description.isEmpty { throw FuzzFinding("a drop without a reason", bytes) }
        case .reply(let reply, _):
            if !PacketMaker.isIntact(reply) { throw FuzzFinding("a reply that is not intact", bytes) }
        }
        return verdict == .pass
    }

    private static func rules(_ random: inout FuzzRandom) -> [PacketRule] {
        (0..<random.below(4)).map { _ in
            PacketRule(
                kind: random.happens(oneIn: 2) ? nil : random.pick(PacketRule.Kind.allCases),
                longerThan: random.happens(oneIn: 3) ? random.below(1500) : nil,
                connection: random.happens(oneIn: 3) ? 1 + random.below(8) : nil,
                port: random.happens(oneIn: 3) ? random.pick([80, 443, 53]) : nil,
                host: random.happens(oneIn: 4) ? "\(PacketMaker.server4)" : nil,
                share: random.happens(oneIn: 2) ? .certain : Probability(0.5) ?? .certain,
                first: random.happens(oneIn: 4) ? random.below(5) : nil,
                action: random.pick([.drop, .refuse, .unreachable(.host), .unreachable(.prohibited)]))
        }
    }
}
