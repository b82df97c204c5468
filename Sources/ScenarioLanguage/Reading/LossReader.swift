import LinkEmulator
import Units

/// Reads a loss model other than a share of the packets: bursts counted in packets or in time, or a list of packets.
enum LossReader {
    static let shape = Shape.choice(
        [
            Field(
                "bursts",
                .object(
                    [
                        Field("p", .probability, required: true, "Good to bad, per packet."),
                        Field("r", .probability, required: true, "Bad to good, per packet; a burst lasts 1/r packets."),
                    ] + losses), "Gilbert–Elliott: losses come in bursts, counted in packets."),
            Field(
                "fading",
                .object(
                    [
                        Field("good", .duration, required: true, "Mean duration of the good state."),
                        Field("bad", .duration, required: true, "Mean duration of the bad state."),
                    ] + losses),
                "Gilbert–Elliott by time: a burst of losses ends after its duration, however few packets it meets."),
            Field(
                "states",
                .object([
                    Field("p13", .probability, required: true, "Received to lost within a burst."),
                    Field("p31", .probability, "Lost within a burst to received; default 100%."),
                    Field("p32", .probability, "Lost within a burst to received within it; default 0%."),
                    Field("p23", .probability, "Received within a burst to lost; default 100%."),
                    Field("p14", .probability, "Received to lost by itself; default 0%."),
                ]), "Four states, as in netem."),
            Field(
                "packets", .list(.integer(1...1_000_000_000)),
                "Exactly these packets of this direction, counted from 1."),
        ], beside: [])

    private static let losses = [
        Field("lossInBad", .probability, "Loss in the bad state; default 100%."),
        Field("lossInGood", .probability, "Loss in the good state; default 0%."),
    ]

    /// Converts a value of `shape`; nil if no packet is lost, or the value is invalid.
    static func loss(_ fields: Fields, _ findings: inout Findings) -> LinkEffect.Loss? {
        if let bursts = fields.fields("bursts") {
            guard let p = bursts.probability("p"), let r = bursts.probability("r") else { return nil }
            let (bad, good) = losses(bursts)
            return .gilbertElliott(p: p, r: r, lossInBad: bad, lossInGood: good)
        }
        if let fading = fields.fields("fading") {
            guard let good = fading.duration("good"), let bad = fading.duration("bad") else { return nil }
            for (name, mean) in [("good", good), ("bad", bad)]
            where !(LinkParameters.shortestPeriod...LinkParameters.longestDuration).contains(mean.nanoseconds) {
                findings.refuse(fading.place(of: name), "a state lasts from 1 ms to 1 hour on average")
            }
            let (lossInBad, lossInGood) = losses(fading)
            return .fading(good: good, bad: bad, lossInBad: lossInBad, lossInGood: lossInGood)
        }
        if let states = fields.fields("states") {
            func share(_ name: String) -> Probability { states.probability(name) ?? .zero }
            return .fourState(
                p13: share("p13"), p31: states.probability("p31") ?? .certain, p32: share("p32"),
                p23: states.probability("p23") ?? .certain, p14: share("p14"))
        }
        let list = (fields.value("packets")?.elements ?? []).compactMap(\.integer).map { UInt64(clamping: $0) }
        let packets = Set(list)
        if packets.count != list.count {
            findings.refuse(fields.place(of: "packets"), "`packets` names a packet twice; each is lost once")
        }
        return packets.isEmpty ? nil : .packets(packets)
    }

    private static func losses(_ fields: Fields) -> (bad: Probability, good: Probability) {
        (fields.probability("lossInBad") ?? .certain, fields.probability("lossInGood") ?? .zero)
    }
}
