import Record
import ScenarioLanguage

/// The number of requests that reach the origin, including repeats by the implementation itself (CONN-20, CONN-23,
/// CONN-29; RFC 9110 §9.2.2).
struct RequestsCheck: Check {
    static let key = "requests"
    static let summary = "The number of requests that reach the origin; retries count."
    static let shape = Shape.object(
        Bounds.shape("requests") + [
            Field("path", .text, "Only requests for this path."),
            Field("method", .text, "Only requests with this method."),
        ])

    private let bounds: Bounds
    private let path: String?
    private let method: String?

    init(_ fields: Fields) throws(ScenarioError) {
        bounds = try Bounds(fields)
        path = fields.text("path")
        method = fields.text("method")
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let found = record.requests.filter { request in
            (path.map { request.path == $0 } ?? true) && (method.map { request.method == $0 } ?? true)
        }
        guard !bounds.contains(Int64(found.count)) else { return [] }
        let scope = [method, path].compactMap(\.self).joined(separator: " ")
        return mismatch(
            expected: bounds.description("request") + (scope.isEmpty ? "" : " (\(scope))"),
            found: counted(found.count, "request"),
            evidence: (found.isEmpty ? record.requests : found).suffix(5).map(\.moment))
    }
}
