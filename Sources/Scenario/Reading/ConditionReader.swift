/// Converts the keys of one direction into effects that override a profile's.
struct ConditionReader {
    var findings = Findings()

    /// Returns `base` with the effects that `fields` names replaced.
    mutating func condition(_ fields: Fields, over base: Condition) -> Condition {
        var effects = base.effects
        func replace(_ matches: (LinkEffect) -> Bool, by effect: LinkEffect?) {
            effects.removeAll(where: matches)
            if let effect { effects.append(effect) }
        }
        if fields.has("rate"), let rate = rate(fields) { replace(\.isRate, by: .rate(rate)) }
        if let promotion = fields.fields("promotion"), let wait = promotion.duration("delay"),
            let idle = promotion.duration("idleTimeout")
        {
            replace(\.isPromotion, by: wait == .zero ? nil : .promotion(wait, idle: idle))
        }
        replaceDelay(fields, in: &effects)
        if fields.has("loss") { replace(\.isLoss, by: loss(fields)) }
        if let share = fields.probability("duplicate") {
            replace(\.isDuplicate, by: share == .zero ? nil : .duplicate(share))
        }
        if let share = fields.probability("reorder") {
            replace(\.isReorder, by: share == .zero ? nil : .reorder(share))
        }
        if let share = fields.probability("corrupt") {
            replace(\.isCorrupt, by: share == .zero ? nil : .corrupt(share))
        }
        if fields.has("queue") { replace(\.isQueue, by: queue(fields)) }
        if fields.has("mtu") { replace(\.isMTU, by: mtu(fields)) }
        if fields.has("outages") { replace(\.isOutages, by: outages(fields)) }
        if fields.has("filter") { replace(\.isFilter, by: filter(fields)) }
        return Condition(effects)
    }

    private mutating func rate(_ fields: Fields) -> LinkEffect.Rate? {
        if let rate = fields.bitRate("rate") { return .constant(rate) }
        guard let rate = fields.fields("rate") else { return nil }
        if let average = rate.bitRate("bucket") {
            guard let burst = rate.byteCount("burst"), burst.bytes >= 1500 else {
                findings.refuse(
                    rate.place, "a bucket needs a `burst` of at least 1500 bytes, or it lets no full packet through")
                return nil
            }
            return .bucket(average, burst: burst)
        }
        if rate.has("burst") { findings.refuse(rate.place(of: "burst"), "`burst` belongs to a `bucket`") }
        return TraceReader.trace(rate, &findings).map { .trace($0) }
    }

    private mutating func mtu(_ fields: Fields) -> LinkEffect? {
        if let bytes = fields.integer("mtu") { return .mtu(Int(clamping: bytes)) }
        guard let mtu = fields.fields("mtu"), let bytes = mtu.integer("bytes") else { return nil }
        return .mtu(Int(clamping: bytes), isAnnounced: mtu.boolean("announced") ?? true)
    }

    private mutating func replaceDelay(_ fields: Fields, in effects: inout [LinkEffect]) {
        guard fields.has("delay") || fields.has("roundTrip") || fields.has("jitter") else { return }
        if fields.has("delay"), fields.has("roundTrip") {
            findings.refuse(
                fields.place(of: "roundTrip"),
                "`delay` (one-way) and `roundTrip` say the same thing twice; keep one of them")
        }
        let known = effects.lazy.compactMap { if case .delay(let amount, _) = $0 { amount } else { nil } }.first
        let delay = fields.duration("delay") ?? fields.duration("roundTrip").map { $0 / 2 } ?? known ?? .zero
        let jitter = self.jitter(fields)
        effects.removeAll(where: \.isDelay)
        if delay > .zero || jitter != nil { effects.append(.delay(delay, jitter: jitter)) }
    }

    private mutating func distribution(_ jitter: Fields) -> LinkEffect.Jitter.Distribution {
        switch jitter.value("distribution") {
        case .text(let word, _): return LinkEffect.Jitter.Distribution.named[word] ?? .normal
        case .list(let values, let place):
            let quantiles = values.compactMap { $0.text.flatMap(Double.init) }
            guard quantiles.count == values.count, quantiles.count >= 2, quantiles.allSatisfy(\.isFinite),
                quantiles == quantiles.sorted()
            else {
                findings.refuse(
                    place,
                    "a table has at least two quantiles in ascending order, in units of the amount: [-1, 0, 0.5, 3]")
                return .normal
            }
            return .table(quantiles)
        case .boolean, .integer, .duration, .bitRate, .byteCount, .probability, .mapping, .refused, nil: return .normal
        }
    }

