import Record
import ScenarioLanguage
import AdapterProtocol

/// The response as the implementation reports it.
struct ResponseCheck: Check {
    static let key = "response"
    static let summary = "The status, headers and URL of the response that the task receives."
    static let shape = Shape.object([
        .task, .number("response"),
        Field("status", .integer(100...999), "The status code."),
        .expectedHeaders,
        Field("url", .text, "The URL of the response: whole, or from its path on."),
    ])

    private let task: TaskName
    private let number: Int
    private let status: Int?
    private let headers: HeaderExpectations
    private let url: String?

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        number = fields.number()
        status = fields.integer("status").map { Int(clamping: $0) }
        headers = try HeaderExpectations("headers", of: fields)
        url = fields.text("url")
        try fields.requireOne(of: ["status", "headers", "url"])
    }

    var neededEvents: Set<String> { [TaskEventName.didReceiveResponse.rawValue] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let responses = record.responses(of: task)
        guard number <= responses.count else {
            return mismatch(
                expected: "response \(number) of \(task)", found: counted(responses.count, "response"),
                evidence: responses.map(\.moment) + record.completions(of: task).map(\.moment))
        }
        let (response, moment) = responses[number - 1]
        var differences = headers.differences(from: response.headers)
        if let status, response.status != status {
            differences.append(("status \(status)", "status \(response.status)"))
        }
        if let url {
            let found = url.hasPrefix("/") ? ResponseCheck.fromPath(response.url) : response.url
            if found != url { differences.append((url, response.url)) }
        }
        guard !differences.isEmpty else { return [] }
        return mismatch(
            expected: "\(task)'s response: " + differences.map(\.expected).joined(separator: "; "),
            found: differences.map(\.found).joined(separator: "; "), evidence: [moment])
    }

    private static func fromPath(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }
}
