import Record
import ScenarioLanguage
import AdapterProtocol

/// The expected error: none, any, or one of these.
struct ErrorExpectation: Hashable {
    private var names: [String]
    private var domain: String?
    private var code: Int?

    static let fields = [
        Field(
            "error", .oneOrMore(.word(["none", "any"] + FailureCode.allCases.map(\.name))),
            "`none`, the documented name of a URL error, a list of acceptable names, or `any` error."),
        Field("domain", .text, "The error's domain, for an error that is not a URL error."),
        Field("code", .integer(Int64(Int32.min)...Int64(Int32.max)), "The error's code in `domain`."),
    ]

    init(_ fields: Fields) throws(ScenarioError) {
        names = fields.texts("error")
        domain = fields.text("domain")
        code = fields.integer("code").map { Int(clamping: $0) }
        if domain != nil || code != nil, !names.isEmpty {
            throw fields.error("error", "`error` names URL errors; beside `domain` and `code` leave it out")
        }
        if code != nil, domain == nil {
            throw fields.error("code", "`code` needs a `domain`; add it")
        }
    }

    /// True if the check does not restrict the error.
    var isOpen: Bool { names.isEmpty && domain == nil }

    var isNone: Bool { names == ["none"] }

    /// The expectation of a client that a RST did not reach: instead of the loss of the connection it sees silence.
    var orTimeoutForConnectionLoss: ErrorExpectation {
        guard names.contains(FailureCode.networkConnectionLost.name) else { return self }
        var widened = self
        widened.names.append(FailureCode.timedOut.name)
        return widened
    }

    func matches(_ failure: Failure?, by comparison: ErrorComparison) -> Bool {
        if let domain {
            // The codes of another domain belong to one client.
            if case .classes = comparison { return failure != nil }
            return failure?.domain == domain && (code == nil || failure?.code == code)
        }
        return names.isEmpty
            || names.contains { name in
                switch name {
                case "none": failure == nil
                case "any": failure != nil
                default: FailureCode(name: name).map { comparison.accepts(failure, as: $0) } ?? false
                }
            }
    }

    /// Returns true if a timeout was expected, or found instead of the expected end.
    func concernsTimeout(_ failure: Failure?) -> Bool {
        names.contains(FailureCode.timedOut.name) != (failure?.class == .timedOut)
    }

    /// True if an error about the coding of the body is acceptable, and a success is not.
    var acceptsDecodingError: Bool {
        !names.contains("none") && names.contains { $0 == "any" || $0.hasPrefix("cannotDecode") }
    }

    /// The expectation with the classes that are enough, if they are.
    func description(by comparison: ErrorComparison) -> String {
        guard case .classes = comparison else { return description }
        var classes: [String] = []
        for case let name? in names.map({ FailureCode(name: $0)?.class.rawValue }) where !classes.contains(name) {
            classes.append(name)
        }
        return description + (classes.isEmpty ? "" : " (class \(classes.joined(separator: " or ")))")
    }

    var description: String {
        if let domain { return "error \(domain)\(code.map { " \($0)" } ?? "")" }
        switch names {
        case []: return "any end"
        case ["none"]: return "no error"
        case ["any"]: return "an error"
        default: return "error " + names.joined(separator: " or ")
        }
    }

    /// Describes a failure. `comparison` explains a class without a code where codes are compared.
    static func description(_ failure: Failure?, by comparison: ErrorComparison = .codes) -> String {
        guard let failure else { return "no error" }
        return failure.summary + comparison.remark(failure)
            + (failure.text.isEmpty ? "" : " (\(failure.text.shortened))")
    }
}

/// The way in which the error of a task is compared with the expected codes.
enum ErrorComparison: Hashable {
    /// The code must be one of the expected ones.
    case codes
    /// The class of one of the expected codes is enough.
    case classes(ErrorCircumstances)

    func accepts(_ failure: Failure?, as code: FailureCode) -> Bool {
        guard let failure else { return false }
        switch self {
        case .codes: return failure.named == code
        case .classes(let circumstances):
            let found = failure.class ?? .other
            if found == code.class { return true }
            switch code.class {
            case .lost: return found == .truncated && circumstances.hasResponse
            // A client without a notion of a network finds out by trying; that must not take time nor reach a server.
            case .offline: return [.nameResolution, .refused].contains(found) && circumstances.failedAtOnce
            case .nameResolution, .refused, .truncated, .timedOut, .tlsRejected, .malformedResponse, .cancelled, .other:
                return false
            }
        }
    }

    /// Returns the reason that a failure cannot be compared; empty if it can.
    func remark(_ failure: Failure) -> String {
        switch self {
        case .codes:
            failure.code == nil ? "; the client reports no code, and the profile urlsession compares codes" : ""
        case .classes:
            failure.class == nil ? "; the client reports neither a class nor a URL error, which counts as other" : ""
        }
    }
}

/// The facts that decide which classes stand for each other.
struct ErrorCircumstances: Hashable {
    /// A response to the task had begun, so that an early end is one of its body.
    var hasResponse: Bool
    /// The task ended soon after it was started without a network, or after it lost the network, and without a request.
    var failedAtOnce: Bool

    /// A client that tries has only local system calls to wait for: they take milliseconds. One that waits for the
    /// timeout of a look-up (5 s in resolv.conf) or of a connection is not at once.
    static let soon: Int64 = 1_000_000_000
}

extension RecordView {
    /// Returns the comparison for the end of a task.
    func errorComparison(_ task: TaskName) -> ErrorComparison {
        guard profile.comparesClasses else { return .codes }
        let mine = requests(of: task) ?? reached(by: task)
        return .classes(
            ErrorCircumstances(
                hasResponse: mine.contains { $0.status != nil },
                failedAtOnce: mine.isEmpty && failedAtOnce(task)))
    }

    private func failedAtOnce(_ task: TaskName) -> Bool {
        guard let begin = moments(of: .resume(task)).first, let end = completions(of: task).first?.moment else {
            return false
        }
        let loss = PathHistory(self).lastLoss(before: end)
        return end.time.minus(max(begin.time, loss?.time ?? .min)) < ErrorCircumstances.soon
    }
}
