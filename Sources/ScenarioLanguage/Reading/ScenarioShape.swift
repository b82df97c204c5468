import AdapterProtocol
import Record

/// The whole scenario language as one shape: the reader checks against it and the JSON Schema is printed from it.
package enum ScenarioShape {
    /// The language with these checks under `expect:`.
    package static func root(checks: [any WrittenCheck.Type]) -> Shape {
        let expectation = Shape.choice(checks.map { Field($0.key, $0.shape, $0.summary) }, beside: [basis])
        return .object(
            fields + [
                Field("expect", .list(expectation), required: true, "The expected observations; all must hold.")
            ])
    }

    /// The key beside a check that states its basis.
    static let basis = Field(
        "basis", .word(Basis.allCases.map(\.rawValue)),
        "The basis of this check, where it differs from that of the requirements that the scenario claims: `rfc` holds for every HTTP client, `fetch` for browsers, `urlsession` and `policy` only for clients that follow URLSession. `run --profile` selects by it."
    )

    /// The language for a file with a table of parameters: the same keys, whose values may be references.
    static func rootWithReferences(checks: [any WrittenCheck.Type]) -> Shape {
        guard case .object(let fields) = root(checks: checks) else { return .anything }
        return .object(
            fields.map { field in
                field.name == ParameterTable.key
                    ? field : Field(field.name, .anything, required: field.required, field.summary)
            })
    }

    private static let fields =
        [
            Field("scenario", .text, required: true, "One sentence: the expected behaviour of the implementation."),
            Field(
                "proves", .oneOrMore(.text),
                "Catalogue requirements that a pass proves, such as DNLD-09 or RFC-REDIRECT-01."),
            Field(
                "cites", .oneOrMore(.text), "Sections of documents that state the behaviour, such as RFC 9110 §15.4."),
            Field("report", .text, "The bug report or issue that the scenario reproduces: an address or a few words."),
            Field("tags", .oneOrMore(.text), "Words that `--tag` selects scenarios by, such as slow."),
            Field(
                "needs", .oneOrMore(.word(Capability.allCases.map(\.rawValue))),
                "Needed capabilities besides those that steps and checks imply."),
            Field("dependsOn", .text, "The id of a scenario that must have passed; otherwise this one is skipped."),
            Field(
                "timeout", .duration,
                "The longest the run may take before the implementation counts as hanging; default 20s."),
            Field("requestBudget", .integer(1...1_000_000), "More requests than this are a flood; default 50."),
            Field(
                "network", .either([.word(["none"]), NetworkShape.network]),
                "The client's interfaces; default { wifi: good-wifi }. `none` or {}: without any interface."),
            Field(
                "dns", DNSPlanReader.names,
                "The replies of the DNS servers; hosts that are not listed and appear in URLs resolve to the origin."),
        ] + ChosenNetworks.fields + NetworkShape.power + [
            Field(
                "clock", NetworkShape.clock,
                "The clock of background transfers, which runs faster or is set wrongly; default the machine's."),
            ParameterTable.field,
            Field("origin", OriginReader.shape, "The routes of the server and its faults."),
            Field("proxies", ProxyReader.proxies, "Proxy servers by name; each is proxy.test on its own port."),
            Field("session", SessionReader.shape, "The configuration of the one session, `main`."),
            Field(
                "sessions", .mapping(key: "session names", SessionReader.named),
                "Several sessions by name, instead of `session`."),
            Field("steps", .list(ScriptReader.shape), required: true, "The steps for the session, in order."),
            Field("timeline", .list(TimelineReader.entry), "Changes of the network, each with its moment."),
        ]
}
