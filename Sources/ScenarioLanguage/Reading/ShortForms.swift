import AdapterProtocol

/// Names that may be left out in a scenario with a single task.
enum ShortForms {
    /// The keys of checks that hold events.
    private static let keysOfEvents: Set<String> = ["event", "first", "then", "from", "to", "after", "before"]

    /// Returns TASK.EVENT for an event without its task; nil for other texts, and if there are several tasks.
    static func event(_ text: String, _ tasks: [TaskEntry]) -> String? {
        guard tasks.count == 1, TaskEventName(rawValue: text) != nil else { return nil }
        return "\(tasks[0].name).\(text)"
    }

    /// Returns the value of a check in which each event names its task.
    static func written(out value: Value, _ tasks: [TaskEntry], key: String? = nil) -> Value {
        switch value {
        case .text(let text, let place):
            guard key.map(keysOfEvents.contains) ?? true else { return value }
            return .text(event(text, tasks) ?? text, place)
        case .list(let values, let place):
            return .list(values.map { written(out: $0, tasks, key: key) }, place)
        case .mapping(var fields):
            for index in fields.entries.indices {
                let entry = fields.entries[index]
                fields.entries[index].value = written(out: entry.value, tasks, key: entry.name)
            }
            return .mapping(fields)
        case .boolean, .integer, .duration, .bitRate, .byteCount, .probability, .refused: return value
        }
    }

    /// Adds the name of the only task to a check that needs one. Returns false if the check still has none.
    static func name(
        _ fields: inout Fields, of check: any WrittenCheck.Type, _ tasks: [TaskEntry]?, _ findings: inout Findings
    ) -> Bool {
        guard let field = check.shape.fieldOfOnlyTask, !fields.has(field.name), !fields.has("value") else {
            return true
        }
        guard let tasks else { return false }
        guard tasks.count == 1 else {
            findings.refuse(
                fields.place,
                "`\(check.key)` lacks `\(field.name)`, which it needs in a scenario with several tasks: \(Spelling.list(tasks.map(\.name.text)))"
            )
            return false
        }
        fields.entries.append(
            .init(name: field.name, place: fields.place, value: .text(tasks[0].name.text, fields.place)))
        return true
    }
}

extension Shape {
    /// The field that names the only task if it is left out.
    fileprivate var fieldOfOnlyTask: Field? {
        for shape in alternatives {
            if case .object(let fields) = shape, let field = fields.first(where: \.defaultsToOnlyTask) { return field }
        }
        return nil
    }
}
