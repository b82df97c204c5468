import AdapterProtocol

extension ScriptReader {
    /// Reads a task's options for cellular access, cache, cookies and priority.
    mutating func readStores(_ fields: Fields, into task: inout TaskDescription) {
        task.allowsCellularAccess = fields.boolean("allowsCellularAccess")
        task.cachePolicy = fields.text("cachePolicy").flatMap(CachePolicy.init(rawValue:))
        task.handlesCookies = fields.boolean("cookies")
        if let text = fields.text("mainDocument") {
            let place = fields.place(of: "mainDocument")
            task.mainDocument =
                findings.attempt { () throws(ScenarioError) in
                    try RequestTarget.parse(text, secure: origin.tls != nil, at: place)
                }?.url
        }
        switch fields.text("priority") {
        case "low": task.priority = 0.25
        case "default": task.priority = 0.5
        case "high": task.priority = 0.75
        case .some, nil: break
        }
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
                "only a delegate is asked what to cache; leave `caching` or `completionHandler` out")
        }
    }

    mutating func inspectCache(_ fields: Fields) -> ScriptStep? {
        let by = fields.text("by").flatMap(CacheLookup.init(rawValue:)) ?? .request
        guard let index = known("inspectCache", fields) else { return nil }
        if by == .task, tasks[index].kind == .download {
            findings.refuse(
                fields.place(of: "by"),
                "only data and upload tasks can be asked for; look up by request, or make it a data task")
        }
        return .inspectCache(tasks[index].name, by: by)
    }
}
