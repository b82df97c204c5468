import FoundationEssentials
import Glibc
import LinkEmulator

/// Reads the object under `rate:`: a token bucket, a file of millisecond stamps beside the scenario, or the parameters of
/// a generated trace.
enum RateReader {
    static let shape = Shape.choice(
        [
            Field("bucket", .bitRate, "A token bucket of this rate."),
            Field(
                "trace", .text,
                "A file of timestamps in milliseconds, one per 1,500 bytes; its path is relative to this file."),
            Field("cellular", cellular, "A generated trace: a varying rate with gaps."),
        ], beside: [Field("burst", .byteCount, "The bytes that the bucket lets through at once after a pause.")])

    static func rate(_ rate: Fields, _ findings: inout Findings) -> LinkEffect.Rate? {
        if let average = rate.bitRate("bucket") {
            guard let burst = rate.byteCount("burst"), burst.bytes >= 1500 else {
                findings.refuse(
                    rate.place,
                    "a bucket needs a `burst` of at least 1500 bytes; a smaller one blocks full-size packets")
                return nil
            }
            return .bucket(average, burst: burst)
        }
        if rate.has("burst") { findings.refuse(rate.place(of: "burst"), "`burst` belongs to a `bucket`") }
        return trace(rate, &findings).map { .trace($0) }
    }

    private static let cellular = Shape.object([
        Field("mean", .bitRate, required: true, "The mean rate over the whole trace, including gaps."),
        Field("seed", .integer(0...Int64.max), "The same seed gives the same trace everywhere; default 1."),
        Field("length", .duration, "The length after which it repeats; default 60s."),
        Field(
            "variation", .probability, "The largest deviation of the rate from its mean, less than 100%; default 60%."),
        Field("wandering", .duration, "The time from one extreme to the other; default 4s."),
        Field("outages", gaps, "Gaps without signal: rare and long; default none."),
        Field("handovers", gaps, "Gaps at handovers between cells: frequent and short; default none."),
    ])

    private static let gaps = Shape.object([
        Field("every", .duration, required: true, "The mean time between gaps."),
        Field("lasting", .duration, required: true, "The mean length of a gap; both vary by half."),
    ])

    private static func trace(_ rate: Fields, _ findings: inout Findings) -> RateTrace? {
        if let shape = rate.fields("cellular") { return made(shape, &findings) }
        guard let name = rate.text("trace") else { return nil }
        let place = rate.place(of: "trace")
        let folder = place.file.lastIndex(of: "/").map { place.file[...$0] } ?? ""
        guard let path = path(of: name, in: String(folder)) else {
            findings.refuse(
                place,
                "the trace `\(name.shortened)` is outside the folder of this file; copy it there, and write its path from there"
            )
            return nil
        }
        guard let data = contents(of: path) else {
            findings.refuse(
                place,
                "the trace `\(name.shortened)` cannot be read; it must be a file of at most 64 MiB, and its path is relative to this file"
            )
            return nil
        }
        do throws(RateTraceError) {
            return try RateTrace.parse(String(decoding: data, as: UTF8.self), name: name)
        } catch {
            findings.refuse(place, "the trace `\(name.shortened)` cannot be used: \(error)")
            return nil
        }
    }

    /// Returns the path without symbolic links, or nil if it leads out of the folder: a scenario from elsewhere must not read files of
    /// this machine.
    private static func path(of name: String, in folder: String) -> String? {
        guard !name.hasPrefix("/") else { return nil }
        let inside = URL(fileURLWithPath: folder.isEmpty ? "." : folder).resolvingSymlinksInPath().path
        let path = URL(fileURLWithPath: folder + name).resolvingSymlinksInPath().path
        return path.hasPrefix(inside == "/" ? "/" : inside + "/") ? path : nil
    }

    /// Reads a regular file of at most 64 MiB; a pipe would block, and a device may never end.
    private static func contents(of path: String) -> Data? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 64 << 20
        else { return nil }
        return FileManager.default.contents(atPath: path)
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
            "this trace cannot be generated: it needs a variation under 100%, a length up to 1h with at least one packet in it, and gaps "
                + "that leave time for packets")
        return nil
    }

    private static func gaps(_ fields: Fields, _ name: String) -> CellularShape.Gaps? {
        guard let gaps = fields.fields(name), let every = gaps.duration("every"), let lasting = gaps.duration("lasting")
        else { return nil }
        return CellularShape.Gaps(every: every, lasting: lasting)
    }
}
