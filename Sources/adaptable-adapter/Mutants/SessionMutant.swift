@_spi(Mutants) import AdaptableSession
import AdapterProtocol
import AdapterSupport

/// A session with one deliberate defect: one policy value differs from the correct session's, or it does or reports
/// something else than it should. The suite must detect it with a scenario that proves the broken requirement.
struct SessionMutant: Sendable {
    var name: String
    /// The ids of the broken requirements.
    var breaks: [String]
    /// The defect, as a phrase.
    var what: String
    var change: @Sendable (inout SessionPolicies) -> Void
    var interception = Interception()

    init(_ name: String, breaks: [String], _ what: String, change: @escaping @Sendable (inout SessionPolicies) -> Void)
    {
        self.name = name
        self.breaks = breaks
        self.what = what
        self.change = change
    }

    init(_ name: String, breaks: [String], _ what: String, _ interception: Interception) {
        self.init(name, breaks: breaks, what) { _ in }
        self.interception = interception
    }

    static let all =
        waiting + timing + retrying + pooling + telling + callingBack + resuming + redirecting + authenticating
        + cookies + caching + decoding
        + handling + serving + acting + reporting + measuring

    /// The mutant as one JSON object, as `crosswind mutants` reads it.
    var line: String {
        JSONObject().with("name", name).with("breaks", breaks).with("what", what).line
    }
}
