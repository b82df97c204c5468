import AdapterProtocol
import Record
import ScenarioLanguage

/// The growth of the peak memory of the adapter's process between hello and the end of the run (DNLD-06).
///
/// Heaps of managed runtimes grow with what they held when idle, so the bound is relative to that and to the bodies: a
/// client that holds a whole body grows by its size.
struct MemoryCheck: Check {
    static let key = "memory"
    static let summary = "The growth of the adapter's peak memory since its hello."
    static let shape = Shape.object([
        Field(
            "growth", .byteCount, required: true,
            "The acceptable growth of a small program, well below the size of the loaded bodies. A larger runtime may grow by as much as it held at hello, but never by three quarters of the bodies."
        )
    ])

    private let growth: Int64

    init(_ fields: Fields) throws(ScenarioError) {
        growth = fields.byteCount("growth")?.bytes ?? 0
    }

    /// The harness examines adapters, which all report this event.
    var neededEvents: Set<String> { [TaskEventName.didComplete.rawValue] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let measured = record.adapter.compactMap { entry in
            if case .memory(let peak) = entry.fact { (peak, entry.moment) } else { nil }
        }
        guard measured.count > 1, let first = measured.first, let last = measured.last else {
            return mismatch(
                expected: "the adapter's memory at hello and at the end", found: "\(measured.count) measurements",
                evidence: measured.map(\.1))
        }
        let found = last.0.minus(first.0)
        let bodies = record.requests.reduce(Int64(0)) { $0.plus($1.sentBytes) }
        let limit = max(growth, min(first.0, bodies / 4 * 3))
        guard found > limit else { return [] }
        return mismatch(
            expected: "at most \(limit / 1024) KiB more memory than at hello", found: "\(found / 1024) KiB",
            evidence: [first.1, last.1])
    }
}
