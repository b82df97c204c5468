import Record
import ScenarioLanguage

/// The power supply while requests begin (DISC-01, DISC-07).
struct TransfersWhileCheck: Check {
    static let key = "transfersWhile"
    static let basis: Basis? = .urlsession
    static let summary =
        "Requests reach the origin only while the client has this power. The traffic of each interface is judged by `packets`."
    static let shape = Shape.object([
        Field("power", .word(["external", "battery"]), "The source of power during each request."),
        Field("batteryAtLeast", .probability, "The lowest charge of the battery during each request, such as 20%."),
    ])

    private let isExternal: Bool?
    private let battery: Int?

    init(_ fields: Fields) throws(ScenarioError) {
        isExternal = fields.text("power").map { $0 == "external" }
        battery = fields.probability("batteryAtLeast").map { Int(($0.value * 100).rounded()) }
        try fields.requireOne(of: ["power", "batteryAtLeast"])
    }

    func problem(in scenario: Scenario) -> String? {
        scenario.initialPower == nil ? "the scenario does not give the client a power supply; add `power:`" : nil
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let states = record.network.compactMap { fact, moment in
            if case .power(let state) = fact { (state: state, moment: moment) } else { nil }
        }
        for request in record.requests {
            guard let (state, moment) = states.last(where: { $0.moment < request.moment }) else { continue }
            let isAllowed = state.isExternal == isExternal ?? state.isExternal && state.battery >= battery ?? 0
            guard !isAllowed else { continue }
            return mismatch(
                expected: "requests only with "
                    + [isExternal.map { $0 ? "external power" : "battery power" }, battery.map { "at least \($0)%" }]
                    .compactMap(\.self).joined(separator: " and "),
                found: "request \(request.number) with \(state.description)", evidence: [moment, request.moment])
        }
        return []
    }
}
