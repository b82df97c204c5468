import Record
import ScenarioLanguage
import AdapterProtocol

/// The redirects that the implementation passes to its delegate (REDR-03, REDR-04, REDR-05).
struct RedirectCheck: Check {
    static let key = "redirect"
    static let summary = "The k-th redirect that the task's delegate receives, and their number."
    static let shape = Shape.object(
        [
            .task, .number("redirect"),
            Field("status", .integer(300...399), "The status of the redirect response."),
            Field("url", .text, "The URL of the new request."),
            Field("method", .text, "The method of the new request."),
        ] + Bounds.shape("redirects of the task"))

    private let task: TaskName
    private let number: Int
    private let status: Int64?
    private let url: String?
    private let method: String?
    private let bounds: Bounds?
    private let isForSingle: Bool

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        number = fields.number()
        status = fields.integer("status")
        url = fields.text("url")
        method = fields.text("method")
        bounds = try Bounds(ifGiven: fields)
        let details = ["number", "status", "url", "method"]
        isForSingle = details.contains(where: fields.has)
        try fields.requireOne(of: details + ["count", "atLeast", "atMost"])
    }

    var neededEvents: Set<String> { [TaskEventName.willPerformRedirect.rawValue] }
    var needs: Set<Capability> { isForSingle || bounds?.contains(0) == false ? [.redirectDecision] : [] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let redirects = record.occurrences(of: task, .willPerformRedirect)
        if let bounds, !bounds.contains(Int64(redirects.count)) {
            return mismatch(
                expected: "\(bounds.description("redirect")) of \(task)", found: "\(redirects.count)",
                evidence: redirects.suffix(5).map(\.moment))
        }
        guard isForSingle else { return [] }
        guard number <= redirects.count,
            case .willPerformRedirect(let code, let target, let verb) = redirects[number - 1].event
        else {
            return mismatch(
                expected: "redirect \(number) of \(task)", found: counted(redirects.count, "redirect"),
                evidence: redirects.map(\.moment) + record.completions(of: task).map(\.moment))
        }
        let compared: [(String, String?, String)] = [
            ("status", status.map { "\($0)" }, "\(code)"), ("url", url, target), ("method", method, verb),
        ]
        let differences = compared.filter { $0.1 != nil && $0.1 != $0.2 }
        guard !differences.isEmpty else { return [] }
        return mismatch(
            expected: "redirect \(number) of \(task): "
                + differences.map { "\($0.0) \($0.1 ?? "")" }.joined(separator: ", "),
            found: differences.map { "\($0.0) \($0.2)" }.joined(separator: ", "),
            evidence: [redirects[number - 1].moment])
    }
}
