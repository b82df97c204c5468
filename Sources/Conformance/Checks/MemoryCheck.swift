import Record
import ScenarioLanguage

/// The growth of the peak memory of the adapter's process between hello and the end of the run (DNLD-06).
struct MemoryCheck: Check {
    static let key = "memory"
    static let summary = "How much more memory the adapter's process has held at its most than when it said hello."
    static let shape = Shape.object([
        Field(
            "growth", .byteCount, required: true,
            "At the most so much; choose it well below the bodies that are loaded.")
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
                expected: "the memory of the adapter at hello and at the end", found: "\(measured.count) measurements",
                evidence: measured.map(\.1))
        }
        let found = last.0 - first.0
        guard found > growth else { return [] }
        return mismatch(
            expected: "at most \(growth / 1024) KiB more memory than at hello", found: "\(found / 1024) KiB",
            evidence: [first.1, last.1])
    }
}
