import AdapterProtocol

/// Every task that was started ends exactly once, by `didComplete` or by its completion handler (DLGT-07).
enum OneCompletion: Invariant {
    static let name = "one completion"
    static let summary = "Every started task ends, and only once."

    static func judge(_ record: RecordView) -> [Mismatch] {
        let missing = record.unfinishedTasks.map { task in
            mismatch(
                expected: "\(task) ends", found: "no completion",
                evidence: record.moments(of: .resume(task)) + (record.events(of: task).last.map { [$0.moment] } ?? []))
        }
        let repeated = record.taskNames.compactMap { task -> Mismatch? in
            let completions = record.completions(of: task)
            guard completions.count > 1 else { return nil }
            return mismatch(
                expected: "one completion of \(task)",
                found: "\(completions.count): " + completions.prefix(5).map(\.event.rawValue).joined(separator: ", "),
                evidence: completions.prefix(5).map(\.moment))
        }
        return missing + repeated
    }
}
