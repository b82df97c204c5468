import Record
import ScenarioLanguage
import LinkEmulator

/// The lab's measurement of a link: proves that the requested condition was in force.
struct LinkCheck: Check {
    static let key = "link"
    static let summary = "The delay, loss and rate that the lab measured on the link; every measurement must match."
    static let shape = Shape.object([
        Field("interface", .word(InterfaceKind.allCases.map(\.rawValue)), required: true, "The interface."),
        Field(
            "direction", .word(LinkDirectionName.allCases.map(\.rawValue)), required: true,
            "`uplink`: from the client, `downlink`: towards it."),
        Field(
            "means", .word(NetworkFact.Measurement.Means.allCases.map(\.rawValue)),
            "Only measurements with probes, or on traffic."),
        Field("delayAtLeast", .duration, "The smallest acceptable median one-way delay."),
        Field("delayAtMost", .duration, "The largest acceptable median one-way delay."),
        Field("lossAtLeast", .probability, "The smallest acceptable share of lost packets."),
        Field("lossAtMost", .probability, "The largest acceptable share of lost packets."),
        Field("rateAtLeast", .bitRate, "The smallest acceptable rate."),
        Field("rateAtMost", .bitRate, "The largest acceptable rate."),
    ])

    private let interface: InterfaceKind
    private let direction: LinkDirectionName
    private let means: NetworkFact.Measurement.Means?
    private let delay: (least: Int64?, most: Int64?)
    private let loss: (least: Double?, most: Double?)
    private let rate: (least: UInt64?, most: UInt64?)

    init(_ fields: Fields) throws(ScenarioError) {
        guard let kind = InterfaceKind(rawValue: try fields.need("interface")) else {
            throw fields.error("interface", "`interface` is not an interface")
        }
        guard let direction = LinkDirectionName(rawValue: try fields.need("direction")) else {
            throw fields.error("direction", "`direction` is not a direction")
        }
        interface = kind
        self.direction = direction
        means = fields.text("means").flatMap(NetworkFact.Measurement.Means.init(rawValue:))
        delay = (fields.duration("delayAtLeast")?.nanoseconds, fields.duration("delayAtMost")?.nanoseconds)
        loss = (fields.probability("lossAtLeast")?.value, fields.probability("lossAtMost")?.value)
        rate = (fields.bitRate("rateAtLeast")?.bitsPerSecond, fields.bitRate("rateAtMost")?.bitsPerSecond)
        try fields.requireOne(of: [
            "delayAtLeast", "delayAtMost", "lossAtLeast", "lossAtMost", "rateAtLeast", "rateAtMost",
        ])
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let found = record.measurements(interface, direction).filter { means == nil || $0.measurement.means == means }
        let name = "\(interface.rawValue) \(direction.rawValue)"
        guard !found.isEmpty else { return mismatch(expected: "a measurement of \(name)", found: "none") }
        return found.flatMap { measurement, moment -> [Mismatch] in
            let limits = differences(measurement)
            return limits.isEmpty
                ? []
                : mismatch(
                    expected: "\(name): " + limits.map(\.expected).joined(separator: ", "),
                    found: limits.map(\.found).joined(separator: ", "), evidence: [moment],
                    dependsOnTime: limits.allSatisfy(\.dependsOnTime))
        }
    }

    private func differences(_ measured: NetworkFact.Measurement) -> [(
        expected: String, found: String, dependsOnTime: Bool
    )] {
        var differences: [(expected: String, found: String, dependsOnTime: Bool)] = []
        func compare<Number: Comparable>(
            _ what: String, _ value: Number?, _ limits: (least: Number?, most: Number?), _ words: (Number) -> String
        ) {
            for (limit, isLeast) in [(limits.least, true), (limits.most, false)] {
                guard let limit else { continue }
                let expected = "\(what) at \(isLeast ? "least" : "most") \(words(limit))"
                guard let value else {
                    differences.append((expected, "\(what) not measured", false))
                    continue
                }
                if isLeast ? value < limit : value > limit {
                    differences.append((expected, "\(what) \(words(value))", what != "loss"))
                }
            }
        }
        compare("delay", measured.delayMedian, delay) { durationText($0) }
        let share = measured.packets > 0 ? Double(measured.lost) / Double(measured.packets) : nil
        compare("loss", share, loss) { "\((($0 * 10_000).rounded()) / 100)%" }
        compare("rate", measured.bitsPerSecond, rate) { BitRate(bitsPerSecond: $0)?.description ?? "0bit/s" }
        return differences
    }
}
