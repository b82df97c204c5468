package import AdapterProtocol

/// A request from outside to a running lab: one JSON object per line, version 1. `PROTOCOL.md` describes them.
package enum ControlRequest: Hashable, Sendable {
    /// The description of the lab; the reply is sent at once.
    case describe
    /// The traffic of its links and connections in a window of half a second; the reply is sent at the end of that
    /// window.
    case watch
    case set(JSONValue)
    /// Makes a change when a moment is reached, counted from the arrival of this request. The reply is sent at once or,
    /// if it `waits`, when the change is in force.
    case after(when: JSONValue, change: JSONValue?, waits: Bool)
    /// Replaces the faults of the lab's own origin.
    case faults([JSONValue])
    /// The requests and DNS queries that the lab's own servers have received, and the changes so far. Requests up to
    /// number `after` are omitted.
    case seen(after: Int)
    /// Restores the network, the names and the origin of the lab's start.
    case reset

    package static let version: Int64 = 1
    /// The words of `do`, which the reply to `describe` lists.
    static let words = ["describe", "watch", "set", "after", "faults", "seen", "reset"]
    /// Maximum length of a request.
    static let longestLine = 64 * 1024

    package init(line: [UInt8]) throws(ControlError) {
        guard let fields = JSONValue.parse(line)?.object else { throw .malformed("the line is not a JSON object") }
        guard fields["v"]?.integer == ControlRequest.version else {
            throw .version(fields["v"]?.line ?? "none")
        }
        switch fields["do"]?.text {
        case "describe": self = .describe
        case "watch": self = .watch
        case "set":
            guard let change = fields["change"], change.object != nil else {
                throw .malformed("`set` needs an object `change`")
            }
            self = .set(change)
        case "after":
            guard let when = fields["when"], when.object != nil else {
                throw .malformed("`after` needs an object `when`")
            }
            let change = fields["change"]
            guard change == nil || change?.object != nil else { throw .malformed("`change` is not an object") }
            let waits = fields["wait"]?.boolean ?? false
            guard change != nil || waits else { throw .malformed("`after` needs `change`, `wait` or both") }
            self = .after(when: when, change: change, waits: waits)
        case "faults":
            guard let faults = fields["faults"]?.list else { throw .malformed("`faults` needs a list `faults`") }
            self = .faults(faults)
        case "seen":
            guard let after = Int(exactly: fields["after"]?.integer ?? 0), after >= 0 else {
                throw .malformed("`after` is not the number of a request")
            }
            self = .seen(after: after)
        case "reset": self = .reset
        case let other:
            throw .malformed(
                "`do` is \(other.map { "`\($0.prefix(40))`" } ?? "missing"); write one of \(ControlRequest.words.joined(separator: ", "))"
            )
        }
    }

    package var line: String {
        let fields = JSONObject().with("v", ControlRequest.version)
        return switch self {
        case .describe: fields.with("do", "describe").line
        case .watch: fields.with("do", "watch").line
        case .set(let change): fields.with("do", "set").with("change", change).line
        case .after(let when, let change, let waits):
            fields.with("do", "after").with("when", when).with("change", change).with("wait", waits ? true : nil).line
        case .faults(let faults): fields.with("do", "faults").with("faults", faults).line
        case .seen(let after): fields.with("do", "seen").with("after", after).line
        case .reset: fields.with("do", "reset").line
        }
    }
}

/// A lab's reply, likewise one line.
package enum ControlReply: Hashable, Sendable {
    case lab(LabDescription)
    case view(LabView)
    /// The changes that were made, in words.
    case done([String])
    /// The reply to `seen`: a `LabHistory` as JSON, which libraries read.
    case seen(JSONValue)
    /// The reason why not all changes were made.
    case refused(String)

    package init(line: [UInt8]) throws(ControlError) {
        guard let fields = JSONValue.parse(line)?.object else { throw .malformed("the reply is not a JSON object") }
        guard fields["v"]?.integer == ControlRequest.version else { throw .version(fields["v"]?.line ?? "none") }
        if let reason = fields["refused"]?.text {
            self = .refused(reason)
        } else if let done = fields["done"]?.list {
            self = .done(done.compactMap(\.text))
        } else if let seen = fields["seen"], seen.object != nil {
            self = .seen(seen)
        } else if let view = fields["view"]?.object {
            self = .view(try LabView(ControlFields(kind: "view", values: view)))
        } else if let lab = fields["lab"]?.object {
            self = .lab(try LabDescription(ControlFields(kind: "lab", values: lab)))
        } else {
            throw .malformed("the reply has none of lab, view, seen, done and refused")
        }
    }

    package var line: String {
        let fields = JSONObject().with("v", ControlRequest.version)
        return switch self {
        case .lab(let lab): fields.with("lab", lab).line
        case .view(let view): fields.with("view", view).line
        case .done(let words): fields.with("done", words).line
        case .seen(let history): fields.with("seen", history).line
        case .refused(let reason): fields.with("refused", reason).line
        }
    }
}

/// The reason why a request to a running lab failed.
package enum ControlError: Error, Hashable, CustomStringConvertible {
    case malformed(String)
    case version(String)
    case noLab(String?)
    case several([LabDescription])
    case lost(String)
    /// A folder for the socket that is inaccessible to other users cannot be made.
    case noPlace(String)

    package var description: String {
        switch self {
        case .malformed(let reason): reason
        case .version(let found):
            "version \(found) of the control protocol is not supported, only \(ControlRequest.version); use the same version of crosswind at both terminals"
        case .noLab(nil): "no lab is running; start one with `crosswind shell` or `crosswind exec`, as this same user"
        case .noLab(let id?): "no lab \(id) is running; `crosswind watch --list` lists the running ones"
        case .several(let labs):
            "several labs are running; choose one with --lab:\n"
                + labs.map { "  --lab \($0.id)  \($0.program)" }.joined(separator: "\n")
        case .lost(let reason): "the lab did not reply: \(reason)"
        case .noPlace(let reason): "a private folder for its socket is missing: \(reason)"
        }
    }
}
