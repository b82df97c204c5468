import AdapterProtocol

/// The reader of steps that read a task or a session, or write to its configuration.
extension ScriptReader {
    mutating func read(_ fields: Fields) -> ScriptStep? {
        guard let word = fields.text("property") else { return nil }
        if let property = TaskProperty(rawValue: word) {
            return known("read", fields).map { .command(.readProperty(tasks[$0].name, property)) }
        }
        guard let property = SessionProperty(rawValue: word) else { return nil }
        return knownSession("read", fields).map { .command(.readSessionProperty($0, property)) }
    }

    mutating func listTasks(_ fields: Fields) -> ScriptStep? {
        knownSession("listTasks", fields).map { .command(.listTasks($0)) }
    }

    mutating func empty(_ emptying: SessionEmptying, _ fields: Fields) -> ScriptStep? {
        knownSession(emptying.rawValue, fields).map { .command(.empty($0, emptying)) }
    }

    mutating func configure(_ fields: Fields) -> ScriptStep? {
        guard let object = fields.text("through").flatMap(ConfigurationObject.init(rawValue:)),
            let with = fields.fields("with")
        else { return nil }
        guard let session = knownSession("configure", fields) else { return nil }
        if with.entries.isEmpty {
            findings.refuse(with.place, "`with` is empty; add a setting such as `headers`")
        }
        var reader = SessionReader(proxies: proxies, isSecure: origin.tls != nil)
        let configuration = reader.change(with, of: session)
        findings.add(reader.findings.errors)
        return .command(.configure(session, through: object, configuration))
    }

    private mutating func knownSession(_ key: String, _ fields: Fields) -> SessionName? {
        guard let text = fields.text(key) else { return nil }
        let names = sessions.map(\.name.text)
        if names.contains(text) {
            refuseOtherApp(SessionName(text), fields.place(of: key))
            return SessionName(text)
        }
        findings.refuse(
            fields.place(of: key),
            "the session `\(text.shortened)` does not exist\(Spelling.hint(for: text, among: names))")
        return nil
    }

    private mutating func refuseForAsync(_ task: TaskDescription, _ fields: Fields) {
        let place = fields.place(of: "async")
        if task.delivery != .completionHandler {
            findings.refuse(
                place,
                "the result is reported like that of a completion handler; write `completionHandler: true` beside it")
        }
        if task.asyncMethod == .bytes, task.kind != .data {
            findings.refuse(place, "`bytes` is the method for data; write `async: result`")
        }
        if task.kind == .upload, task.stream != nil || task.resumesFrom != nil {
            findings.refuse(place, "uploads by an asynchronous method have their body in memory or in a file")
        }
        for word in ["ownDelegate", "priority", "watchProgress", "jointProgress"] where fields.has(word) {
            findings.refuse(
                fields.place(of: word), "a call of an asynchronous method does not have a task; leave `\(word)` out")
        }
    }

    /// Refuses a delegate that is not there, and what an asynchronous method does not have. Tasks of a session without a
    /// delegate can report only to their completion handlers.
    mutating func refuseWrongDelivery(_ task: TaskDescription, _ fields: Fields) {
        if task.asyncMethod != nil { refuseForAsync(task, fields) }
        if task.ownDelegateMethods != nil, !task.hasOwnDelegate {
            findings.refuse(
                fields.place(of: "ownDelegateImplements"),
                "the task does not have a delegate of its own; write `ownDelegate: true`")
        }
        guard task.delivery == .delegate, !task.hasOwnDelegate,
            let plan = sessions.first(where: { $0.name == task.session }),
            !plan.configuration.hasDelegate
        else { return }
        findings.refuse(
            fields.place,
            "the session `\(task.session)` does not have a delegate; give the task `completionHandler: true`, or `ownDelegate: true`"
        )
    }
}
