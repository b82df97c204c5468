import AdapterProtocol
package import Scenario

extension ScriptStep {
    /// The step as one would say it, for the record.
    package var summary: String {
        switch self {
        case .task(let task, body: _, let starts):
            "\(task.kind.rawValue) \(task.url) as \(task.task)"
                + (task.resumesFrom.map { " from the resume data of \($0)" } ?? "") + (starts ? "" : ", not started")
        case .resume(let task): "start \(task)"
        case .suspend(let task): "suspend \(task)"
        case .cancel(let task): "cancel \(task)"
        case .cancelProducingResumeData(let task): "cancel \(task), producing resume data"
        case .inspect(let task): "inspect \(task)"
        case .invalidate(let session, let cancelling): "invalidate \(session)\(cancelling ? " and cancel" : "")"
        case .await(let trigger): "await \(trigger.summary)"
        case .change(let changes): "set " + changes.map(\.summary).joined(separator: ", ")
        }
    }
}

extension Trigger {
    package var summary: String {
        let moment =
            switch moment {
            case .time(let time): "\(time) after the start"
            case .event(let task, let event, let count): "\(task).\(event.rawValue)\(count > 1 ? " number \(count)" : "")"
            case .invalidated(let session): "\(session).didBecomeInvalid"
            case .request(let number): "request \(number)"
            case .responseBody(let bytes, let request): "byte \(bytes) of response \(request)"
            case .connection(let number): "connection \(number)"
            case .query(let host, let count): "query \(count) for \(host)"
            case .packet(let interface, let direction, let count): "packet \(count) \(direction.rawValue) on \(interface.rawValue)"
            }
        return moment + (delay.map { " and \($0) more" } ?? "")
    }
}

extension NetworkChange {
    package var summary: String {
        switch self {
        case .interfaceState(let kind, let state): "\(kind.rawValue) \(state.rawValue)"
        case .link(let kind, let link): "\(kind.rawValue) \(link.name)"
        case .name(let rule): "name \(rule.host) → \(rule.answer.summary)"
        }
    }
}

extension NameRule.Answer {
    package var summary: String {
        switch self {
        case .origin: "origin"
        case .addresses(let list): list.joined(separator: " ")
        case .nxdomain: "nxdomain"
        case .servfail: "servfail"
        case .refused: "refused"
        case .silent: "silent"
        }
    }
}

extension Condition {
    /// `12Mbit/s, 35 ms ± 5 ms, loss 2%`, as asked.
    package var summary: String {
        effects.isEmpty ? "perfect" : effects.map(\.summary).joined(separator: ", ")
    }
}

extension LinkEffect {
    package var summary: String {
        switch self {
        case .rate(let rate): "\(rate)"
        case .delay(let delay, let jitter):
            "delay \(milliseconds(delay))"
                + (jitter.map { " ± \(milliseconds($0.amount)) \($0.distribution.rawValue)\($0.allowsReordering ? " reordering" : "")" } ?? "")
        case .loss(.independent(let share)): "loss \(share)"
        case .loss(.gilbertElliott(let p, let r, let bad, let good)): "loss in bursts p \(p) r \(r) (\(bad) in bad, \(good) in good)"
        case .loss(.packets(let list)): "loss of packets \(list.map(String.init).joined(separator: " "))"
        case .duplicate(let share): "duplicate \(share)"
        case .reorder(let share): "reorder \(share)"
        case .corrupt(let share): "corrupt \(share)"
        case .queue(let bytes, let packets):
            "queue" + (bytes.map { " \($0)" } ?? "") + (packets.map { " \($0) packets" } ?? "")
        case .mtu(let bytes): "mtu \(bytes)"
        case .outages(let every, let lasting): "out for \(milliseconds(lasting)) every \(milliseconds(every))"
        }
    }
}

private func milliseconds(_ duration: Duration) -> String {
    let value = Double(duration.nanoseconds) / 1e6
    return value == value.rounded() ? "\(Int(value)) ms" : "\(value) ms"
}
