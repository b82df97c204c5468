import AdapterProtocol

/// The kind of source that an expectation rests on, and so the clients that it is meant for.
package enum Basis: String, CaseIterable, Hashable, Sendable {
    /// An RFC: holds for every HTTP client.
    case rfc
    /// The Fetch standard, where the RFC leaves a choice.
    case fetch
    /// The documentation of URLSession.
    case urlsession
    /// A choice that clients make differently.
    case policy

    /// The first of these in the order of the cases: the basis under which a run is counted.
    package static func main(of bases: Set<Basis>) -> Basis? { allCases.first(where: bases.contains) }
}

/// The expectations that a run asks of a client, and the way in which errors are compared (`--profile`).
package enum ClientProfile: String, CaseIterable, Hashable, Sendable {
    /// Expectations that rest on an RFC; errors are compared by their class.
    case httpClient = "http-client"
    /// Those of the Fetch standard as well.
    case browser
    /// Every expectation; errors are compared by the codes of URLSession.
    case urlsession

    package func asks(_ basis: Basis) -> Bool {
        switch self {
        case .httpClient: basis == .rfc
        case .browser: basis == .rfc || basis == .fetch
        case .urlsession: true
        }
    }

    /// Returns true for a scenario with these bases. One that claims nothing is asked of every client.
    package func asks(anyOf bases: Set<Basis>) -> Bool { bases.isEmpty || bases.contains(where: asks) }

    /// True if the class of an error is enough.
    package var comparesClasses: Bool { self != .urlsession }
}

/// A check that was left out, with the reason. It neither passes nor fails.
package struct NotJudged: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The client does not report these events.
        case unreported([String])
        /// The profile does not ask for expectations of this basis.
        case outside(ClientProfile, Basis)
    }

    package var check: String
    /// Line of the scenario file.
    package var line: Int
    package var reason: Reason
    package init(check: String, line: Int, reason: Reason) {
        self.check = check
        self.line = line
        self.reason = reason
    }

    package var summary: String {
        switch reason {
        case .unreported(let events): "the client does not report \(events.joined(separator: ", "))"
        case .outside(let profile, let basis):
            "its basis is \(basis.rawValue), which the profile \(profile.rawValue) does not ask for"
        }
    }
}

extension NotJudged {
    var object: RecordObject {
        let line = RecordObject("notJudged").with("check", check).with("line", line)
        return switch reason {
        case .unreported(let events): line.with("events", events)
        case .outside(let profile, let basis):
            line.with("profile", profile.rawValue).with("basis", basis.rawValue)
        }
    }

    init(_ fields: RecordFields) throws(RecordError) {
        check = try fields.text("check")
        line = try fields.whole("line")
        reason =
            fields.has("events")
            ? .unreported(try fields.texts("events")) : .outside(try fields.word("profile"), try fields.word("basis"))
    }
}
