import AdapterProtocol

/// Converts `steps:` into the model and tracks the tasks that exist at each step.
struct ScriptReader {
    var findings = Findings()
    private(set) var tasks: [TaskEntry] = []
    /// True if a step that creates a task was refused; an unknown name may then be that task's.
    private(set) var hidesTasks = false
    let origin: OriginPlan
    let network: NetworkPlan
    let sessions: [SessionPlan]
    let limit: Duration
    let proxies: [ProxyPlan]
    private var invalidated: Set<SessionName> = []
    /// The last step that ended or launched the app; nil: it still has its first process.
    var lastLaunch: AppAction?
    /// The number of the app's process.
    var process = 1
    var isSuspended = false
    /// The app that runs, or ran last.
    var app: String?

    init(origin: OriginPlan, network: NetworkPlan, sessions: [SessionPlan], limit: Duration, proxies: [ProxyPlan] = [])
    {
        self.origin = origin
        self.network = network
        self.sessions = sessions
        app = sessions.first?.app
        self.limit = limit
        self.proxies = proxies
    }

    var knownTasks: [TaskEntry]? { hidesTasks ? nil : tasks }

    mutating func steps(_ root: Fields) -> [ScriptStep] {
        let values = root.value("steps")?.elements ?? []
        // Missing or refused steps have been reported; the tasks that they create are unknown.
        if values.isEmpty { hidesTasks = true }
        let steps = values.flatMap { value -> [ScriptStep] in
            guard let step = step(value) else { return [] }
            return [step] + (value.fields.flatMap { completion(of: step, $0) }.map { [$0] } ?? [])
        }
        if lastLaunch?.ends == true || isSuspended {
            findings.refuse(
                root.place(of: "steps"),
                "the app does not run at the end, so it cannot report anything; add `app: \(isSuspended ? "continue" : "launch")`"
            )
        }
        if !values.isEmpty, tasks.isEmpty, !hidesTasks {
            findings.refuse(root.place(of: "steps"), "no step creates a task; begin with data, upload or download")
        }
        return steps
    }

    private mutating func step(_ value: Value) -> ScriptStep? {
        guard let fields = value.fields else {
            hidesTasks = true
            return nil
        }
        guard let form = Self.forms.form(of: fields) else {
            hidesTasks = true
            return nil
        }
        return form.read(&self, fields)
    }

    /// Returns the step of `wait: true`: the completion of the task that `step` has started. Otherwise nil.
    private mutating func completion(of step: ScriptStep, _ fields: Fields) -> ScriptStep? {
        guard fields.boolean("wait") == true else { return nil }
        let name: TaskName
        switch step {
        case .task(let task, body: _, let starts):
            if !starts {
                findings.refuse(
                    fields.place(of: "wait"),
                    "the task is not started here, because of `resume: false`; write `wait` beside the step `resume: \(task.task)`"
                )
            }
            name = task.task
        case .command(.resume(let task)): name = task
        case .command, .await, .change, .app, .launch, .daemon: return nil
        }
        let takesHandler = tasks.first { $0.name == name }?.delivery == .completionHandler
        return .await(Trigger(.event(name, takesHandler ? .completionHandler : .didComplete, count: 1)))
    }

    mutating func await(_ fields: Fields) -> ScriptStep? {
        var reader = TriggerReader(
            tasks: knownTasks, sessions: sessions, interfaces: network.interfaces, limit: limit, proxies: proxies)
        var trigger = reader.trigger("await", of: fields)
        trigger?.orTasksEnd = fields.boolean("orTasksEnd") ?? false
        findings.add(reader.findings.errors)
        return trigger.map { .await($0) }
    }

    mutating func change(_ fields: Fields) -> ScriptStep? {
        var reader = NetworkReader(proxies: proxies, origin: origin)
        let changes = reader.changes("set", of: fields, in: network)
        findings.add(reader.findings.errors)
        return .change(changes)
    }

    // MARK: Steps that make a task

