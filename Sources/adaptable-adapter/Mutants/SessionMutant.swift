import AdaptableSession

/// A session that decides one thing wrongly: a right one in which one policy value is replaced. The suite must catch it by a scenario
/// that proves what it breaks.
struct SessionMutant: Sendable {
    var name: String
    /// Requirement ids.
    var breaks: [String]
    /// What it does wrong, as a phrase.
    var what: String
    var change: @Sendable (inout SessionPolicies) -> Void

    init(_ name: String, breaks: [String], _ what: String, change: @escaping @Sendable (inout SessionPolicies) -> Void)
    {
        self.name = name
        self.breaks = breaks
        self.what = what
        self.change = change
    }

    static let all =
        waiting + timing + retrying + pooling + telling + callingBack + resuming + redirecting + authenticating
        + cookies + caching + decoding
        + handling + serving

    /// One JSON object, as `crosswind mutants` reads it.
    var line: String {
        let ids = breaks.map { "\"\($0)\"" }.joined(separator: ",")
        return "{\"name\":\"\(name)\",\"breaks\":[\(ids)],\"what\":\"\(what)\"}"
    }
}
