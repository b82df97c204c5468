import Record
import ScenarioLanguage
import AdapterProtocol

extension Check {
    /// Returns one mismatch of this check.
    func mismatch(
        expected: String, found: String, evidence: [RecordView.Moment] = [], dependsOnTime: Bool = false
    ) -> [Mismatch] {
        [
            Mismatch(
                check: Self.key, expected: expected, found: found, evidence: evidence.sorted().map(\.entry),
                dependsOnTime: dependsOnTime)
        ]
    }

    /// Returns a mismatch if the number of moments is outside the bounds; the last five are its evidence.
    func mismatch(
        _ moments: [RecordView.Moment], outside bounds: Bounds, expected: String, found: String? = nil
    ) -> [Mismatch] {
        bounds.contains(Int64(moments.count))
            ? [] : mismatch(expected: expected, found: found ?? "\(moments.count)", evidence: Array(moments.suffix(5)))
    }
}

extension Fields {
    /// Returns the value of a required text; the shape has already refused its absence.
    func need(_ name: String) throws(ScenarioError) -> String {
        guard let text = text(name) else { throw error(name, "`\(name)` is missing") }
        return text
    }

    func task(_ name: String = "task") throws(ScenarioError) -> TaskName { TaskName(try need(name)) }

    func event(_ name: String) throws(ScenarioError) -> EventReference {
        try EventReference.parse(try need(name), at: place(of: name))
    }

    func events(_ name: String) throws(ScenarioError) -> [EventReference] {
        var events: [EventReference] = []
        for value in value(name)?.elements ?? [] {
            events.append(try EventReference.parse(value.text ?? "", at: value.place))
        }
        return events
    }

    /// Returns the number, from 1, of the selected item; 1 if it is not given.
    func number(_ name: String = "number") -> Int { integer(name).map { Int(clamping: $0) } ?? 1 }

    /// Refuses a check that only names its subject, because it would always hold.
    func requireOne(of names: [String]) throws(ScenarioError) {
        if !names.contains(where: has) {
            throw ScenarioError(at: place, "nothing to check; give at least one of \(Spelling.list(names))")
        }
    }
}

extension Scenario {
    /// Returns the configuration of the session that a step creates the task in.
    func configuration(of task: TaskName) -> SessionConfiguration? {
        let session = script.lazy.compactMap { step in
            if case .task(let description, body: _, starts: _) = step, description.task == task {
                description.session
            } else {
                nil
            }
        }.first
        return sessions.first { $0.name == session }?.configuration
    }
}

extension Field {
    static func number(_ what: String) -> Field {
        Field("number", .integer(1...1_000_000), "The number of the task's \(what), counted from 1; default 1.")
    }
}

/// Returns a readable duration.
func durationText(_ nanoseconds: Int64) -> String {
    nanoseconds >= 1_000_000_000 || nanoseconds <= -1_000_000_000
        ? "\(Double(nanoseconds / 1_000_000) / 1000) s" : "\(Double(nanoseconds / 1000) / 1000) ms"
}

/// Returns a text in quotes, shortened and without line ends.
func quoted(_ text: String) -> String {
    "\"\(text.replacing("\r", with: "\\r").replacing("\n", with: "\\n").shortened)\""
}

/// Returns `1 request` or `2 requests`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