    private mutating func jitter(_ fields: Fields) -> LinkEffect.Jitter? {
        if let amount = fields.duration("jitter") { return amount == .zero ? nil : LinkEffect.Jitter(amount: amount) }
        guard let jitter = fields.fields("jitter"), let amount = jitter.duration("amount"), amount > .zero else {
            return nil
        }
        return LinkEffect.Jitter(
            amount: amount, distribution: distribution(jitter), allowsReordering: jitter.boolean("reorders") ?? false)
    }

    private mutating func loss(_ fields: Fields) -> LinkEffect? {
        if let share = fields.probability("loss") { return share == .zero ? nil : .loss(.independent(share)) }
        guard let loss = fields.fields("loss") else { return nil }
        if let bursts = loss.fields("bursts"), let p = bursts.probability("p"), let r = bursts.probability("r") {
            return .loss(
                .gilbertElliott(
                    p: p, r: r, inBad: bursts.probability("lossInBad") ?? .certain,
                    inGood: bursts.probability("lossInGood") ?? .zero))
        }
        if let states = loss.fields("states") {
            func share(_ name: String) -> Probability { states.probability(name) ?? .zero }
            return .loss(
                .fourState(
                    p13: share("p13"), p31: states.probability("p31") ?? .certain, p32: share("p32"),
                    p23: states.probability("p23") ?? .certain, p14: share("p14")))
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
        if queue.entries.isEmpty, queue.isComplete {
            findings.refuse(queue.place, "`queue` is empty; give it bytes or packets")
        }
        return .queue(LinkEffect.Queue(discipline(queue), bytes: bytes, packets: packets))
    }

    private mutating func discipline(_ queue: Fields) -> LinkEffect.Queue.Discipline {
        let word = queue.text("drop")
        for name in ["target", "interval"] where queue.has(name) && word != "codel" {
            findings.refuse(queue.place(of: name), "`\(name)` belongs to `drop: codel`")
        }
        switch word {
        case "head": return .headDrop
        case "codel":
            // RFC 8289 §4.2 and §4.3.
            return .codel(
                target: queue.duration("target") ?? .milliseconds(5),
                interval: queue.duration("interval") ?? .milliseconds(100))
        default: return .dropTail
        }
    }

    private mutating func outages(_ fields: Fields) -> LinkEffect? {
        if case .list(let windows, _)? = fields.value("outages") { return schedule(windows) }
        guard let outages = fields.fields("outages"), let every = outages.duration("every"),
            let lasting = outages.duration("lasting")
        else { return nil }
        guard lasting > .zero, lasting <= every else {
            findings.refuse(
                outages.place(of: "lasting"),
                "an outage lasts longer than nothing and no longer than its period `every`")
            return nil
        }
        return .outages(every: every, lasting: lasting)
    }

    private mutating func schedule(_ values: [Value]) -> LinkEffect? {
        var windows: [LinkEffect.Outages.Window] = []
        for value in values {
            guard let fields = value.fields, let from = fields.duration("from"),
                let lasting = fields.duration("lasting")
            else { continue }
            if lasting == .zero { findings.refuse(fields.place(of: "lasting"), "an outage lasts longer than nothing") }
            if let last = windows.last, from < last.from + last.lasting {
                findings.refuse(fields.place(of: "from"), "outages come in order of time and do not overlap")
            }
            windows.append(.init(from: from, lasting: lasting))
        }
        return windows.isEmpty ? nil : .outages(.windows(windows))
    }

    private mutating func filter(_ fields: Fields) -> LinkEffect? {
        var reader = PacketRuleReader()
        let rules = reader.rules(fields.value("filter")?.elements ?? [])
        findings.add(reader.findings.errors)
        return rules.isEmpty ? nil : .filter(rules)
    }
}

extension LinkEffect.Jitter.Distribution {
    /// The distributions with a name.
    static let named: KeyValuePairs<String, Self> = ["uniform": .uniform, "normal": .normal, "pareto": .pareto]
}

extension KeyValuePairs where Key == String {
    fileprivate subscript(_ name: String) -> Value? { first { $0.key == name }?.value }
}

/// Tests of the kind of an effect, which ensure at most one effect of each kind.
extension LinkEffect {
    var isRate: Bool { if case .rate = self { true } else { false } }
    var isDelay: Bool { if case .delay = self { true } else { false } }
    var isLoss: Bool { if case .loss = self { true } else { false } }
    var isDuplicate: Bool { if case .duplicate = self { true } else { false } }
    var isReorder: Bool { if case .reorder = self { true } else { false } }
    var isCorrupt: Bool { if case .corrupt = self { true } else { false } }
    var isQueue: Bool { if case .queue = self { true } else { false } }
    var isMTU: Bool { if case .mtu = self { true } else { false } }
    var isPromotion: Bool { if case .promotion = self { true } else { false } }
    var isFilter: Bool { if case .filter = self { true } else { false } }
    var isOutages: Bool { if case .outages = self { true } else { false } }
}