    mutating func task(_ fields: Fields) -> ScriptStep? {
        guard let kind = TaskDescription.Kind.allCases.first(where: { fields.has($0.rawValue) }) else { return nil }
        if let source = fields.fields(kind.rawValue) { return continued(kind, from: source, fields) }
        let name = name(fields)
        let place = fields.place(of: kind.rawValue)
        let target = fields.text(kind.rawValue).flatMap { text in
            findings.attempt { () throws(ScenarioError) in
                try RequestTarget.parse(text, secure: origin.tls != nil, at: place)
            }
        }
        var task = TaskDescription(task: name, kind: kind, url: target?.url ?? "")
        for setting in TaskDescription.requestSettings { readSetting(setting, fields, into: &task) }
        let body = body(fields)
        readStream(fields, body, into: &task)
        if kind == .upload, !fields.has("body") {
            findings.refuse(fields.place, "an upload needs a `body`, such as `body: { size: 10KiB }`")
        }
        if body?.source == .file, kind != .upload {
            findings.refuse(
                fields.place(of: "body"), "only an upload sends a file; write `from: memory` or make it an upload")
        }
        if task.method == nil, body != nil { task.method = "POST" }
        if let method = fields.text("method"), !HTTPHeadSyntax.isToken(method) {
            findings.refuse(
                fields.place(of: "method"), "`\(method.shortened)` is not a method; write one such as GET or POST")
        }
        readCaching(fields, into: &task)
        readDecisions(fields, into: &task)
        if kind == .download, task.policies.response != nil {
            findings.refuse(
                fields.place(of: "response"),
                "a download does not have a response decision; leave it out or make it a data task")
        }
        return add(task, body: body, fields)
    }

    /// Reads a task that continues from the resume data of an earlier one and repeats its request.
    private mutating func continued(_ kind: TaskDescription.Kind, from data: Fields, _ fields: Fields) -> ScriptStep? {
        let name = name(fields)
        guard let index = known("resumeData", data) else {
            hidesTasks = true
            return nil
        }
        let source = tasks[index]
        let made: TaskDescription.Kind = source.kind == .upload ? .upload : .download
        if source.kind == .data, !source.becomesDownload {
            findings.refuse(
                data.place(of: "resumeData"),
                "`\(source.name)` is neither a download nor an upload, so it does not have resume data")
        } else if kind != made {
            findings.refuse(
                data.place(of: "resumeData"),
                "`\(source.name)` leaves the resume data of \(made == .upload ? "an upload" : "a download"); write `\(made.rawValue): { resumeData: \(source.name) }`"
            )
        }
        if let earlier = source.needsProcess, earlier != process {
            findings.refuse(
                data.place(of: "resumeData"),
                "the resume data of `\(source.name)` is gone with the app's process; write `storeResumeData: true` where the task is made"
            )
        }
        for setting in TaskDescription.requestSettings where fields.has(setting.name) {
            findings.refuse(
                fields.place(of: setting.name),
                "a task from resume data repeats the request of `\(source.name)`; leave `\(setting.name)` out")
        }
        var task = TaskDescription(task: name, kind: made, url: source.url)
        task.resumesFrom = source.name
        readDecisions(fields, into: &task)
        return add(task, body: nil, fields)
    }

    mutating func hideTasks() { hidesTasks = true }

    mutating func add(_ task: TaskDescription, body: BodyPlan?, _ fields: Fields) -> ScriptStep {
        let starts = fields.boolean("resume") ?? true
        tasks.append(
            TaskEntry(
                name: task.task, kind: task.kind, delivery: task.delivery,
                becomesDownload: task.policies.response == .becomeDownload, held: task.policies.held,
                stalled: task.policies.blockedCallbacks,
                url: task.url, app: sessions.first { $0.name == task.session }?.app,
                needsProcess: forgetsResumeData(task) ? process : nil, suspensions: starts ? 0 : 1))
        return .task(task, body: body, starts: starts)
    }

    mutating func name(_ fields: Fields) -> TaskName {
        guard let text = fields.text("as") else { return TaskName("task\(tasks.count + 1)") }
        if !HTTPHeadSyntax.isName(text) {
            hidesTasks = true
            findings.refuse(
                fields.place(of: "as"),
                "`\(text.shortened)` is not a task name: letters, digits, hyphens and underscores only")
        }
        if tasks.contains(where: { $0.name.text == text }) {
            findings.refuse(fields.place(of: "as"), "the name `\(text)` belongs to an earlier task; use another")
        }
        return TaskName(text)
    }

    mutating func session(_ fields: Fields) -> SessionName {
        let names = sessions.map(\.name)
        if let text = fields.text("session") {
            if !names.contains(SessionName(text)) {
                findings.refuse(
                    fields.place(of: "session"),
                    "the session `\(text.shortened)` does not exist\(Spelling.hint(for: text, among: names.map(\.text)))"
                )
            }
            refuseInvalidated(SessionName(text), fields.place(of: "session"))
            return SessionName(text)
        }
        if names.contains(.main) || names.isEmpty {
            refuseInvalidated(.main, fields.place)
            return .main
        }
        if names.count > 1 {
            findings.refuse(
                fields.place,
                "name the session that creates the task: `session:` with one of \(Spelling.list(names.map(\.text)))")
        }
        refuseInvalidated(names[0], fields.place)
        return names[0]
    }

    private mutating func refuseInvalidated(_ session: SessionName, _ place: Place) {
        refuseOtherApp(session, place)
        if invalidated.contains(session) {
            findings.refuse(
                place,
                "the session `\(session)` is invalidated above; creating a task in it would be a programming error")
        }
    }

