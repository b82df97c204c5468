/// Turns the keys of one direction into effects, on top of a profile's.
struct ConditionReader {
    var findings = Findings()

    /// `base` with what `fields` says replaced, effect by effect.
    mutating func condition(_ fields: Fields, over base: Condition) -> Condition {
        var effects = base.effects
        func replace(_ matches: (LinkEffect) -> Bool, by effect: LinkEffect?) {
            effects.removeAll(where: matches)
            if let effect { effects.append(effect) }
        }
        if let rate = fields.bitRate("rate") { replace(\.isRate, by: .rate(rate)) }
        replaceDelay(fields, in: &effects)
        if fields.has("loss") { replace(\.isLoss, by: loss(fields)) }
        if let share = fields.probability("duplicate") { replace(\.isDuplicate, by: share == .zero ? nil : .duplicate(share)) }
        if let share = fields.probability("reorder") { replace(\.isReorder, by: share == .zero ? nil : .reorder(share)) }
        if let share = fields.probability("corrupt") { replace(\.isCorrupt, by: share == .zero ? nil : .corrupt(share)) }
        if fields.has("queue") { replace(\.isQueue, by: queue(fields)) }
        if let mtu = fields.integer("mtu") { replace(\.isMTU, by: .mtu(Int(clamping: mtu))) }
        if let outages = fields.fields("outages") { replace(\.isOutages, by: self.outages(outages)) }
        return Condition(effects)
    }

    private mutating func replaceDelay(_ fields: Fields, in effects: inout [LinkEffect]) {
        guard fields.has("delay") || fields.has("roundTrip") || fields.has("jitter") else { return }
        if fields.has("delay"), fields.has("roundTrip") {
            findings.refuse(
                fields.place(of: "roundTrip"), "`delay` (one-way) and `roundTrip` say the same thing twice; keep one of them")
        }
        let known = effects.lazy.compactMap { if case .delay(let amount, _) = $0 { amount } else { nil } }.first
        let delay = fields.duration("delay") ?? fields.duration("roundTrip").map { $0 / 2 } ?? known ?? .zero
        let jitter = self.jitter(fields)
        effects.removeAll(where: \.isDelay)
        if delay > .zero || jitter != nil { effects.append(.delay(delay, jitter: jitter)) }
    }

    private func jitter(_ fields: Fields) -> LinkEffect.Jitter? {
        if let amount = fields.duration("jitter") { return amount == .zero ? nil : LinkEffect.Jitter(amount: amount) }
        guard let jitter = fields.fields("jitter"), let amount = jitter.duration("amount"), amount > .zero else { return nil }
        return LinkEffect.Jitter(
            amount: amount,
            distribution: jitter.text("distribution").flatMap(LinkEffect.Jitter.Distribution.init(rawValue:)) ?? .normal,
            allowsReordering: jitter.boolean("reorders") ?? false)
    }

    private mutating func loss(_ fields: Fields) -> LinkEffect? {
        if let share = fields.probability("loss") { return share == .zero ? nil : .loss(.independent(share)) }
        guard let loss = fields.fields("loss") else { return nil }
        if let bursts = loss.fields("bursts"), let p = bursts.probability("p"), let r = bursts.probability("r") {
            return .loss(
                .gilbertElliott(
                    p: p, r: r, inBad: bursts.probability("inBad") ?? .certain, inGood: bursts.probability("inGood") ?? .zero))
        }
        let packets = (loss.value("packets")?.elements ?? []).compactMap(\.integer).map { UInt64(clamping: $0) }
        if Set(packets).count != packets.count {
            findings.refuse(loss.place(of: "packets"), "`packets` names a packet twice; each is lost once")
        }
        return packets.isEmpty ? nil : .loss(.packets(packets.sorted()))
    }

    private mutating func queue(_ fields: Fields) -> LinkEffect? {
        if let bytes = fields.byteCount("queue") { return .queue(bytes: bytes, packets: nil) }
        guard let queue = fields.fields("queue") else { return nil }
        let bytes = queue.byteCount("bytes")
        let packets = Findings.int(queue.integer("packets"))
        if bytes == nil, packets == nil, queue.entries.isEmpty {
            findings.refuse(queue.place, "`queue` is empty; give it bytes or packets")
        }
        return .queue(bytes: bytes, packets: packets)
    }

    private mutating func outages(_ fields: Fields) -> LinkEffect? {
        guard let every = fields.duration("every"), let lasting = fields.duration("lasting") else { return nil }
        guard lasting > .zero, lasting <= every else {
            findings.refuse(
                fields.place(of: "lasting"), "an outage lasts longer than nothing and no longer than its period `every`")
            return nil
        }
        return .outages(every: every, lasting: lasting)
    }
}

/// Kinds, so that one effect of each kind exists at most.
extension LinkEffect {
    var isRate: Bool { if case .rate = self { true } else { false } }
    var isDelay: Bool { if case .delay = self { true } else { false } }
    var isLoss: Bool { if case .loss = self { true } else { false } }
    var isDuplicate: Bool { if case .duplicate = self { true } else { false } }
    var isReorder: Bool { if case .reorder = self { true } else { false } }
    var isCorrupt: Bool { if case .corrupt = self { true } else { false } }
    var isQueue: Bool { if case .queue = self { true } else { false } }
    var isMTU: Bool { if case .mtu = self { true } else { false } }
    var isOutages: Bool { if case .outages = self { true } else { false } }
}
