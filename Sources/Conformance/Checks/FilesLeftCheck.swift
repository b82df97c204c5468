import AdapterProtocol
import Record
import ScenarioLanguage

/// The files that the implementation left on the disk (CONF-06).
struct FilesLeftCheck: Check {
    static let key = "filesLeft"
    static let summary =
        "The number of files in the adapter's private folder at the end, without those of the harness."
    static let shape = Shape.object([
        Field("count", NumberRange.shape, required: true, "A number, or a range such as 1..10."),
        Field("below", .text, "Only files below this folder of the private folder; default all."),
    ])

    private let count: NumberRange
    private let folder: String?

    init(_ fields: Fields) throws(ScenarioError) {
        guard let count = try NumberRange("count", of: fields) else {
            throw fields.error("count", "`count` is missing")
        }
        self.count = count
        folder = fields.text("below").map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    }

    /// The harness examines adapters, which all report this event.
    var neededEvents: Set<String> { [TaskEventName.didComplete.rawValue] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let reported = record.adapter.compactMap { entry in
            if case .leftFiles(let names) = entry.fact {
                (names.filter { $0.hasPrefix(folder ?? "") }, entry.moment)
            } else {
                nil
            }
        }
        guard let (names, moment) = reported.last else {
            return mismatch(
                expected: "an inspection of the adapter's private folder", found: "none, because the run did not finish"
            )
        }
        guard !count.contains(Int64(names.count)) else { return [] }
        let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
        return mismatch(
            expected: "\(count.description) files left", found: names.isEmpty ? "none" : "\(names.count): \(shown)",
            evidence: [moment])
    }
}
