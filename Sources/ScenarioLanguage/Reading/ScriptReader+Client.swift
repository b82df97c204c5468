import AdapterProtocol

/// The reader of client behaviour other than decisions: supplying a stream, blocking callbacks, retaining deliveries.
extension ScriptReader {
    mutating func readStream(_ fields: Fields, _ body: BodyPlan?, into task: inout TaskDescription) {
        let supplies = fields.fields("body").flatMap { body in body.int("supplies") }
        guard body?.source == .stream else {
            if supplies != nil, let body = fields.fields("body") {
                findings.refuse(body.place(of: "supplies"), "`supplies` counts streams; write `from: stream` beside it")
            }
            if fields.has("requestBody") {
                findings.refuse(
                    fields.place(of: "requestBody"),
                    "`requestBody` stands beside a body `from: stream`; otherwise `body` is the request's own")
            }
            return
        }
        task.stream = TaskDescription.BodyStream(supplies: supplies)
        task.requestBody = fields.text("requestBody").map { Array($0.utf8) }
        if fields.boolean("completionHandler") == true {
            findings.refuse(
                fields.place(of: "completionHandler"),
                "a streamed upload has no completion-handler form (UPLD-16): only a delegate can supply it")
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
                "a completion handler takes the place of \(replaced.joined(separator: ", ")); leave that or `completionHandler: true` out"
            )
        }
        if fields.has("watchProgress") {
            findings.refuse(
                fields.place(of: "watchProgress"),
                "a task with a completion handler has no callbacks about what it receives; leave `watchProgress` or `completionHandler: true` out"
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
                "a completion handler takes the place of the response; leave `hold: response` or `completionHandler: true` out"
            )
        }
        if task.policies.held.contains(.challenge), task.policies.challenges.isEmpty {
            findings.refuse(
                fields.place(of: "hold"),
                "there is no decision to hold; write with `challenge` what it is once released")
        }
        let watched = sessions.first { $0.name == task.session }?.configuration.spies ?? []
        if task.policies.held.contains(.store), watched.isEmpty {
            findings.refuse(
                fields.place(of: "hold"),
                "the session `\(task.session)` has no spy on a store; give it one such as `spy: cookies`")
        }
        if task.policies.held.contains(.response), task.kind == .download {
            findings.refuse(fields.place(of: "hold"), "a download is not asked about the response; make it a data task")
        }
    }

    mutating func release(_ fields: Fields) -> ScriptStep? {
        guard let index = known("release", fields) else { return nil }
        if tasks[index].held.isEmpty, tasks[index].stalled.isEmpty {
            findings.refuse(
                fields.place(of: "release"),
                "`\(tasks[index].name)` holds no decision; write `hold: redirect` (or challenge, or response), or `blockCallback` with a callback, where it is made"
            )
        }
        return .command(.release(tasks[index].name))
    }
}
