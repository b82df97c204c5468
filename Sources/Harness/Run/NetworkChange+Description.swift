import AdapterProtocol
package import Scenario

extension ScriptStep {
    /// A description of the step for the record.
    package var summary: String {
        switch self {
        case .task(let task, body: _, let starts):
            "\(task.kind.rawValue) \(task.url) as \(task.task)"
                + (task.resumesFrom.map { " from the resume data of \($0)" } ?? "") + (starts ? "" : ", suspended")
        case .command(.cancelProducingResumeData(let task)): "cancel \(task), producing resume data"
        case .command(.readRetained(let task)): "read what \(task) retained"
        case .command(.inspectCache(let task, let by)): "inspect the cache for \(task), by \(by.rawValue)"
        case .command(.invalidate(let session, true)): "invalidate \(session) and cancel"
        case .command(let command): command.summary
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
            case .event(let task, let event, let count):
                "\(task).\(event.rawValue)\(count > 1 ? " number \(count)" : "")"
            case .invalidated(let session): "\(session).didBecomeInvalid"
            case .delegateReleased(let session): "\(session).delegateReleased"
            case .request(let number): "request \(number)"
            case .responseBody(let bytes, let request): "byte \(bytes) of response \(request)"
            case .acknowledged(let bytes, let request): "byte \(bytes) of response \(request) acknowledged"
            case .server(let moment):
                "\(moment.count > 1 ? "\(moment.count) times " : "")\(moment.event.rawValue)"
                    + (moment.request.map { " of request \($0)" } ?? "")
                    + (moment.connection.map { " of connection \($0)" } ?? "")
            case .connection(let number): "connection \(number)"
            case .proxy(let moment): moment.summary
            case .query(let host, let count): "query \(count) for \(host)"
            case .packet(let interface, let direction, let count):
                "packet \(count) \(direction.rawValue) on \(interface.rawValue)"
            case .wireBytes(let interface, let direction, let bytes, let connection):
                "byte \(bytes) \(direction.rawValue) on \(interface.rawValue)"
                    + (connection.map { " of its connection \($0)" } ?? "")
            }
        return moment + (delay.map { " and \($0) more" } ?? "")
    }
}

extension NetworkChange {
    package var summary: String {
        switch self {
        case .interfaceState(let kind, let state): "\(kind.rawValue) \(state.rawValue)"
        case .link(let kind, let link): "\(kind.rawValue) \(link.name)"
        case .name(let rule): "name \(rule.summary)"
        case .proxy(let change): change.summary
        case .renumber(let kind): "\(kind.rawValue) renumbered"
        case .cost(let kind, let breakpoints):
            "\(kind.rawValue) marked \(breakpoints.description.isEmpty ? "as neither expensive nor constrained" : breakpoints.description)"
        case .connections(let cut): cut.summary
        case .flaps(let kind, let flaps):
            "\(kind.rawValue) flaps \(flaps.times) times, down \(milliseconds(flaps.downFor)), up \(milliseconds(flaps.upFor))"
        }
    }
}

extension Condition {
    /// A description of the requested condition: `12Mbit/s, 35 ms ± 5 ms, loss 2%`.
    package var summary: String {
        effects.isEmpty ? "perfect" : effects.map(\.summary).joined(separator: ", ")
    }
}

extension LinkEffect {
    package var summary: String {
        switch self {
        case .rate(.constant(let rate)): "\(rate)"
        case .rate(.bucket(let rate, let burst)): "\(rate) with bursts of \(burst)"
        case .rate(.trace(let trace)): "trace \(trace.name) (mean \(Int(trace.meanRate / 1000)) kbit/s)"
        case .promotion(let wait, let idle): "\(milliseconds(wait)) from idle after \(milliseconds(idle))"
        case .delay(let delay, let jitter): "delay \(milliseconds(delay))" + (jitter.map { " ± \($0.summary)" } ?? "")
        case .loss(.independent(let share)): "loss \(share)"
        case .loss(.gilbertElliott(let p, let r, let bad, let good)):
            "loss in bursts p \(p) r \(r) (\(bad) in bad, \(good) in good)"
        case .loss(.fourState(let p13, let p31, let p32, let p23, let p14)):
            "loss in states p13 \(p13) p31 \(p31) p32 \(p32) p23 \(p23) p14 \(p14)"
        case .loss(.packets(let list)): "loss of packets \(list.map(String.init).joined(separator: " "))"
        case .duplicate(let share): "duplicate \(share)"
        case .reorder(let share): "reorder \(share)"
        case .corrupt(let share): "corrupt \(share)"
        case .queue(let queue): queue.summary
        case .mtu(let bytes, isAnnounced: true): "mtu \(bytes)"
        case .mtu(let bytes, isAnnounced: false): "mtu \(bytes) unannounced (black hole)"
        case .outages(.periodic(let every, let lasting)):
            "out for \(milliseconds(lasting)) every \(milliseconds(every))"
        case .outages(.windows(let windows)):
            "out "
                + windows.map { "at \(milliseconds($0.from)) for \(milliseconds($0.lasting))" }.joined(separator: ", ")
        case .filter(let rules): rules.map(\.summary).joined(separator: ", ")
        }
    }
}

extension LinkEffect.Jitter {
    fileprivate var summary: String {
        let shape =
            switch distribution {
            case .uniform: "uniform"
            case .normal: "normal"
            case .pareto: "pareto"
            case .table(let quantiles): "by a table of \(quantiles.count) quantiles"
            }
        return "\(milliseconds(amount)) \(shape)\(allowsReordering ? " reordering" : "")"
    }
}

extension LinkEffect.Queue {
    fileprivate var summary: String {
        let name =
            switch discipline {
            case .dropTail: "queue"
            case .headDrop: "head-drop queue"
            case .codel(let target, let interval): "CoDel \(milliseconds(target)) over \(milliseconds(interval))"
            }
        return name + (bytes.map { " \($0)" } ?? "") + (packets.map { " \($0) packets" } ?? "")
    }
}

extension PacketRule {
    package var summary: String {
        var words: [String] =
            switch action {
            case .drop: ["drops"]
            case .refuse: ["refuses"]
            case .unreachable(let what): ["answers \(what.rawValue) unreachable to"]
            }
        words.append(share == .certain ? "all" : "\(share) of all")
        if let first { words.append("of the first \(first)") }
        words.append(kind?.rawValue ?? "packets")
        if let longerThan { words.append("longer than \(longerThan)") }
        if let connection { words.append("of connection \(connection)") }
        if let host { words.append("with \(host)") }
        if let port { words.append("port \(port)") }
        return words.joined(separator: " ")
    }
}

extension ConnectionKillPlan {
    package var summary: String {
        let which = connection.map { "connection \($0)" } ?? "all connections"
        return switch manner {
        case .silently: "\(which) over \(interface.rawValue) die silently"
        case .reset(let sides): "\(which) over \(interface.rawValue) reset to \(sides.rawValue)"
        }
    }
}

private func milliseconds(_ duration: Duration) -> String {
    let value = Double(duration.nanoseconds) / 1e6
    return value == value.rounded() ? "\(Int(value)) ms" : "\(value) ms"
}
