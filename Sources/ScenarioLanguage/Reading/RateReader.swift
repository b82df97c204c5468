import FoundationEssentials
import LinkEmulator

/// Reads the object under `rate:`: a token bucket, a file of millisecond stamps beside the scenario, or the parameters of
/// a generated trace.
enum RateReader {
    static let shape = Shape.choice(
        [
            Field("bucket", .bitRate, "A token bucket of this rate."),
            Field("trace", .text, "A file of millisecond stamps, one per 1,500 bytes; relative to this file."),
            Field("cellular", cellular, "A made trace: a rate that wanders, with gaps."),
        ], beside: [Field("burst", .byteCount, "What the bucket lets through at once after a pause.")])

    static func rate(_ rate: Fields, _ findings: inout Findings) -> LinkEffect.Rate? {
        if let average = rate.bitRate("bucket") {
            guard let burst = rate.byteCount("burst"), burst.bytes >= 1500 else {
                findings.refuse(
                    rate.place, "a bucket needs a `burst` of at least 1500 bytes, or it lets no full packet through")
                return nil
            }
            return .bucket(average, burst: burst)
        }
        if rate.has("burst") { findings.refuse(rate.place(of: "burst"), "`burst` belongs to a `bucket`") }
        return trace(rate, &findings).map { .trace($0) }
    }

    private static let cellular = Shape.object([
        Field("mean", .bitRate, required: true, "Over the whole trace, gaps included."),
        Field("seed", .integer(0...Int64.max), "The same seed gives the same trace everywhere; default 1."),
        Field("length", .duration, "After which it repeats; default 60s."),
        Field("variation", .probability, "How far the rate wanders from its middle, less than 100%; default 60%."),
        Field("wandering", .duration, "How long it takes from one end to the other; default 4s."),
        Field("outages", gaps, "No signal: seldom and long; default none."),
        Field("handovers", gaps, "From one cell to the next: often and short; default none."),
    ])

    private static let gaps = Shape.object([
        Field("every", .duration, required: true, "How far apart on average."),
        Field("lasting", .duration, required: true, "How long on average; both vary by half."),
    ])

    private static func trace(_ rate: Fields, _ findings: inout Findings) -> RateTrace? {
        if let shape = rate.fields("cellular") { return made(shape, &findings) }
        guard let name = rate.text("trace") else { return nil }
        let place = rate.place(of: "trace")
        let folder = place.file.lastIndex(of: "/").map { place.file[...$0] } ?? ""
        let path = name.hasPrefix("/") ? name : folder + name
        guard let data = FileManager.default.contents(atPath: path) else {
            findings.refuse(place, "the trace `\(name.shortened)` cannot be read; its path is relative to this file")
            return nil
        }
        do throws(RateTraceError) {
            return try RateTrace.parse(String(decoding: data, as: UTF8.self), name: name)
        } catch {
            findings.refuse(place, "the trace `\(name.shortened)` cannot be used: \(error)")
            return nil
        }
    }

    private static func made(_ fields: Fields, _ findings: inout Findings) -> RateTrace? {
        guard let mean = fields.bitRate("mean") else { return nil }
        var shape = CellularShape(meanRate: mean)
        if let length = fields.duration("length") { shape.duration = length }
        if let variation = fields.probability("variation") { shape.variation = variation.value }
        if let wandering = fields.duration("wandering") { shape.wandering = wandering }
        shape.outages = gaps(fields, "outages")
        shape.handovers = gaps(fields, "handovers")
        let seed = UInt64(clamping: fields.integer("seed") ?? 1)
        if let trace = RateTrace.cellular(shape, seed: seed, name: "cellular \(mean) of seed \(seed)") { return trace }
        findings.refuse(
            fields.place,
            "no such trace can be made: it takes a variation under 100%, a length up to 1h with at least one packet in it, and gaps "
                + "that leave time to send")
        return nil
    }

    private static func gaps(_ fields: Fields, _ name: String) -> CellularShape.Gaps? {
        guard let gaps = fields.fields(name), let every = gaps.duration("every"), let lasting = gaps.duration("lasting")
        else { return nil }
        return CellularShape.Gaps(every: every, lasting: lasting)
    }
}
