package import LinkEmulator
import Units

/// The declaration of one kind of link effect in the scenario language: its keys with their shapes, and the conversion
/// of their values. `LinkEffect.summary` below describes an effect as text.
struct Impairment: Sendable {
    /// The keys of one direction that belong to the effect.
    var fields: [Field]
    /// A key that is allowed only under `both:`.
    var keyOfBoth: Field?
    /// Returns true for the effects of this kind; a condition has one of them at most.
    var matches: @Sendable (LinkEffect) -> Bool
    /// Converts the keys; nil if they turn the effect off, or are invalid. `base` has the effects that are overridden.
    var read: @Sendable (_ fields: Fields, _ base: [LinkEffect], inout Findings) -> LinkEffect?

    private init(
        _ fields: Field..., keyOfBoth: Field? = nil, matches: @escaping @Sendable (LinkEffect) -> Bool,
        read: @escaping @Sendable (_ fields: Fields, _ base: [LinkEffect], inout Findings) -> LinkEffect?
    ) {
        self.fields = fields
        self.keyOfBoth = keyOfBoth
        self.matches = matches
        self.read = read
    }

    /// All kinds of effects, in the order of their keys in the schema.
    static let all = [
        rate, promotion, delay, loss, duplicate, reorder, corrupt, queue, mtu, outages, filter,
    ]

    /// The keys of one direction of a link. Each overrides the profile's effect of the same kind.
    static let fields = all.flatMap(\.fields)
    /// The keys of `both:`.
    static let fieldsOfBoth = fields + all.compactMap(\.keyOfBoth)

    /// Returns `base` with the effects that `fields` names replaced.
    static func condition(_ fields: Fields, over base: Condition, _ findings: inout Findings) -> Condition {
        var effects = base.effects
        for impairment in all {
            let keys = impairment.fields + [impairment.keyOfBoth].compactMap(\.self)
            guard keys.contains(where: { fields.has($0.name) }) else { continue }
            let effect = impairment.read(fields, effects, &findings)
            effects.removeAll(where: impairment.matches)
            if let effect { effects.append(effect) }
        }
        return Condition(effects)
    }

    static let rate = Impairment(
        Field("rate", .either([.bitRate, RateReader.shape]), "Bits per second of layer 3, or their variation."),
        matches: { if case .rate = $0 { true } else { false } },
        read: { fields, _, findings in
            if let rate = fields.bitRate("rate") { return .rate(rate) }
            return fields.fields("rate").flatMap { RateReader.rate($0, &findings) }.map { .rate($0) }
        })

    private static let promotion = Impairment(
        Field(
            "promotion",
            .object([
                Field("delay", .duration, required: true, "The additional delay of the first packet."),
                Field("idleTimeout", .duration, required: true, "The radio is idle after this long without a packet."),
            ]), "The promotion of a radio from idle (RRC promotion)."),
        matches: { if case .promotion = $0 { true } else { false } },
        read: { fields, _, _ in
            guard let promotion = fields.fields("promotion"), let delay = promotion.duration("delay"),
                let idle = promotion.duration("idleTimeout"), delay > .zero
            else { return nil }
            return .promotion(delay, idle: idle)
        })

    // MARK: - Delay

    static let delay = Impairment(
        Field("delay", .duration, "One-way delay; replaces the profile's delay and its jitter."),
        Field(
            "jitter",
            .either([
                .duration,
                .object([
                    Field("amount", .duration, required: true, "The amount of jitter around the delay."),
                    Field(
                        "distribution", .either([.word(distributions.map(\.key)), .list(.text)]),
                        "The distribution (default normal), or evenly spaced quantiles in units of the amount."),
                    Field("reorders", .boolean, "True: a packet may overtake an earlier one; default false."),
                ]),
            ]), "The jitter around the delay."),
        keyOfBoth: Field("roundTrip", .duration, "Round-trip delay, half of it each way; instead of `delay`."),
        matches: { if case .delay = $0 { true } else { false } },
        read: { fields, base, findings in
            if fields.has("delay"), fields.has("roundTrip") {
                findings.refuse(
                    fields.place(of: "roundTrip"),
                    "`delay` (one-way) and `roundTrip` exclude each other; keep one of them")
            }
            let known = base.lazy.compactMap { if case .delay(let amount, _) = $0 { amount } else { nil } }.first
            let delay = fields.duration("delay") ?? fields.duration("roundTrip").map { $0 / 2 } ?? known ?? .zero
            let jitter = jitter(fields, &findings)
            return delay > .zero || jitter != nil ? .delay(delay, jitter: jitter) : nil
        })

    /// The distributions with a name.
    private static let distributions: KeyValuePairs<String, LinkEffect.Jitter.Distribution> =
        ["uniform": .uniform, "normal": .normal, "pareto": .pareto]

