import Record
import AdapterProtocol
import LinkEmulator

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
        case .app(let action): "app \(action.rawValue)"
        case .launch(let app): "app launch \(app)"
        case .daemon(let action): "daemon \(action.rawValue)"
        case .change(let changes): "set " + changes.map(\.summary).joined(separator: ", ")
        }
    }
}

extension Trigger {
    package var summary: String {
        let moment =
            switch moment {
            case .sinceStart(let time): "\(time) after the start"
            case .event(let task, let event, let count):
                "\(task).\(event.rawValue)\(count > 1 ? " number \(count)" : "")"
            case .sessionEvent(let session, let event, let count):
                "\(session).\(event.rawValue)\(count > 1 ? " number \(count)" : "")"
            case .relaunch(let number): "relaunch \(number)"
            case .request(let number): "request \(number)"
            case .responseSent(let bytes, let request): "byte \(bytes) of response \(request)"
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
        case .faults(let faults): "origin: \(ProxyChange.summary(ofFaults: faults.count))"
        case .renumber(let kind): "\(kind.rawValue) renumbered"
        case .cost(let kind, let breakpoints):
            "\(kind.rawValue) marked \(breakpoints.description.isEmpty ? "as neither expensive nor constrained" : breakpoints.description)"
        case .connections(let cut): cut.summary
        case .program(.state(let state)): "program \(state.rawValue)"
        case .program(.clock(let offset)): "wall clock \(ClockPlan.summary(ofOffset: offset))"
        case .power(let change):
            ([change.isExternal.map { $0 ? "external power" : "battery power" }]
                + [change.battery.map { "battery \($0)%" }]).compactMap(\.self).joined(separator: ", ")
        case .disk(let state): "disk \(state.rawValue)"
        case .flaps(let kind, let flaps):
            "\(kind.rawValue) flaps \(flaps.times) times, down \(milliseconds(flaps.downFor)), up \(milliseconds(flaps.upFor))"
        }
    }
}

extension ConnectionKillPlan {
    package var summary: String {
        let which = connection.map { "connection \($0)" } ?? "all connections"
        return switch manner {
        case .silently: "\(which) over \(interface.rawValue) dropped silently"
        case .reset(let sides): "\(which) over \(interface.rawValue) reset to \(sides.rawValue)"
        }
    }
}

private func milliseconds(_ duration: Duration) -> String {
    let value = Double(duration.nanoseconds) / 1e6
    return value == value.rounded() ? "\(Int(value)) ms" : "\(value) ms"
}
