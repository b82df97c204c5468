import Record
import Testing

@testable import Conformance
@testable import ScenarioLanguage

/// Tests of the runs that one file stands for: networks, rows of parameters, exclusions, and their errors.
@Suite struct ScenarioCasesTests {
    /// A scenario that can run on any network.
    private static let text = Sample.good.replacing("network: { wifi: good-wifi }\n", with: "")

    private static func cases(_ text: String, on words: [String] = []) throws -> ScenarioCases {
        let selection = try NetworkSelection(words, catalogue: .builtIn)
        return try ScenarioReader.cases(
            file: "Scenarios/x/y.yaml", text: text, checks: CheckCatalogue.all, on: selection
        ).get()
    }

    private static func errors(_ text: String) -> [String] {
        switch ScenarioReader.cases(file: "f.yaml", text: text, checks: CheckCatalogue.all) {
        case .success: []
        case .failure(let found): found.errors.map(\.description)
        }
    }

    @Test(
        arguments: [
            ([], ["x/y"]), (["lte"], ["x/y@lte"]), (["lte,edge", "lte"], ["x/y@lte", "x/y@edge"]),
            (["own,nat64"], ["x/y", "x/y@nat64"]),
        ] as [([String], [String])])
    func `each network is a run of its own`(words: [String], ids: [String]) throws {
        #expect(try Self.cases(Self.text, on: words).scenarios.map(\.id) == ids)
    }

    @Test func `a run on a network is the ordinary scenario with that network`() throws {
        let run = try #require(try Self.cases(Self.text, on: ["nat64-lte"]).scenarios.first)
        let written = try ScenarioReader.read(
            file: "Scenarios/x/y.yaml",
            text: Self.text + "\nnetwork: { cellular: lte, nat64: { clat: true } }"
        ).get()
        #expect(run.network == written.network)
        #expect(run.script == written.script)
        #expect(run.variant == VariantID(base: "x/y", network: "nat64-lte"))
    }

