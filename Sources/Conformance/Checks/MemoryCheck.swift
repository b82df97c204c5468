import Record
import ScenarioLanguage

/// The growth of the peak memory of the adapter's process between hello and the end of the run (DNLD-06).
struct MemoryCheck: Check {
    static let key = "memory"
    static let summary = "The growth of the adapter's peak memory since its hello."
    static let shape = Shape.object([
        Field(
            "growth", .byteCount, required: true,
            "The largest acceptable growth; choose it well below the size of the loaded bodies.")
    ])

    private let growth: Int64

    init(_ fields: Fields) throws(ScenarioError) {
        growth = fields.byteCount("growth")?.bytes ?? 0
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let measured = record.adapter.compactMap { entry in
            if case .memory(let peak) = entry.fact { (peak, entry.moment) } else { nil }
        }
        guard measured.count > 1, let first = measured.first, let last = measured.last else {
            return mismatch(
                expected: "the adapter's memory at hello and at the end", found: "\(measured.count) measurements",
                evidence: measured.map(\.1))
        }
        let found = last.0 - first.0
        guard found > growth else { return [] }
        return mismatch(
            expected: "at most \(growth / 1024) KiB more memory than at hello", found: "\(found / 1024) KiB",
            evidence: [first.1, last.1])
    }
}
