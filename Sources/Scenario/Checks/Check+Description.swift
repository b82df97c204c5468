package import AdapterProtocol

extension Check {
    package var needs: Set<Capability> { [] }
    package func problem(in scenario: Scenario) -> String? { nil }

    /// One mismatch of this check.
    func mismatch(expected: String, found: String, evidence: [RecordView.Moment] = []) -> [Mismatch] {
        [Mismatch(check: Self.key, expected: expected, found: found, evidence: evidence.sorted().map(\.entry))]
    }
}

extension Fields {
    /// The value of a required text; its absence was already refused by the shape.
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

    /// A number from 1 that says which; 1 when it is not given.
    func number(_ name: String = "number") -> Int { integer(name).map { Int(clamping: $0) } ?? 1 }

    /// A check that only names its subject would always hold.
    func requireOne(of names: [String]) throws(ScenarioError) {
        if !names.contains(where: has) {
            throw ScenarioError(at: place, "this says nothing to check; give at least one of \(Spelling.list(names))")
        }
    }
}

extension Field {
    static let task = Field("task", .text, required: true, "The task, by the name that its step gives it.")
    static func number(_ what: String) -> Field {
        Field("number", .integer(1...1_000_000), "Which \(what) of the task, counted from 1; default 1.")
    }
}

/// A duration as a person reads it.
func durationText(_ nanoseconds: Int64) -> String {
    nanoseconds >= 1_000_000_000 || nanoseconds <= -1_000_000_000
        ? "\(Double(nanoseconds / 1_000_000) / 1000) s" : "\(Double(nanoseconds / 1000) / 1000) ms"
}

/// A text in quotes, without line ends and never long.
func quoted(_ text: String) -> String {
    "\"\(text.replacing("\r", with: "\\r").replacing("\n", with: "\\n").shortened)\""
}

/// `1 request`, `2 requests`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
