import LinkEmulator
import Units

/// A link that changes its condition while packets of any kind are on it.
final class LinksTarget: FuzzTarget {
    static let name = "links"
    static let subject = "delay lines, queues and their counters under changing conditions"

    private static let slot = 2048
    private var link = LinkDirection(
        seed: 1, stream: 0, parameters: .perfect, slotSize: LinksTarget.slot, longestGSOPacket: 65_600,
        reservedSlots: 64,
        start: LinkTime(nanoseconds: 0))
    private var now: Int64 = 0
    private var released: UInt64 = 0
    private var duplicates: UInt64 = 0
    private var dropped: UInt64 = 0
    private var offered: UInt64 = 0

    func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        now += Int64(random.below(2_000_000))
        let time = LinkTime(nanoseconds: now)
        if random.happens(oneIn: 50) {
            for fate in link.change(to: LinksTarget.parameters(&random), at: time) where !fate.isProbe { account(fate) }
        }
        let bytes = PacketMaker.packet(&random)
        var wasTaken = false
        if !bytes.isEmpty {
            offered += 1
            let fate = link.offer(bytes.span, at: time)
            if case .dropped = fate.outcome {} else { wasTaken = true }
            account(fate)
        }
        if random.happens(oneIn: 3) {
            link.release(
                upTo: time, dropped: { _, _ in dropped += 1 },
                { _, _ in released += 1 })
        }
        let known = released + dropped + UInt64(link.inFlight)
        guard known == offered + duplicates else {
            throw FuzzFinding(
                "\(offered) offered and \(duplicates) doubled; \(released) released, \(dropped) dropped, \(link.inFlight) in flight",
                bytes)
        }
        return wasTaken
    }

    private func account(_ fate: PacketFate) {
        if case .dropped = fate.outcome { dropped += 1 }
        if fate.duplicated { duplicates += 1 }
    }

    private static func parameters(_ random: inout FuzzRandom) -> LinkParameters {
        var parameters = LinkParameters(.perfect, swallowsEverything: random.happens(oneIn: 10))
        parameters.queue = LinkEffect.Queue(
            random.pick([.dropTail, .headDrop]),
            bytes: random.happens(oneIn: 3) ? ByteCount(1 + Int64(random.below(20_000))) : nil,
            packets: 1 + random.below(50))
        if !random.happens(oneIn: 3) { parameters.delay = .nanoseconds(random.below(50_000_000)) }
        if random.happens(oneIn: 3), let share = Probability(0.3) { parameters.duplicate = share }
        if random.happens(oneIn: 3), let share = Probability(0.3) { parameters.corrupt = share }
        if random.happens(oneIn: 4) { parameters.mtu = 68 + random.below(1400) }
        return parameters
    }
}
