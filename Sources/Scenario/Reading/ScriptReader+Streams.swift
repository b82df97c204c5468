import AdapterProtocol

/// The reader of steps for stream tasks.
extension ScriptReader {
    mutating func streamTask(_ fields: Fields) -> ScriptStep? {
        let name = name(fields)
        guard let text = fields.text("stream") else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let port = parts.count == 2 ? Int(parts[1]) : nil
        guard let port, (1...65_535).contains(port), HTTPHeadSyntax.isHost(parts[0]) else {
            hideTasks()
            findings.refuse(
                fields.place(of: "stream"), "`\(text.shortened)` is no host and port; write one such as api.test:80")
            return nil
        }
        var task = TaskDescription(task: name, kind: .stream, url: "tcp://\(parts[0]):\(port)")
        task.session = session(fields)
        readChallenges(fields, into: &task)
        return add(task, body: nil, fields)
    }

    /// Returns nil if the step is not for a stream task.
    mutating func streamStep(_ fields: Fields) -> ScriptStep?? {
        guard let name = StreamAction.Name.allCases.first(where: { fields.has($0.rawValue) }) else { return nil }
        guard let index = known(name.rawValue, fields) else { return .some(nil) }
        guard tasks[index].kind == .stream else {
            findings.refuse(
                fields.place(of: name.rawValue),
                "`\(tasks[index].name)` is no stream; make it with `stream: api.test:80`")
            return .some(nil)
        }
        let action: StreamAction
        switch name {
        case .read:
            let (minimum, maximum) = sizes(name, fields)
            action = .read(minimum: minimum, maximum: maximum)
        case .captureStreams: action = .captureStreams
        case .readCaptured:
            let (minimum, maximum) = sizes(name, fields)
            action = .readCaptured(minimum: minimum, maximum: maximum)
        case .writeCaptured: action = .writeCaptured(Array((fields.text("text") ?? "").utf8))
        case .closeCaptured: action = .closeCaptured
        case .write: action = .write(Array((fields.text("text") ?? "").utf8))
        case .secure: action = .secure
        case .closeRead: action = .closeRead
        case .closeWrite: action = .closeWrite
        }
        return .stream(tasks[index].name, action)
    }

    private mutating func sizes(_ name: StreamAction.Name, _ fields: Fields) -> (minimum: Int, maximum: Int) {
        let minimum = fields.byteCount("atLeast").map { Int($0.bytes) } ?? 1
        let usual = name == .readCaptured ? max(minimum, 65_536) : 65_536
        let maximum = fields.byteCount("atMost").map { Int($0.bytes) } ?? usual
        if maximum < minimum {
            findings.refuse(
                fields.place(of: name.rawValue),
                "it reads at least \(minimum) and at most \(maximum) bytes; that cannot be")
        }
        return (minimum, maximum)
    }
}
