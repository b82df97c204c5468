import AdapterProtocol

/// The reader of client behaviour other than decisions: supplying a stream, blocking callbacks, retaining deliveries; and of the steps
/// that end and start the app.
extension ScriptReader {
    mutating func app(_ fields: Fields) -> ScriptStep? {
        guard let action = fields.text("app").flatMap(AppAction.init(rawValue:)) else { return nil }
        let isEnded = lastLaunch?.ends == true
        let problem: String? =
            switch action {
            case .launch: isEnded ? nil : "the app runs already; `terminate` or `crash` it before"
            case .continue: isSuspended ? nil : "the app is not suspended"
            case .terminate, .crash: isEnded ? "the app does not run; `launch` it before" : nil
            case .suspend, .background, .foreground:
                isEnded || isSuspended ? "the app does not run; `launch` or `continue` it before" : nil
            }
        if let problem { findings.refuse(fields.place(of: "app"), problem) }
        if action == .launch || action.ends { lastLaunch = action }
        if action == .launch { process += 1 }
        isSuspended = action == .suspend
        guard let name = fields.text("name") else { return .app(action) }
        let apps = sessions.compactMap(\.app)
        if !apps.contains(name) {
            findings.refuse(
                fields.place(of: "name"),
                "no session belongs to the app `\(name.shortened)`\(Spelling.hint(for: name, among: apps)); write `app: \(name.shortened)` under a session"
            )
        } else if action != .launch {
            findings.refuse(
                fields.place(of: "name"), "one app runs at a time; leave `name` out, or write `app: launch`")
        }
        app = name
        return .launch(app: name)
    }

    mutating func refuseOtherApp(_ session: SessionName, _ place: Place) {
        guard let plan = sessions.first(where: { $0.name == session }), let other = plan.app, other != app
        else { return }
        refuseOtherApp(place, "the session `\(session)`", of: other)
    }

    mutating func refuseOtherApp(_ place: Place, _ what: String, of other: String) {
        findings.refuse(
            place,
            "\(what) belongs to the app `\(other)`, which does not run; end this app and launch that one before")
    }

    /// True if a later process cannot have the task's resume data: it is not stored, and no later process learns how the
    /// task ends.
    func forgetsResumeData(_ task: TaskDescription) -> Bool {
        let session = sessions.first { $0.name == task.session }
        return !task.storesResumeData && session?.configuration.kind != .background
    }

    mutating func readStream(_ fields: Fields, _ body: BodyPlan?, into task: inout TaskDescription) {
        let supplies = fields.fields("body").flatMap { body in body.int("supplies") }
        let fails = fields.fields("body").flatMap { body in body.boolean("fails") }
        guard body?.source == .stream else {
            if supplies != nil, let body = fields.fields("body") {
                findings.refuse(body.place(of: "supplies"), "`supplies` counts streams; write `from: stream` beside it")
            }
            if fails != nil, let body = fields.fields("body") {
                findings.refuse(body.place(of: "fails"), "only a stream can fail; write `from: stream` beside it")
            }
            if fields.has("requestBody") {
                findings.refuse(
                    fields.place(of: "requestBody"),
                    "`requestBody` needs a body `from: stream`; otherwise use `body`")
            }
            return
        }
        task.stream = TaskDescription.BodyStream(supplies: supplies, fails: fails ?? false)
        guard task.kind == .upload else {
            if fields.has("requestBody") {
                findings.refuse(
                    fields.place(of: "requestBody"),
                    "the request of a \(task.kind.rawValue) task has one body; leave `requestBody` out")
            }
            return
        }
        task.requestBody = fields.text("requestBody").map { Array($0.utf8) }
        if fields.boolean("completionHandler") == true {
            findings.refuse(
                fields.place(of: "completionHandler"),
                "a streamed upload cannot have a completion handler (UPLD-16): only a delegate can supply its stream")
        }
    }

    mutating func checkCallbacks(_ task: TaskDescription, _ fields: Fields) {
        guard task.delivery == .completionHandler else { return }
        let replaced = task.policies.blockedCallbacks.subtracting([.willPerformRedirect, .didSendBodyData]).map(
            \.rawValue
        ).sorted()
        if !replaced.isEmpty {
            findings.refuse(
                fields.place(of: "blockCallback"),
                "a completion handler replaces \(replaced.joined(separator: ", ")); leave that or `completionHandler: true` out"
            )
        }
        if fields.has("watchProgress") {
            findings.refuse(
                fields.place(of: "watchProgress"),
                "a task with a completion handler does not have data callbacks; leave `watchProgress` or `completionHandler: true` out"
            )
        }
    }

    mutating func progress(_ fields: Fields) -> ScriptStep? {
        let action = fields.text("do").flatMap(ProgressAction.init(rawValue:)) ?? .read
        return known("progress", fields).map { .command(.progress(tasks[$0].name, action)) }
    }

    mutating func checkHeld(_ task: TaskDescription, _ fields: Fields) {
        guard !task.policies.held.isEmpty else { return }
        if task.delivery == .completionHandler, task.policies.held.contains(.response) {
            findings.refuse(
                fields.place(of: "hold"),
                "a completion handler replaces the response callback; leave `hold: response` or `completionHandler: true` out"
            )
        }
        if task.policies.held.contains(.challenge), task.policies.challenges.isEmpty {
            findings.refuse(
                fields.place(of: "hold"),
                "there is no decision to hold; write the decision under `challenge`")
        }
        let watched = sessions.first { $0.name == task.session }?.configuration.spies ?? []
        if task.policies.held.contains(.store), watched.isEmpty {
            findings.refuse(
                fields.place(of: "hold"),
                "the session `\(task.session)` does not have a spy on a store; add one such as `spy: cookies`")
        }
        if task.policies.held.contains(.response), task.kind == .download {
            findings.refuse(
                fields.place(of: "hold"), "a download does not have a response decision; make it a data task")
        }
    }

    mutating func release(_ fields: Fields) -> ScriptStep? {
        guard let index = known("release", fields) else { return nil }
        if tasks[index].held.isEmpty, tasks[index].stalled.isEmpty {
            findings.refuse(
                fields.place(of: "release"),
                "`\(tasks[index].name)` does not hold a decision; write `hold: redirect` (or challenge, or response), or `blockCallback` with a callback, where it is made"
            )
        }
        return .command(.release(tasks[index].name))
    }
}
