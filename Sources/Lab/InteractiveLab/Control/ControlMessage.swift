package import AdapterProtocol

/// A request from outside to a running lab: one JSON object per line, version 1.
///
/// `{"v":1,"do":"describe"}`, `{"v":1,"do":"watch"}`, and `{"v":1,"do":"set","change":{"wifi":"down"}}`, where the
/// change has the form of `set:` in a scenario.
package enum ControlRequest: Hashable, Sendable {
    /// The description of the lab; the reply is sent at once.
    case describe
    /// The traffic of its links and connections in a window of half a second; the reply is sent at the end of that
    /// window.
    case watch
    case set(JSONValue)

    package static let version: Int64 = 1
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
        case let other:
            throw .malformed("`do` is \(other.map { "`\($0.prefix(40))`" } ?? "missing"); write describe, watch or set")
        }
    }

    package var line: String {
        let fields = JSONObject().with("v", ControlRequest.version)
        return switch self {
        case .describe: fields.with("do", "describe").line
        case .watch: fields.with("do", "watch").line
        case .set(let change): fields.with("do", "set").with("change", change).line
        }
    }
}

/// A lab's reply, likewise one line.
package enum ControlReply: Hashable, Sendable {
    case lab(LabDescription)
    case view(LabView)
    /// The changes that were made, in words.
    case done([String])
    /// The reason why not all changes were made.
    case refused(String)

    package init(line: [UInt8]) throws(ControlError) {
        guard let fields = JSONValue.parse(line)?.object else { throw .malformed("the reply is not a JSON object") }
        guard fields["v"]?.integer == ControlRequest.version else { throw .version(fields["v"]?.line ?? "none") }
        if let reason = fields["refused"]?.text {
            self = .refused(reason)
        } else if let done = fields["done"]?.list {
            self = .done(done.compactMap(\.text))
        } else if let view = fields["view"]?.object {
            self = .view(try LabView(ControlFields(kind: "view", values: view)))
        } else if let lab = fields["lab"]?.object {
            self = .lab(try LabDescription(ControlFields(kind: "lab", values: lab)))
        } else {
            throw .malformed("the reply has none of lab, view, done and refused")
        }
    }

    package var line: String {
        let fields = JSONObject().with("v", ControlRequest.version)
        return switch self {
        case .lab(let lab): fields.with("lab", lab).line
        case .view(let view): fields.with("view", view).line
        case .done(let words): fields.with("done", words).line
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
