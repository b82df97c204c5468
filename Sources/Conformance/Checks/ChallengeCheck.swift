import Record
import ScenarioLanguage
import AdapterProtocol

/// The challenges that the implementation passes to its delegate, and their number (AUTH-01, AUTH-05).
struct ChallengeCheck: Check {
    static let key = "challenge"
    static let summary = """
        The task's k-th authentication challenge, and the number of its challenges; challenges for the server's certificate count only \
        if `method` is serverTrust.
        """
    private static let trust = "serverTrust"
    static let shape = Shape.object(
        [
            .task, .number("challenge"),
            Field(
                "method", .text,
                "serverTrust, clientCertificate, httpBasic, httpDigest or the implementation's own word."),
            Field(
                "level", .word(["task", "session"]), "The level of the delegate method that is called: session or task."
            ),
            Field(
                "previousFailureCount", .integer(0...1_000_000),
                "previousFailureCount: how often credentials were rejected before."),
            Field("realm", .text, "The protection space's realm."),
            Field("host", .text, "The protection space's host."),
            Field("proxy", .boolean, "True: the protection space belongs to a proxy."),
            Field("onlyLevel", .word(["session", "task"]), "All challenges of the task, if any, are on this level."),
        ] + Bounds.shape("challenges of the task"))

    private let task: TaskName
    private let number: Int
    private let method: String?
    private let level: TaskEvent.Challenge.Level?
    private let failures: Int64?
    private let realm: String?
    private let host: String?
    private let isProxy: Bool?
    private let bounds: Bounds?
    private let onlyLevel: TaskEvent.Challenge.Level?
    private let isForSingle: Bool

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        number = fields.number()
        method = fields.text("method")
        level = fields.text("level").flatMap(TaskEvent.Challenge.Level.init)
        failures = fields.integer("previousFailureCount")
        realm = fields.text("realm")
        host = fields.text("host")
        isProxy = fields.boolean("proxy")
        bounds = try Bounds(ifGiven: fields)
        onlyLevel = fields.text("onlyLevel").flatMap(TaskEvent.Challenge.Level.init)
        let details = ["number", "method", "level", "previousFailureCount", "realm", "host", "proxy"]
        isForSingle = details.contains(where: fields.has)
        try fields.requireOne(of: details + ["count", "atLeast", "atMost", "onlyLevel"])
    }

    var neededEvents: Set<String> { [TaskEventName.didReceiveChallenge.rawValue] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let all = record.events(of: task).compactMap { occurrence in
            if case .didReceiveChallenge(let challenge) = occurrence.event {
                (challenge, occurrence.moment)
            } else {
                nil
            }
        }
        // A session is free to call the delegate for the server's certificate, unless the scenario is about that.
        let challenges = method == ChallengeCheck.trust ? all : all.filter { $0.0.method != ChallengeCheck.trust }
        if let bounds, !bounds.contains(Int64(challenges.count)) {
            return mismatch(
                expected: "\(bounds.description("challenge")) of \(task)", found: "\(challenges.count)",
                evidence: challenges.suffix(5).map(\.1))
        }
        if let onlyLevel, let other = challenges.first(where: { $0.0.level != onlyLevel }) {
            return mismatch(
                expected: "challenges of \(task) on the \(onlyLevel.rawValue) level only",
                found: "one on the \(other.0.level.rawValue) level",
                evidence: [other.1])
        }
        guard isForSingle else { return [] }
        guard number <= challenges.count else {
            return mismatch(
                expected: "challenge \(number) of \(task)", found: counted(challenges.count, "challenge"),
                evidence: challenges.map(\.1) + record.completions(of: task).map(\.moment))
        }
        let (challenge, moment) = challenges[number - 1]
        let compared: [(String, String?, String)] = [
            ("method", method, challenge.method), ("level", level?.rawValue, challenge.level.rawValue),
            ("previousFailureCount", failures.map { "\($0)" }, "\(challenge.previousFailureCount)"),
            ("realm", realm, challenge.realm ?? "none"), ("host", host, challenge.host),
            ("proxy", isProxy.map { "\($0)" }, challenge.isProxy.map { "\($0)" } ?? "unsaid"),
        ]
        let differences = compared.filter { $0.1 != nil && $0.1 != $0.2 }
        guard !differences.isEmpty else { return [] }
        return mismatch(
            expected: "challenge \(number) of \(task): "
                + differences.map { "\($0.0) \($0.1 ?? "")" }.joined(separator: ", "),
            found: differences.map { "\($0.0) \($0.2)" }.joined(separator: ", "), evidence: [moment])
    }
}
