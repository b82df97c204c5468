import AdapterProtocol

/// An event of the adapter's process.
package enum AdapterFact: Hashable, Sendable {
    case started(pid: Int32, command: String)
    case standardError(String)
    /// A line that violates the protocol, with a description of the error.
    case violation(String, line: String)
    /// The harness ended the adapter; the details give the reason.
    case killed(Labelled<KillReason>)
    case exited(code: Int32)
    case signalled(Int32)
    /// The unfinished last line, if any.
    case truncatedOutput(String)
    /// The peak memory of the process so far, in bytes.
    case memory(peak: Int64)
    /// The files in the adapter's private folder at the end, except those created by the harness; paths within the
    /// folder, sorted.
    case leftFiles([String])
    /// A change of the adapter's process that a step asked for. Processes count from 1.
    case process(generation: Int, Labelled<ProcessChange>)
    /// The command that the lab registers for launching the app was run, with these arguments.
    case relaunchRequested(arguments: [String])
    /// The program whose process held the client's end of a connection when the origin accepted it.
    case connectionOwner(connection: Int, ConnectionOwner)
}

/// A change of the adapter's process, or of the daemons that it started.
package enum ProcessChange: String, CaseIterable, Hashable, Sendable {
    case launched, terminated, killed, suspended, continued, ended
    case daemonsSignalled = "daemons signalled"
}

/// The program that opened a connection.
package enum ConnectionOwner: String, CaseIterable, Hashable, Sendable {
    /// A process of the adapter's process group.
    case app
    /// Another process that the adapter started, which outlives it.
    case daemon
    /// The socket was closed already, or a translator or proxy lies between.
    case unknown
}

/// The reason that the harness ended an adapter.
package enum KillReason: String, CaseIterable, Hashable, Sendable {
    /// The scenario's timeout has expired.
    case limit = "timeout"
    /// More requests, connections or events than a correct implementation produces.
    case flood
    case violation
    /// It still ran some time after `end`, which is not a failure: a client may have work in a system library that it
    /// cannot interrupt.
    case stays = "still running"
}

extension AdapterFact {
    var object: RecordObject {
        switch self {
        case .started(let pid, let command):
            RecordObject("adapterStarted").with("pid", pid).with("command", command)
        case .standardError(let text): RecordObject("standardError").with("text", text)
        case .violation(let text, let line): RecordObject("violation").with("text", text).with("line", line)
        case .killed(let reason): RecordObject("killed").with("reason", reason.text)
        case .exited(let code): RecordObject("exited").with("code", code)
        case .signalled(let number): RecordObject("signalled").with("signal", number)
        case .truncatedOutput(let text): RecordObject("truncatedOutput").with("text", text)
        case .memory(let peak): RecordObject("memory").with("peak", peak)
        case .leftFiles(let names): RecordObject("filesLeft").with("files", names)
        case .process(let generation, let change):
            RecordObject("process").with("generation", generation).with("change", change.text)
        case .relaunchRequested(let arguments): RecordObject("relaunchRequested").with("arguments", arguments)
        case .connectionOwner(let connection, let owner):
            RecordObject("connectionOwner").with("connection", connection).with("owner", owner.rawValue)
        }
    }

    /// Returns nil if the kind is not an adapter fact.
    init?(_ fields: RecordFields) throws(RecordError) {
        switch fields.kind {
        case "adapterStarted": self = .started(pid: try fields.whole("pid"), command: try fields.text("command"))
        case "standardError": self = .standardError(try fields.text("text"))
        case "violation": self = .violation(try fields.text("text"), line: try fields.text("line"))
        case "killed": self = .killed(Labelled(text: try fields.text("reason")))
        case "exited": self = .exited(code: try fields.whole("code"))
        case "signalled": self = .signalled(try fields.whole("signal"))
        case "truncatedOutput", "lastWords": self = .truncatedOutput(try fields.text("text"))
        case "memory": self = .memory(peak: try fields.integer("peak"))
        case "filesLeft": self = .leftFiles(try fields.texts("files"))
        case "process":
            self = .process(
                generation: try fields.whole("generation"), Labelled(text: try fields.text("change")))
        case "relaunchRequested": self = .relaunchRequested(arguments: try fields.texts("arguments"))
        case "connectionOwner":
            self = .connectionOwner(connection: try fields.whole("connection"), try fields.word("owner"))
        default: return nil
        }
    }
}

extension AdapterFact {
    /// A readable description of the fact.
    package var summary: String {
        switch self {
        case .started(let pid, let command): "started as process \(pid): \(command)"
        case .standardError(let text): "writes to standard error: \(text)"
        case .violation(let what, let line): "breaks the protocol: \(what): \(line)"
        case .killed(let reason): "ended by the harness: \(reason.text)"
        case .exited(let code): "exits with status \(code)"
        case .signalled(let signal): "ended by \(Self.signalText(signal))"
        case .truncatedOutput(let text): "leaves an unfinished line: \(text)"
        case .leftFiles(let names):
            names.isEmpty ? "has not left any file" : "has left \(names.joined(separator: ", "))"
        case .process(let generation, let change): "process \(generation): \(change.text)"
        case .relaunchRequested(let arguments):
            "the launch command was run" + (arguments.isEmpty ? "" : " with \(arguments.joined(separator: " "))")
        case .connectionOwner(let connection, let owner): "connection \(connection) belongs to: \(owner.rawValue)"
        case .memory(let peak): "has held at most \(peak / 1024) KiB of memory so far"
        }
    }

    /// Returns the name of a signal that indicates a crash; the numbers are those of Linux on x86 and Arm.
    private static func signalText(_ signal: Int32) -> String {
        let name: String? =
            switch signal {
            case 4: "illegal instruction"
            case 5: "trap"
            case 6: "abort"
            case 7: "bus error"
            case 8: "arithmetic error"
            case 9: "kill"
            case 11: "segmentation fault"
            case 13: "broken pipe"
            case 15: "termination"
            case _: nil
            }
        return "signal \(signal)" + (name.map { " (\($0))" } ?? "")
    }
}
