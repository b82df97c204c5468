import AdapterProtocol

extension ScriptReader {
    static let caching = Shape.either([
        .word(["allow", "refuse"]), .object([Field("body", .text, required: true, "The body to store.")]),
    ])

    mutating func readCaching(_ fields: Fields, into task: inout TaskDescription) {
        switch fields.text("caching") {
        case "allow": task.policies.caching = .allow
        case "refuse": task.policies.caching = .refuse
        case .some, nil: task.policies.caching = fields.fields("caching")?.text("body").map { .replaceBody($0) }
        }
        guard task.policies.caching != nil else { return }
        // In both cases the delegate is not called for it (CACH-12, CONV-05), so the decision would be ignored.
        if task.kind == .download {
            findings.refuse(
                fields.place(of: "caching"), "a download is not cached; leave `caching` out or make it a data task")
        }
        if fields.boolean("completionHandler") == true {
            findings.refuse(
                fields.place(of: "caching"),
                "only a delegate decides about caching; leave `caching` or `completionHandler` out")
        }
    }

    mutating func inspectCache(_ fields: Fields) -> ScriptStep? {
        let by = fields.text("by").flatMap(CacheLookup.init(rawValue:)) ?? .request
        guard let index = known("inspectCache", fields) else { return nil }
        if by == .task, tasks[index].kind == .download {
            findings.refuse(
                fields.place(of: "by"),
                "only data and upload tasks can be looked up; look up by request, or make it a data task")
        }
        return .command(.inspectCache(tasks[index].name, by: by))
    }
}
