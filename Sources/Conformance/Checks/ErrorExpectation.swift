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

    func matches(_ failure: Failure?) -> Bool {
        if let domain { return failure?.domain == domain && (code == nil || failure?.code == code) }
        return names.isEmpty
            || names.contains { name in
                switch name {
                case "none": failure == nil
                case "any": failure != nil
                default: failure?.named?.name == name
                }
            }
    }

    /// Returns true if a timeout was expected, or found instead of the expected end.
    func concernsTimeout(_ failure: Failure?) -> Bool {
        let name = FailureCode.timedOut.name
        return names.contains(name) != (failure?.named?.name == name)
    }

    /// True if an error about the coding of the body is acceptable, and a success is not.
    var acceptsDecodingError: Bool {
        !names.contains("none") && names.contains { $0 == "any" || $0.hasPrefix("cannotDecode") }
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

    static func description(_ failure: Failure?) -> String {
        guard let failure else { return "no error" }
        return failure.summary + (failure.text.isEmpty ? "" : " (\(failure.text.shortened))")
    }
}
