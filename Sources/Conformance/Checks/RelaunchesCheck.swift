import Record
import ScenarioLanguage
import AdapterProtocol

/// The launches of the app that the service of background transfers asked for (BKGD-22, BKGD-23, BKGD-24, BKGD-33).
struct RelaunchesCheck: Check {
    static let key = "relaunches"
    static let basis: Basis? = .urlsession
    static let summary = "The number of times that the launch command was run, its arguments and its pace."
    static let shape = Shape.object(
        Bounds.shape("launches") + [
            Field("argument", .text, "Every launch has this argument, such as the identifier of the session."),
            Field("apart", .duration, "The shortest acceptable time between two launches."),
        ])

    private let bounds: Bounds
    private let argument: String?
    private let apart: Duration?

    init(_ fields: Fields) throws(ScenarioError) {
        bounds = try Bounds(fields)
        argument = fields.text("argument")
        apart = fields.duration("apart")
    }

    /// Only adapters can ask for a launch.
    var neededEvents: Set<String> { Self.eventsOfEveryAdapter }

    var needs: Set<Capability> { [.backgroundSession] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let launches = record.adapter.compactMap { fact, moment in
            if case .relaunchRequested(let arguments) = fact { (arguments: arguments, moment: moment) } else { nil }
        }
        var found = mismatch(
            launches.map(\.moment), outside: bounds, expected: bounds.description("launch", plural: "launches"))
        if let argument, let wrong = launches.first(where: { !$0.arguments.contains(argument) }) {
            found += mismatch(
                expected: "every launch with the argument \(argument)",
                found: wrong.arguments.isEmpty ? "none" : wrong.arguments.joined(separator: " "),
                evidence: [wrong.moment])
        }
        guard let apart else { return found }
        for (first, second) in zip(launches, launches.dropFirst()) {
            let gap = second.moment.time.minus(first.moment.time)
            guard gap < apart.nanoseconds else { continue }
            found += mismatch(
                expected: "launches at least \(durationText(apart.nanoseconds)) apart", found: durationText(gap),
                evidence: [first.moment, second.moment], dependsOnTime: true)
        }
        return found
    }
}
