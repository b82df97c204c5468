import TransferProtocol

/// The sessions and tasks of the daemon in words.
struct Listing {
    let lines: [String]

    init(_ sessions: [TransferListing]) {
        lines = sessions.isEmpty ? ["no background sessions"] : sessions.flatMap { Self.lines($0) }
    }

    private static func lines(_ session: TransferListing) -> [String] {
        let owner = session.process.map { "process \($0)" } ?? "no process"
        let events = session.undelivered == 0 ? "" : ", \(session.undelivered) events to deliver"
        return ["\(session.settings.identifier): \(owner)\(events)"] + session.tasks.map { "  " + line($0) }
    }

    private static func line(_ task: TransferTask) -> String {
        let counts = task.counts
        let (done, all) =
            task.kind == .upload
            ? (counts.sent, counts.expectedToSend) : (counts.received, counts.expectedToReceive)
        let amount = all > 0 ? "\(done) of \(all) bytes" : "\(done) bytes"
        return "\(task.number) \(task.kind.rawValue) \(task.state.rawValue) \(amount) \(task.request.url)"
    }
}
