package import AdapterProtocol

/// What is asked of a running lab from outside: one JSON object a line, version 1.
///
/// `{"v":1,"do":"describe"}`, `{"v":1,"do":"watch"}`, and `{"v":1,"do":"set","change":{"wifi":"down"}}`, where the change is what stands
/// under `set:` in a scenario.
package enum ControlRequest: Hashable, Sendable {
    /// Which lab this is; answered at once.
    case describe
    /// What its links and connections did in the last half second; answered when that half second is over.
    case watch
    case set(JSONValue)

    package static let version: Int64 = 1
    /// A longer line is no request.
    static let longestLine = 64 * 1024

    package init(line: [UInt8]) throws(ControlError) {
        guard let fields = JSONValue.parse(line)?.object else { throw .malformed("the line is no JSON object") }
        guard fields["v"]?.integer == ControlRequest.version else {
            throw .version(fields["v"]?.line ?? "none")
        }
        switch fields["do"]?.text {
        case "describe": self = .describe
        case "watch": self = .watch
        case "set":
            guard let change = fields["change"], change.object != nil else { throw .malformed("`set` needs an object `change`") }
            self = .set(change)
        case let other:
            throw .malformed("`do` is \(other.map { "`\($0.prefix(40))`" } ?? "missing"); it is describe, watch or set")
        }
    }

    package var line: String {
        var fields: [String: JSONValue] = ["v": .integer(ControlRequest.version)]
        switch self {
        case .describe: fields["do"] = .text("describe")
        case .watch: fields["do"] = .text("watch")
        case .set(let change):
            fields["do"] = .text("set")
            fields["change"] = change
        }
        return JSONValue.object(fields).line
    }
}

/// A lab's answer, likewise one line.
package enum ControlReply: Hashable, Sendable {
    case lab(LabDescription)
    case view(LabView)
    /// What was changed, in words.
    case done([String])
    /// Nothing was changed, or not all of it, and why.
    case refused(String)

    package init(line: [UInt8]) throws(ControlError) {
        guard let fields = JSONValue.parse(line)?.object else { throw .malformed("the answer is no JSON object") }
        guard fields["v"]?.integer == ControlRequest.version else { throw .version(fields["v"]?.line ?? "none") }
        if let reason = fields["refused"]?.text {
            self = .refused(reason)
        } else if let done = fields["done"]?.list {
            self = .done(done.compactMap(\.text))
        } else if let view = fields["view"]?.object {
            self = .view(try LabView(view))
        } else if let lab = fields["lab"]?.object {
            self = .lab(try LabDescription(lab))
        } else {
            throw .malformed("the answer has neither lab, view, done nor refused")
        }
    }

    package var line: String {
        var fields: [String: JSONValue] = ["v": .integer(ControlRequest.version)]
        switch self {
        case .lab(let lab): fields["lab"] = .object(lab.fields)
        case .view(let view): fields["view"] = .object(view.fields)
        case .done(let words): fields["done"] = .list(words.map { .text($0) })
        case .refused(let reason): fields["refused"] = .text(reason)
        }
        return JSONValue.object(fields).line
    }
}

/// Why a running lab cannot be asked.
package enum ControlError: Error, Hashable, CustomStringConvertible {
    case malformed(String)
    case version(String)
    case noLab(String?)
    case several([LabDescription])
    case lost(String)
    /// There is no place for a socket that others cannot reach.
    case noPlace(String)

    package var description: String {
        switch self {
        case .malformed(let reason): reason
        case .version(let found):
            "version \(found) of the control protocol is not spoken here, only \(ControlRequest.version); use the same crosswind on both sides"
        case .noLab(nil): "no lab is running; start one with `crosswind shell` or `crosswind exec`, as this same user"
        case .noLab(let id?): "no lab \(id) is running; `crosswind watch --list` shows those that are"
        case .several(let labs):
            "several labs are running; choose one with --lab:\n"
                + labs.map { "  --lab \($0.id)  \($0.program)" }.joined(separator: "\n")
        case .lost(let reason): "the lab did not answer: \(reason)"
        case .noPlace(let reason): "its socket has no safe place: \(reason)"
        }
    }
}
