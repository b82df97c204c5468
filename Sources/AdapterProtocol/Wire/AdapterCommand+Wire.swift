/// The values of the `command` field.
package enum AdapterCommandName: String, CaseIterable, Hashable, Sendable {
    case hello, makeSession, makeTask, resume, suspend, cancel, cancelProducingResumeData, inspect, inspectCache,
        release
    case readRetained, readProperty, readSessionProperty, listTasks
    case progress, stream, invalidate, end, configure
    case restoreTask, setApplicationState, flush, reset
}

extension AdapterCommand {
    package var name: AdapterCommandName {
        switch self {
        case .hello: .hello
        case .makeSession: .makeSession
        case .makeTask: .makeTask
        case .restoreTask: .restoreTask
        case .setApplicationState: .setApplicationState
        case .resume: .resume
        case .suspend: .suspend
        case .cancel: .cancel
        case .cancelProducingResumeData: .cancelProducingResumeData
        case .inspect: .inspect
        case .release: .release
        case .readRetained: .readRetained
        case .inspectCache: .inspectCache
        case .progress: .progress
        case .stream: .stream
        case .readProperty: .readProperty
        case .readSessionProperty: .readSessionProperty
        case .listTasks: .listTasks
        case .configure: .configure
        case .invalidate: .invalidate
        case .empty(_, .flush): .flush
        case .empty(_, .reset): .reset
        case .end: .end
        }
    }

    /// The value of the `command` field.
    package var word: String { name.rawValue }

    /// Returns the command as one line, without its line end.
    package func encodedLine(sequence: UInt64) -> [UInt8] {
        var line = WireObject([
            "v": .integer(Int64(Wire.version)), "seq": .integer(Int64(sequence)), "command": .text(word),
        ])
        switch self {
        case .hello(let capabilities): line.set("capabilities", capabilities)
        case .makeSession(let name, let configuration):
            line.set("session", name.text)
            line.set("configuration", configuration.wire)
        case .makeTask(let task), .restoreTask(let task): task.put(into: &line)
        case .setApplicationState(let state): line.set("state", state.rawValue)
        case .resume(let task), .suspend(let task), .cancel(let task), .cancelProducingResumeData(let task),
            .inspect(let task), .release(let task), .readRetained(let task):
            line.set("task", task.text)
        case .inspectCache(let task, let by):
            line.set("task", task.text)
            line.set("by", by.rawValue)
        case .progress(let task, let action):
            line.set("task", task.text)
            line.set("action", action.rawValue)
        case .stream(let task, let action):
            line.set("task", task.text)
            action.put(into: &line)
        case .readProperty(let task, let property):
            line.set("task", task.text)
            line.set("property", property.rawValue)
        case .readSessionProperty(let session, let property):
            line.set("session", session.text)
            line.set("property", property.rawValue)
        case .listTasks(let session), .empty(let session, _): line.set("session", session.text)
        case .configure(let session, let object, let configuration):
            line.set("session", session.text)
            line.set("through", object.rawValue)
            line.set("configuration", configuration.wire)
        case .invalidate(let session, let cancelling):
            line.set("session", session.text)
            line.set("cancelling", cancelling)
        case .end: break
        }
        return Array(line.line.utf8)
    }

    package static func decode(line: [UInt8]) throws(WireError) -> (sequence: UInt64, command: AdapterCommand) {
        let fields = try WireFields.open(line, naming: "command")
        let sequence = UInt64(try fields.count("seq"))
        func task() throws(WireError) -> TaskName { TaskName(try fields.text("task")) }
        let command: AdapterCommand
        guard let name = AdapterCommandName(rawValue: fields.kind) else {
            throw .unknownValue(fields.kind, field: "command", allowed: AdapterCommandName.allCases.map(\.rawValue))
        }
        switch name {
        case .hello:
            var names: [String] = []
            for item in try fields.list("capabilities") {
                guard let name = item.text else {
                    throw .wrongType("capabilities", in: "hello", expected: "list of texts")
                }
                names.append(name)
            }
            command = .hello(capabilities: names)
        case .makeSession:
            command = .makeSession(
                SessionName(try fields.text("session")), try SessionConfiguration(try fields.object("configuration")))
        case .makeTask: command = .makeTask(try TaskDescription(fields))
        case .restoreTask: command = .restoreTask(try TaskDescription(fields))
        case .setApplicationState: command = .setApplicationState(try fields.word("state", ApplicationState.self))
        case .resume: command = .resume(try task())
        case .suspend: command = .suspend(try task())
        case .cancel: command = .cancel(try task())
        case .cancelProducingResumeData: command = .cancelProducingResumeData(try task())
        case .inspect: command = .inspect(try task())
        case .release: command = .release(try task())
        case .readRetained: command = .readRetained(try task())
        case .inspectCache: command = .inspectCache(try task(), by: try fields.word("by", CacheLookup.self))
        case .progress: command = .progress(try task(), try fields.word("action", ProgressAction.self))
        case .stream: command = .stream(try task(), try StreamAction(fields))
        case .readProperty: command = .readProperty(try task(), try fields.word("property", TaskProperty.self))
        case .readSessionProperty:
            command = .readSessionProperty(
                SessionName(try fields.text("session")), try fields.word("property", SessionProperty.self))
        case .listTasks: command = .listTasks(SessionName(try fields.text("session")))
        case .configure:
            command = .configure(
                SessionName(try fields.text("session")), through: try fields.word("through", ConfigurationObject.self),
                try SessionConfiguration(try fields.object("configuration")))
        case .invalidate:
            command = .invalidate(SessionName(try fields.text("session")), cancelling: try fields.boolean("cancelling"))
        case .flush: command = .empty(SessionName(try fields.text("session")), .flush)
        case .reset: command = .empty(SessionName(try fields.text("session")), .reset)
        case .end: command = .end
        }
        return (sequence, command)
    }

    /// The command in readable form, for the record.
    package var summary: String {
        switch self {
        case .hello(let capabilities): "hello, querying \(capabilities.count) capabilities"
        case .makeSession(let name, _): "makeSession \(name)"
        case .restoreTask(let task): "restoreTask \(task.task)"
        case .setApplicationState(let state): "setApplicationState \(state.rawValue)"
        case .makeTask(let task): "makeTask \(task.task): \(task.kind.rawValue) \(task.method ?? "GET") \(task.url)"
        case .resume(let task), .suspend(let task), .cancel(let task), .cancelProducingResumeData(let task),
            .inspect(let task), .release(let task), .readRetained(let task):
            "\(word) \(task)"
        case .inspectCache(let task, let by): "inspectCache \(task), by \(by.rawValue)"
        case .progress(let task, let action): "progress \(task), \(action.rawValue)"
        case .stream(let task, let action): "stream \(task), \(action.name.rawValue)"
        case .readProperty(let task, let property): "read \(property.rawValue) of \(task)"
        case .readSessionProperty(let session, let property): "read \(property.rawValue) of \(session)"
        case .listTasks(let session): "list the tasks of \(session)"
        case .configure(let session, let object, _): "configure \(session) through the \(object.rawValue) configuration"
        case .invalidate(let session, let cancelling): "invalidate \(session)\(cancelling ? ", cancelling" : "")"
        case .empty(let session, let emptying): "\(emptying.rawValue) \(session)"
        case .end: "end"
        }
    }
}
