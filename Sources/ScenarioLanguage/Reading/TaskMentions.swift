import AdapterProtocol

/// Finds names of tasks and sessions in a check's fields that the scenario does not create: such a check would always
/// fail.
enum TaskMentions {
    static func check(_ value: Value, _ tasks: [TaskEntry], _ sessions: [SessionPlan], _ findings: inout Findings) {
        let names = tasks.map(\.name.text)
        let sessionNames = sessions.map(\.name.text)
        visit(value, key: nil) { text, key, place in
            if key == "task" { return refuse(text, "task", names, place, &findings) }
            let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { return }
            if SessionEventName(rawValue: parts[1]) != nil {
                refuse(parts[0], "session", sessionNames, place, &findings)
            }
            if TaskEventName(rawValue: parts[1]) != nil { refuse(parts[0], "task", names, place, &findings) }
        }
    }

    private static func refuse(
        _ name: String, _ what: String, _ known: [String], _ place: Place, _ findings: inout Findings
    ) {
        guard !known.contains(name) else { return }
        findings.refuse(
            place, "the scenario does not create a \(what) `\(name.shortened)`\(Spelling.hint(for: name, among: known))"
        )
    }

    private static func visit(_ value: Value, key: String?, _ body: (String, String?, Place) -> Void) {
        switch value {
        case .text(let text, let place): body(text, key, place)
        case .list(let values, _): for value in values { visit(value, key: key, body) }
        case .mapping(let fields): for entry in fields.entries { visit(entry.value, key: entry.name, body) }
        case .boolean, .integer, .duration, .bitRate, .byteCount, .probability, .refused: break
        }
    }
}