    private static func jitter(_ fields: Fields, _ findings: inout Findings) -> LinkEffect.Jitter? {
        if let amount = fields.duration("jitter") { return amount == .zero ? nil : LinkEffect.Jitter(amount: amount) }
        guard let jitter = fields.fields("jitter"), let amount = jitter.duration("amount"), amount > .zero else {
            return nil
        }
        return LinkEffect.Jitter(
            amount: amount, distribution: distribution(jitter, &findings),
            allowsReordering: jitter.boolean("reorders") ?? false)
    }

    private static func distribution(_ jitter: Fields, _ findings: inout Findings) -> LinkEffect.Jitter.Distribution {
        if let word = jitter.text("distribution") { return distributions.first { $0.key == word }?.value ?? .normal }
        guard case .list(let values, let place)? = jitter.value("distribution") else { return .normal }
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
    }

    // MARK: - Loss and damage

    private static let loss = Impairment(
        Field("loss", .either([.probability, LossReader.shape]), "Lost packets."),
        matches: { if case .loss = $0 { true } else { false } },
        read: { fields, _, findings in
            if let share = fields.probability("loss") { return share == .zero ? nil : .loss(.independent(share)) }
            return fields.fields("loss").flatMap { LossReader.loss($0, &findings) }.map { .loss($0) }
        })

    private static let duplicate = share(
        "duplicate", "Share of packets that arrive twice.", LinkEffect.duplicate,
        matches: { if case .duplicate = $0 { true } else { false } })
    private static let reorder = share(
        "reorder", "Share of packets that skip the delay and overtake.", LinkEffect.reorder,
        matches: { if case .reorder = $0 { true } else { false } })
    private static let corrupt = share(
        "corrupt", "Share of packets with one bit flipped.", LinkEffect.corrupt,
        matches: { if case .corrupt = $0 { true } else { false } })

    /// Returns an effect on a share of the packets; zero turns it off.
    private static func share(
        _ name: String, _ summary: String, _ effect: @escaping @Sendable (Probability) -> LinkEffect,
        matches: @escaping @Sendable (LinkEffect) -> Bool
    ) -> Impairment {
        Impairment(
            Field(name, .probability, summary), matches: matches,
            read: { fields, _, _ in fields.probability(name).flatMap { $0 == .zero ? nil : effect($0) } })
    }

    // MARK: - Queue and size

    private static let queue = Impairment(
        Field(
            "queue",
            .either([
                .byteCount,
                .object([
                    Field(
                        "drop", .word(["tail", "head", "codel"]),
                        "The packet that is dropped when the queue is full or its delay too long; default tail."),
                    Field("target", .duration, "CoDel's target delay; default 5ms."),
                    Field("interval", .duration, "CoDel's interval; default 100ms."),
                    Field("bytes", .byteCount, "The largest number of queued bytes."),
                    Field("packets", .integer(1...1_000_000), "The largest number of queued packets."),
                ]),
            ]), "The queue in front of the link; a number of bytes means tail drop beyond it."),
        matches: { if case .queue = $0 { true } else { false } },
        read: { fields, _, findings in
            if let bytes = fields.byteCount("queue") { return .queue(bytes: bytes, packets: nil) }
            guard let queue = fields.fields("queue") else { return nil }
            if queue.entries.isEmpty, queue.isComplete {
                findings.refuse(queue.place, "`queue` is empty; give it bytes or packets")
            }
            let discipline = discipline(queue, &findings)
            return .queue(
                LinkEffect.Queue(
                    discipline, bytes: queue.byteCount("bytes"), packets: Findings.int(queue.integer("packets"))))
        })

