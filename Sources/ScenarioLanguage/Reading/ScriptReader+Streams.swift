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
                fields.place(of: "stream"), "`\(text.shortened)` is not a host and port; write one such as api.test:80")
            return nil
        }
        var task = TaskDescription(task: name, kind: .stream, url: "tcp://\(parts[0]):\(port)")
        task.session = session(fields)
        readChallenges(fields, into: &task)
        return add(task, body: nil, fields)
    }

    /// Returns the stream task that the step names.
    mutating func knownStream(_ name: StreamAction.Name, _ fields: Fields) -> TaskName? {
        guard let index = known(name.rawValue, fields) else { return nil }
        guard tasks[index].kind == .stream else {
            findings.refuse(
                fields.place(of: name.rawValue),
                "`\(tasks[index].name)` is not a stream; create it with `stream: api.test:80`")
            return nil
        }
        return tasks[index].name
    }

    func bytes(_ fields: Fields) -> [UInt8] { Array((fields.text("text") ?? "").utf8) }

    mutating func sizes(_ name: StreamAction.Name, _ fields: Fields) -> (minimum: Int, maximum: Int) {
        let minimum = fields.byteCount("atLeast").map { Int($0.bytes) } ?? 1
        let usual = name == .readCaptured ? max(minimum, 65_536) : 65_536
        let maximum = fields.byteCount("atMost").map { Int($0.bytes) } ?? usual
        if maximum < minimum {
            findings.refuse(
                fields.place(of: name.rawValue),
                "`atLeast` (\(minimum)) is more than `atMost` (\(maximum))")
        }
        return (minimum, maximum)
    }
}