    static let body = Shape.either([
        .text,
        .object([
            Field("size", .byteCount, required: true, "This many position-dependent bytes."),
            Field(
                "from", .word(BodyPlan.Source.allCases.map(\.rawValue)),
                "The source of the body; default memory. `stream`: the delegate of an upload supplies it; the request of another task has the first one."
            ),
            Field(
                "fileName", .text,
                "With `from: file`: its name, such as `50% é.bin`; default one without special characters."),
            Field(
                "supplies", .integer(0...1_000),
                "With `from: stream`: the number of streams that the delegate supplies; default unlimited."
            ),
            Field(
                "fails", .boolean,
                "With `from: stream`: true: reading fails after these bytes, where another stream ends; default false."),
        ]),
    ])

    private mutating func body(_ fields: Fields) -> BodyPlan? {
        if let text = fields.text("body") { return BodyPlan(content: .text(text)) }
        guard let body = fields.fields("body"), let size = body.byteCount("size") else { return nil }
        let source = body.text("from").flatMap(BodyPlan.Source.init(rawValue:)) ?? .memory
        if source != .file, size > BodyPlan.mostInMemory {
            findings.refuse(
                body.place(of: "size"),
                "a body in memory travels in one command, so it has at most \(BodyPlan.mostInMemory); add `from: file` to an upload"
            )
        }
        return BodyPlan(content: .pattern(size), source: source, fileName: fileName(body, source))
    }

    private mutating func fileName(_ body: Fields, _ source: BodyPlan.Source) -> String? {
        guard let name = body.text("fileName") else { return nil }
        let isName = !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
        if source != .file {
            findings.refuse(body.place(of: "fileName"), "only a file has a name; write `from: file` beside it")
        } else if !isName || name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") }) {
            findings.refuse(
                body.place(of: "fileName"), "`\(name.shortened)` is not a file name: 1 to 255 bytes without a slash")
        }
        return name
    }

    // MARK: Steps about a task or session

    mutating func known(_ key: String, _ fields: Fields) -> Int? {
        guard let text = fields.text(key) else { return nil }
        if let index = tasks.firstIndex(where: { $0.name.text == text }) {
            if let other = tasks[index].app, other != app {
                refuseOtherApp(fields.place(of: key), "the task `\(text)`", of: other)
            }
            return index
        }
        if !hidesTasks {
            findings.refuse(
                fields.place(of: key),
                "no step above creates a task `\(text.shortened)`\(Spelling.hint(for: text, among: tasks.map(\.name.text)))"
            )
        }
        return nil
    }

    mutating func resume(_ fields: Fields) -> ScriptStep? {
        // With an unknown key it may be the old form, which created a task.
        guard fields.isComplete else {
            hidesTasks = true
            return nil
        }
        guard let index = known("resume", fields) else { return nil }
        if tasks[index].suspensions == 0 {
            findings.refuse(
                fields.place(of: "resume"),
                "`\(tasks[index].name)` is already resumed; write `resume: false` where it is created, or suspend it before"
            )
        }
        tasks[index].suspensions = max(0, tasks[index].suspensions - 1)
        return .command(.resume(tasks[index].name))
    }

    mutating func suspend(_ fields: Fields) -> ScriptStep? {
        known("suspend", fields).map { index in
            tasks[index].suspensions += 1
            return .command(.suspend(tasks[index].name))
        }
    }

    mutating func cancel(_ fields: Fields) -> ScriptStep? {
        guard let index = known("cancel", fields) else { return nil }
        let task = tasks[index]
        guard fields.boolean("resumeData") == true else { return .command(.cancel(task.name)) }
        if task.kind == .data, !task.becomesDownload {
            findings.refuse(
                fields.place(of: "resumeData"),
                "`\(task.name)` is neither a download nor an upload, so it does not have resume data")
        }
        return .command(.cancelProducingResumeData(task.name))
    }

    mutating func invalidate(_ fields: Fields) -> ScriptStep? {
        guard let text = fields.text("invalidate") else { return nil }
        let name = SessionName(text)
        if !sessions.contains(where: { $0.name == name }) {
            findings.refuse(
                fields.place(of: "invalidate"),
                "the session `\(text.shortened)` does not exist\(Spelling.hint(for: text, among: sessions.map(\.name.text)))"
            )
        }
        if let plan = sessions.first(where: { $0.name == name }), !plan.configuration.hasDelegate {
            findings.refuse(
                fields.place(of: "invalidate"),
                "the session `\(name)` does not have a delegate to which it could report its invalidation")
        }
        refuseOtherApp(name, fields.place(of: "invalidate"))
        invalidated.insert(name)
        return .command(.invalidate(name, cancelling: fields.boolean("cancel") ?? true))
    }
}