    private static func discipline(_ queue: Fields, _ findings: inout Findings) -> LinkEffect.Queue.Discipline {
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

    private static let mtu = Impairment(
        Field(
            "mtu",
            .either([
                .integer(68...65535),
                .object([
                    Field("bytes", .integer(68...65535), required: true, "Largest packet; IPv6 needs 1280."),
                    Field("announced", .boolean, "False: dropped without an ICMP error (black hole); default true."),
                ]),
            ]), "Largest packet; IPv6 needs 1280."),
        matches: { if case .mtu = $0 { true } else { false } },
        read: { fields, _, _ in
            if let bytes = fields.integer("mtu") { return .mtu(Int(clamping: bytes)) }
            guard let mtu = fields.fields("mtu"), let bytes = mtu.integer("bytes") else { return nil }
            return .mtu(Int(clamping: bytes), isAnnounced: mtu.boolean("announced") ?? true)
        })

    // MARK: - Outages and filters

    private static let outages = Impairment(
        Field(
            "outages",
            .either([
                .object([
                    Field("every", .duration, required: true, "Period."),
                    Field("lasting", .duration, required: true, "The period; nothing passes in its last part."),
                ]),
                .list(
                    .object([
                        Field("from", .duration, required: true, "The time since the condition was applied."),
                        Field("lasting", .duration, required: true, "The duration of the drop-out."),
                    ])),
            ]), "Drop-outs while the interface stays up."),
        matches: { if case .outages = $0 { true } else { false } },
        read: { fields, _, findings in
            if case .list(let windows, _)? = fields.value("outages") { return schedule(windows, &findings) }
            guard let outages = fields.fields("outages"), let every = outages.duration("every"),
                let lasting = outages.duration("lasting")
            else { return nil }
            guard lasting > .zero, lasting <= every else {
                findings.refuse(
                    outages.place(of: "lasting"),
                    "an outage is longer than zero and at most as long as its period `every`")
                return nil
            }
            return .outages(every: every, lasting: lasting)
        })

    private static func schedule(_ values: [Value], _ findings: inout Findings) -> LinkEffect? {
        var windows: [LinkEffect.Outages.Window] = []
        for value in values {
            guard let fields = value.fields, let from = fields.duration("from"),
                let lasting = fields.duration("lasting")
            else { continue }
            if lasting == .zero { findings.refuse(fields.place(of: "lasting"), "an outage is longer than zero") }
            if let last = windows.last, from < last.from + last.lasting {
                findings.refuse(fields.place(of: "from"), "outages come in order of time and do not overlap")
            }
            windows.append(.init(from: from, lasting: lasting))
        }
        return windows.isEmpty ? nil : .outages(.windows(windows))
    }

    private static let filter = Impairment(
        Field("filter", PacketRuleReader.shape, "Packets by their properties; the first matching rule decides."),
        matches: { if case .filter = $0 { true } else { false } },
        read: { fields, _, findings in
            let rules = PacketRuleReader.rules(fields.value("filter")?.elements ?? [], &findings)
            return rules.isEmpty ? nil : .filter(rules)
        })
}

extension Condition {
    /// A description of the requested condition: `12Mbit/s, 35 ms ± 5 ms, loss 2%`.
    package var summary: String {
        effects.isEmpty ? "perfect" : effects.map(\.summary).joined(separator: ", ")
    }
}

extension LinkEffect {
    package var summary: String {
        switch self {
        case .rate(.constant(let rate)): "\(rate)"
        case .rate(.bucket(let rate, let burst)): "\(rate) with bursts of \(burst)"
        case .rate(.trace(let trace)): "trace \(trace.name) (mean \(Int(trace.meanRate / 1000)) kbit/s)"
        case .promotion(let promotion):
            "\(milliseconds(promotion.delay)) from idle after \(milliseconds(promotion.idleTimeout))"
        case .delay(let delay, let jitter): "delay \(milliseconds(delay))" + (jitter.map { " ± \($0.summary)" } ?? "")
        case .loss(.independent(let share)): "loss \(share)"
        case .loss(.gilbertElliott(let p, let r, let bad, let good)):
            "loss in bursts p \(p) r \(r) (\(bad) in bad, \(good) in good)"
        case .loss(.fading(let good, let bad, let lossInBad, let lossInGood)):
            "loss in bursts of \(milliseconds(bad)) after \(milliseconds(good)) (\(lossInBad) in bad, \(lossInGood) in good)"
        case .loss(.fourState(let p13, let p31, let p32, let p23, let p14)):
            "loss in states p13 \(p13) p31 \(p31) p32 \(p32) p23 \(p23) p14 \(p14)"
        case .loss(.packets(let list)): "loss of packets \(list.sorted().map(String.init).joined(separator: " "))"
        case .duplicate(let share): "duplicate \(share)"
        case .reorder(let share): "reorder \(share)"
        case .corrupt(let share): "corrupt \(share)"
        case .queue(let queue): queue.summary
        case .mtu(let bytes, isAnnounced: true): "mtu \(bytes)"
        case .mtu(let bytes, isAnnounced: false): "mtu \(bytes) unannounced (black hole)"
        case .outages(.periodic(let every, let lasting)):
            "out for \(milliseconds(lasting)) every \(milliseconds(every))"
        case .outages(.windows(let windows)):
            "out "
                + windows.map { "at \(milliseconds($0.from)) for \(milliseconds($0.lasting))" }.joined(separator: ", ")
        case .filter(let rules): rules.map(\.summary).joined(separator: ", ")
        }
    }
}

extension LinkEffect.Jitter {
    fileprivate var summary: String {
        let shape =
            switch distribution {
            case .uniform: "uniform"
            case .normal: "normal"
            case .pareto: "pareto"
            case .table(let quantiles): "by a table of \(quantiles.count) quantiles"
            }
        return "\(milliseconds(amount)) \(shape)\(allowsReordering ? " reordering" : "")"
    }
}

extension LinkEffect.Queue {
    fileprivate var summary: String {
        let name =
            switch discipline {
            case .dropTail: "queue"
            case .headDrop: "head-drop queue"
            case .codel(let target, let interval): "CoDel \(milliseconds(target)) over \(milliseconds(interval))"
            }
        return name + (bytes.map { " \($0)" } ?? "") + (packets.map { " \($0) packets" } ?? "")
    }
}

private func milliseconds(_ duration: Duration) -> String {
    let value = Double(duration.nanoseconds) / 1e6
    return value == value.rounded() ? "\(Int(value)) ms" : "\(value) ms"
}