    /// A sweep and `shrink` change the run as a file of its own.
    @Test func `each run can be written as a file of its own`() throws {
        let text = """
            scenario: 'Rows: "two"'
            timeout: 9s
            parameters:
              - { name: text, value: "5", status: 200 }
              - { name: number, value: "a: #b", status: 404 }
            networks: train
            origin:
              /a: { text: $value, status: $status, headers: { X-A: "$value" } }
            session: {}
            steps:
              - data: /a
                as: first
              - await: first.didComplete
            expect:
              - completes: { task: first, error: any }
            """
        let cases = try Self.cases(text, on: ["edge"]).scenarios
        #expect(cases.map(\.id) == ["x/y[text]@train", "x/y[text]@edge", "x/y[number]@train", "x/y[number]@edge"])
        for scenario in cases {
            let own = try ScenarioReader.text(
                of: scenario.variant, in: text, file: "Scenarios/x/y.yaml", networks: .builtIn)
            let read = try ScenarioReader.read(file: "Scenarios/x/y.yaml", text: own).get()
            #expect(read.origin == scenario.origin)
            #expect(read.network == scenario.network)
            #expect(read.timeline == scenario.timeline)
            #expect(read.script == scenario.script)
            #expect(read.title == scenario.title)
        }
        #expect(
            try ScenarioReader.text(of: VariantID(base: "x/y"), in: "as: written", file: "f.yaml", networks: .builtIn)
                == "as: written")
        for lost in [VariantID(base: "x/y", row: "third"), VariantID(base: "x/y", row: "text", network: "nowhere")] {
            #expect(throws: ScenarioErrors.self) {
                try ScenarioReader.text(of: lost, in: text, file: "f.yaml", networks: .builtIn)
            }
        }
    }

    @Test func `a network's changes follow the scenario's and those after its timeout are left out`() throws {
        let short = Self.text.replacing("timeout: 20s", with: "timeout: 2s")
        let run = try #require(try Self.cases(short, on: ["train"]).scenarios.first)
        #expect(
            run.timeline.map(\.trigger.moment) == [.sinceStart(.milliseconds(500)), .sinceStart(.milliseconds(1500))])
    }

    @Test func `a scenario's own reply for a host takes precedence over the network's`() throws {
        let run = try #require(
            try Self.cases(Self.text + "\ndns: { a.test: origin }", on: ["captive-portal"]).scenarios.first)
        #expect(
            run.network.dns.rules.last?.host == "api.test" || run.network.dns.rules.contains { $0.host == "a.test" })
    }

    @Test(arguments: [
        ("network: { wifi: lte }", "network"), ("dns: { a.test: nxdomain }", "dns: a.test"),
        ("session: { allowsCellularAccess: false }", "allowsCellularAccess: false"),
        ("session: { allowsExpensiveNetworkAccess: false }", "allowsExpensiveNetworkAccess: false"),
        ("session: { allowsConstrainedNetworkAccess: false }", "allowsConstrainedNetworkAccess: false"),
        ("timeline: [{ when: first.didReceiveData, set: { wifi: down } }]", "set: wifi"),
        ("timeline: [{ when: { packet: 3 }, set: { dns: { a.test: silent } } }]", "set: dns"),
    ])
    func `a scenario that fixes its network is left out`(line: String, words: String) throws {
        let cases = try Self.cases(Self.text + "\n" + line, on: ["lte"])
        #expect(cases.scenarios.isEmpty)
        guard case .own(let own)? = cases.leftOut.first?.reason else {
            Issue.record("\(cases.leftOut)")
            return
        }
        #expect(own.words == words)
        #expect(own.place.line == 11)
    }

    @Test(arguments: [
        "packets: { interface: wifi, direction: both, atMost: 9 }", "waits: { task: first, until: wifi }",
    ])
    func `a check of an interface fixes the network`(check: String) throws {
        let cases = try Self.cases(Self.text + "\n  - \(check)", on: ["lte"])
        #expect(cases.scenarios.isEmpty && cases.leftOut.count == 1)
    }

    @Test func `listed networks always run and excluded ones do not`() throws {
        let text =
            Self.text + """

                networks: [lte, edge]
                excludes: { network: nat64, because: the URL has an IPv4 address }
                """
        let cases = try Self.cases(text, on: ["nat64,lte,3g"])
        #expect(cases.scenarios.map(\.id) == ["x/y@lte", "x/y@edge", "x/y@3g"])
        #expect(
            cases.leftOut == [
                .init(
                    id: VariantID(base: "x/y", network: "nat64"), reason: .excluded("the URL has an IPv4 address"))
            ])
        #expect(try Self.cases(text).scenarios.map(\.id) == ["x/y@lte", "x/y@edge"])
    }

    /// EDGE needs 840 ms for a round trip, so the one task gets 5.04 s more, and 16 bits at 200 kbit/s, twice.
    @Test func `the timeout grows by the round trips and bodies on the link, and the checks stay`() throws {
        let run = try #require(try Self.cases(Self.text, on: ["edge"]).scenarios.first)
        #expect(run.limit == .seconds(20) + .milliseconds(5040) + .microseconds(160))
        #expect(try Self.cases(Self.text).scenarios[0].limit == .seconds(20))
        #expect(try Self.cases(Self.text, on: ["flaky-wifi"]).scenarios[0].limit > .seconds(80))
    }

    /// The body of the redirect's target, whatever a variant of the redirecting route sends: 250 kB at 200 kbit/s take 10 s, and
    /// count twice. Three requests, because the redirect repeats once on its own path.
    @Test func `the timeout grows by the redirects that a task follows`() throws {
        let text = Self.text.replacing(
            "  /a: { text: hi }",
            with: """
                  /a:
                    redirect: /b
                    hops: 1
                    variants:
                      - { when: { headers: { A: absent } }, status: 401, text: no }
                  /b: { size: 250kB }
                """)
        let run = try #require(try Self.cases(text, on: ["edge"]).scenarios.first)
        #expect(run.limit == .seconds(20) + .milliseconds(3 * 5040) + .seconds(20))
    }

    /// LTE has 35 ms and 12 Mbit/s each way, so 150 kB take 100 ms.
    @Test func `a bound in round trips is the time on the slowest link`() throws {
        let bound = RoundTripBound(roundTrips: 3, bytes: ByteCount(150_000)!, plus: .milliseconds(7))
        let run = try #require(try Self.cases(Self.text, on: ["lte"]).scenarios.first)
        #expect(bound.duration(in: run) == .milliseconds(3 * 70 + 100 + 7))
        let both = try #require(try Self.cases(Self.text, on: ["wifi-then-cellular"]).scenarios.first)
        #expect(bound.duration(in: both) == .milliseconds(3 * 70 + 100 + 7))
    }

    // MARK: Parameters

    private static let table =
        text.replacing("text: hi }", with: "size: $size }") + """

            parameters:
              - { name: small, size: 5B }
              - { name: large, size: 1MiB }
            """

    @Test func `each row is a run with its values`() throws {
        let cases = try Self.cases(Self.table, on: ["own,lte"])
        #expect(
            cases.scenarios.map(\.id) == ["x/y[small]", "x/y[small]@lte", "x/y[large]", "x/y[large]@lte"])
        let sizes = cases.scenarios.map { $0.origin.routes[0].content }
        #expect(sizes[0] == .resource(Resource(body: .pattern(ByteCount(5)!))))
        #expect(sizes[2] == .resource(Resource(body: .pattern(ByteCount(1 << 20)!))))
    }

    @Test func `a value is any YAML value and text in quotes is not a reference`() throws {
        let text =
            Self.text.replacing("{ text: hi }", with: "$route").replacing("/a\n", with: "'/a?x=$route'\n") + """

                parameters:
                  - { name: one, route: { text: '$route', headers: { A: b } } }
                """
        let run = try #require(try Self.cases(text).scenarios.first)
        guard case .resource(let resource) = run.origin.routes[0].content else {
            Issue.record("no resource")
            return
        }
        #expect(resource.body == .text("$route"))
    }

    @Test func `without a table a dollar sign is text`() throws {
        let run = try #require(try Self.cases(Self.text.replacing("text: hi", with: "text: $hi")).scenarios.first)
        guard case .resource(let resource) = run.origin.routes[0].content else {
            Issue.record("no resource")
            return
        }
        #expect(resource.body == .text("$hi"))
    }

    /// An error in one row is at the row's value, and one that all rows share is reported once.
    @Test(arguments: [
        ("networks: [ltf]", "f.yaml:11:12: unknown network `ltf`; did you mean `lte`?"),
        ("excludes: { network: ltf, because: x }", "f.yaml:11:22: unknown network `ltf`; did you mean `lte`?"),
        (
            "excludes: { network: lte, because: '' }",
            "f.yaml:11:36: `because` is blank; give the reason in one sentence"
        ),
        ("excludes: { network: lte }", "`because`: The reason that"),
        ("networks: [lte, lte]", "f.yaml:11:17: `lte` is listed twice under `networks`"),
        (
            "network: { wifi: lte }\nnetworks: edge",
            "f.yaml:12:11: the scenario has a network of its own (line 11: `network`)"
        ),
        (
            "networks: lte\nexcludes: { network: lte, because: x }",
            "f.yaml:12:11: `lte` stands under `networks` as well"
        ),
        (
            "tags: $tag\nparameters:\n  - { name: a, tag: x }\n  - { name: b }",
            "f.yaml:14:5: the row `b` lacks a value for `tag`, which line 11 uses"
        ),
        (
            "tags: $tog\nparameters:\n  - { name: a, tag: x }",
            "f.yaml:11:7: no row has a value `tog`; did you mean `tag`?"
        ),
        ("dependsOn: 'f[x]@lte'", "f.yaml:11:12: a scenario cannot depend on itself"),
        ("parameters:\n  - { name: a, tag: x }", "f.yaml:12:16: nothing uses the value `tag`"),
        (
            "tags: $t\nparameters:\n  - { name: a, t: x }\n  - { name: a, t: y }",
            "f.yaml:14:13: line 13 has a row `a` already"
        ),
        ("tags: [$t, x-$t]\nparameters:\n  - { name: a, t: x }", "f.yaml:11:12: `$t` stands inside a text"),
        ("dns: { $t: origin }\ntags: $t\nparameters:\n  - { name: a, t: x }", "f.yaml:11:8: `$t` is a key"),
        ("tags: $t\nparameters:\n  - { t: x }", "`name`: The row"),
        ("tags: $t\nparameters:\n  - { name: a b, t: x }", "f.yaml:13:13: a row's name has letters"),
        (
            "requestBudget: $n\nparameters:\n  - { name: a, n: 5 }\n  - { name: b, n: many }",
            "f.yaml:14:19: `requestBudget` is `many`"
        ),
    ])
    func `each mistake has a position and a correction`(lines: String, error: String) {
        let errors = Self.errors(Self.text + "\n" + lines)
        #expect(errors.contains { $0.contains(error) || $0.hasPrefix(error) }, "\(errors)")
    }
}
