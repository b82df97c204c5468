import AdapterProtocol
import LinkEmulator
import Testing

@testable import Conformance
@testable import Record
@testable import ScenarioLanguage

/// A check is left out only for one of two reasons, the profile or an event that the client cannot report; every other
/// check of the scenario still counts.
@Suite struct NotJudgedTests {
    private static func verdict(
        _ checks: [String], _ profile: ClientProfile = .urlsession, bases: Set<Basis> = [.rfc],
        reports: ReportedEvents? = nil, body: String = "hello"
    ) throws -> Verdict {
        var run = Run(reports: reports)
        run.start("first")
        run.request(1, "/hello")
        run.answer(1, [HeaderField("Content-Length", "5")], bytes: 5)
        if reports?.contains(.didReceiveResponse) != false { run.response("first", url: "http://api.test/hello") }
        if reports?.contains(.didReceiveData) != false { run.report("first", .didReceiveData(Array(body.utf8))) }
        run.complete("first")
        run.end()
        var scenario = try run.scenario(checks)
        scenario.bases = bases
        return Judge.verdict(scenario: scenario, entries: run.entries, profile: profile)
    }

    private static let body = #"body: { task: first, text: "hello" }"#
    private static let completes = "completes: { task: first, error: none }"

    @Test func `a check outside the profile is not judged and the others are`() throws {
        let checks = ["requests: { count: 2 }\n    basis: policy", Self.completes]
        let verdict = try Self.verdict(checks, .httpClient)
        #expect(verdict.outcome == .pass)
        #expect(verdict.checks.map(\.name) == ["completes"])
        #expect(verdict.notJudged.map(\.check) == ["requests"])
        #expect(verdict.notJudged.map(\.reason) == [.outside(.httpClient, .policy)])
        guard case .fail(.wrong, let mismatches) = try Self.verdict(checks).outcome else {
            Issue.record("the profile urlsession does not judge the check")
            return
        }
        #expect(mismatches.map(\.check) == ["requests"])
    }

    @Test func `a check without its own basis has that of the scenario`() throws {
        let outcome = try Self.verdict([Self.completes], .httpClient, bases: [.urlsession]).outcome
        #expect(
            outcome
                == .unsupported(
                    "nothing to judge: its basis is urlsession, which the profile http-client does not ask for"))
        #expect(try Self.verdict([Self.completes], .httpClient, bases: [.urlsession, .rfc]).outcome == .pass)
        #expect(try Self.verdict([Self.completes], .browser, bases: [.fetch]).outcome == .pass)
        #expect(try Self.verdict([Self.completes], .httpClient, bases: []).outcome == .pass)
    }

    @Test func `a basis of its own makes a check of a special scenario general`() throws {
        let checks = ["requests: { count: 2 }\n    basis: rfc", Self.completes]
        let verdict = try Self.verdict(checks, .httpClient, bases: [.urlsession])
        #expect(verdict.checks.map(\.name) == ["requests"])
        #expect(verdict.notJudged.map(\.check) == ["completes"])
        #expect(verdict.outcome.word == "fail")
    }

    @Test func `checks about the delegate of URLSession are never asked of other clients`() throws {
        let sequence = "sequence: { task: first, events: [didReceiveResponse, didReceiveData, didComplete] }"
        #expect(try Self.verdict([sequence, Self.completes], .httpClient).notJudged.map(\.check) == ["sequence"])
        #expect(try Self.verdict([sequence, Self.completes]).notJudged.isEmpty)
    }

    @Test func `a check on an event that the client cannot report is not judged`() throws {
        let checks = [Self.body, "never: first.willPerformRedirect", "requests: { count: 1 }"]
        let verdict = try Self.verdict(checks, reports: ["didComplete"])
        #expect(verdict.outcome == .pass)
        #expect(verdict.checks.map(\.name) == ["requests"])
        #expect(
            verdict.notJudged.map(\.reason)
                == [.unreported(["didReceiveData"]), .unreported(["willPerformRedirect"])])
        #expect(try Self.verdict(checks, reports: nil).notJudged.isEmpty)
    }

    @Test func `a check on several events is not judged if the client cannot report one of them`() throws {
        let check = "before: { first: first.didReceiveData, then: first.didComplete }"
        let verdict = try Self.verdict([check, "requests: { count: 1 }"], reports: ["didComplete"])
        #expect(verdict.outcome == .pass)
        #expect(verdict.notJudged.map(\.reason) == [.unreported(["didReceiveData"])])
    }

    @Test func `the rest of a scenario still fails`() throws {
        let verdict = try Self.verdict([Self.body, "requests: { count: 2 }"], reports: ["didComplete"])
        #expect(verdict.outcome.word == "fail")
    }

    @Test func `reported events are judged`() throws {
        let reports: ReportedEvents = ["didComplete", "didReceiveData"]
        #expect(try Self.verdict([Self.body], reports: reports).outcome == .pass)
        #expect(try Self.verdict([Self.body], reports: reports, body: "hallo").outcome.word == "fail")
    }

    @Test func `a run without a judged check is unsupported`() throws {
        #expect(
            try Self.verdict([Self.body], reports: ["didComplete"]).outcome
                == .unsupported("nothing to judge: the client does not report didReceiveData"))
    }

    /// The run would otherwise hide what every client owes.
    @Test func `a broken invariant fails a run without a judged check`() throws {
        var run = Run(reports: ["didComplete"])
        run.start("first")
        run.complete("first")
        run.complete("first")
        run.end()
        let scenario = try run.scenario([Self.body])
        guard case .fail(.wrong, let mismatches) = Judge.outcome(scenario: scenario, entries: run.entries) else {
            Issue.record("two completions are not a failure")
            return
        }
        #expect(mismatches.map(\.check).contains("one completion"))
    }

    @Test func `a session that is invalidated need not report it`() throws {
        func outcome(_ reports: ReportedEvents?) throws -> Outcome {
            var run = Run(reports: reports)
            run.start("first")
            run.complete("first")
            run.command(.invalidate(.main, cancelling: false))
            run.end()
            return Judge.outcome(scenario: try run.scenario([Self.completes]), entries: run.entries)
        }
        #expect(try outcome(["didComplete"]) == .pass)
        #expect(try outcome(["didComplete", "didBecomeInvalid"]).word == "fail")
        #expect(try outcome(nil).word == "fail")
    }

    @Test func `data without a response is right for a client that reports no response`() throws {
        let reports: ReportedEvents = ["didComplete", "didReceiveData"]
        #expect(try Self.verdict([Self.completes], reports: reports).outcome == .pass)
    }

    @Test func `a client that is ended after it was asked to end is not a failure`() throws {
        var run = Run()
        run.start("first")
        run.complete("first")
        run.command(.end)
        run.add(.adapter(.killed(Labelled(.stays, "it did not exit within 5 s after end"))))
        let isComplete = run
        run.add(.adapter(.signalled(9)))
        let scenario = try run.scenario([Self.completes])
        #expect(Judge.outcome(scenario: scenario, entries: run.entries) == .pass)
        run = isComplete
        run.add(.adapter(.truncatedOutput(#"{"v":2"#)))
        run.add(.adapter(.signalled(9)))
        guard case .fail(.violation, _) = Judge.outcome(scenario: scenario, entries: run.entries) else {
            Issue.record("an unfinished line is not a violation")
            return
        }
    }
}

/// The choice of runs, and the capabilities that they need.
@Suite struct AskedScenarioTests {
    private static func scenario(_ expect: String, bases: Set<Basis>) throws -> Scenario {
        let text = """
            scenario: A run
            origin:
              /a: { redirect: /b }
              /b: { text: "b" }
            steps:
              - download: /a
                as: first
              - await: first.didFinishDownloading
            expect:
            \(expect)

            """
        var scenario = try ScenarioReader.read(file: "f.yaml", text: text).get()
        scenario.bases = bases
        return scenario
    }

    @Test func `a scenario is asked if any of its checks is`() throws {
        let plain = "  - requests: { count: 1 }"
        #expect(try Self.scenario(plain, bases: [.rfc]).isAsked(by: .httpClient))
        #expect(try !Self.scenario(plain, bases: [.fetch]).isAsked(by: .httpClient))
        #expect(try Self.scenario(plain, bases: [.fetch]).isAsked(by: .browser))
        #expect(try !Self.scenario(plain, bases: [.policy]).isAsked(by: .browser))
        #expect(try Self.scenario(plain, bases: [.policy]).isAsked(by: .urlsession))
        let mixed = plain + "\n  - closed: { connection: 1, by: client }\n    basis: rfc"
        let scenario = try Self.scenario(mixed, bases: [.policy])
        #expect(scenario.isAsked(by: .httpClient))
        #expect(scenario.expectations.map(\.basis) == [nil, .rfc])
    }

    @Test func `an unknown basis is refused with the allowed words`() {
        let text = "scenario: A\norigin:\n  /a: { text: a }\nsteps:\n  - data: /a\n    as: first\nexpect:\n"
        let errors = Sample.errors(text + "  - requests: { count: 1 }\n    basis: rcf\n").map(\.message)
        #expect(errors.count == 1)
        #expect(errors.first?.contains("`basis` is `rcf`") == true)
        #expect(errors.first?.contains("rfc") == true)
    }

    @Test func `a list of events replaces the capabilities for reporting`() throws {
        let scenario = try Self.scenario(
            "  - redirect: { task: first, status: 302 }\n  - progress: { task: first, kind: download, final: 1 }",
            bases: [.rfc])
        let behaviour: Set<Capability> = [.download, .followRedirects]
        #expect(scenario.needs == behaviour.union([.delegate, .redirectDecision, .downloadProgress]))
        #expect(scenario.needs(of: .urlsession, reports: nil) == scenario.needs)
        #expect(scenario.needs(of: .urlsession, reports: ["didComplete"]) == behaviour)
        #expect(
            scenario.needs(of: .urlsession, reports: ["didComplete", "willPerformRedirect", "didWriteData"])
                == behaviour)
    }

    @Test func `checks outside the profile need no capability`() throws {
        let text = "  - requests: { count: 1 }\n  - cached: { task: first, found: true }\n    basis: urlsession"
        let scenario = try Self.scenario(text, bases: [.rfc])
        #expect(scenario.needs.isSuperset(of: [.cache, .cacheLookup]))
        #expect(scenario.needs(of: .httpClient, reports: nil).isDisjoint(with: [.cache, .cacheLookup]))
    }

    @Test func `the end of a download stands for its delivery and for nothing else`() throws {
        let scenario = try Self.scenario("  - requests: { count: 1 }", bases: [.rfc])
        let reports: ReportedEvents = ["didComplete"]
        #expect(scenario.awaitedEvents(missingIn: reports) == [.task("first", .didFinishDownloading)])
        let played = scenario.substitutingEvents(missingIn: reports)
        #expect(played.awaitedEvents(missingIn: reports).isEmpty)
        #expect(played.script.last == .await(Trigger(.event("first", .didComplete, count: 1))))
        #expect(scenario.substitutingEvents(missingIn: nil).script == scenario.script)
        let all: ReportedEvents = ["didComplete", "didFinishDownloading"]
        #expect(scenario.substitutingEvents(missingIn: all).script == scenario.script)
    }

    private static func needs(_ text: String, _ reports: ReportedEvents? = ["didComplete"]) throws -> Set<Capability> {
        try ScenarioReader.read(file: "f.yaml", text: "scenario: A\n" + text).get()
            .needs(of: .urlsession, reports: reports)
    }

    @Test func `a timeout is needed only where a task may end by it`() throws {
        func text(_ needs: String, _ error: String) -> String {
            """
            \(needs)
            origin:
              /a: { text: a }
            session: { requestTimeout: 2s }
            steps:
              - data: /a
                as: first
            expect:
              - completes: { task: first, error: \(error) }

            """
        }
        let plain: Set<Capability> = [.data]
        #expect(try Self.needs(text("tags: x", "timedOut")) == plain.union([.requestTimeout]))
        #expect(try Self.needs(text("tags: x", "none")) == plain)
        #expect(try Self.needs(text("needs: idleTimeout", "timedOut")) == plain.union([.idleTimeout]))
        // Without a list of events nothing changes.
        let old = plain.union([.delegate, .requestTimeout])
        #expect(try Self.needs(text("needs: idleTimeout", "timedOut"), nil) == old)
        #expect(try Self.needs(text("tags: x", "none"), nil) == old)
    }

    @Test func `a client without timeouts gets none`() throws {
        let text = """
            scenario: A
            origin:
              /a: { text: a }
            session: { requestTimeout: 2s }
            steps:
              - data: /a
                as: first
                timeout: 1s
            expect:
              - completes: { task: first, error: none }

            """
        let scenario = try ScenarioReader.read(file: "f.yaml", text: text).get()
        let played = scenario.withoutRequestTimeouts
        #expect(played.sessions.map(\.configuration.requestTimeout) == [nil])
        #expect(scenario.sessions.map(\.configuration.requestTimeout) == [.seconds(2)])
        guard case .task(let task, body: _, starts: true)? = played.script.first else {
            Issue.record("the step is lost")
            return
        }
        #expect(task.timeout == nil)
    }

    @Test func `decoding and decisions about challenges are needed where they are used`() throws {
        func text(_ origin: String, _ challenge: String) -> String {
            """
            origin:
              /a: \(origin)
            steps:
              - data: /a
                as: first
                \(challenge)
            expect:
              - completes: { task: first, error: none }

            """
        }
        let coded = text("{ text: a, encoding: gzip }", "method: GET")
        #expect(try Self.needs(coded) == [.data, .contentDecoding])
        #expect(try Self.needs(coded, nil) == [.data, .delegate])
        let protected = "{ text: a, basic: { user: ann, password: pw, realm: lab } }"
        let one = text(protected, "challenge: { user: ann, password: pw }")
        #expect(try Self.needs(one) == [.data, .basicChallenge])
        let two = text(protected, "challenge: [{ user: ann, password: no }, { user: ann, password: pw }]")
        #expect(try Self.needs(two) == [.data, .basicChallenge, .challengeDecision])
        #expect(try Self.needs(text(protected, "challenge: cancel")).contains(.challengeDecision))
        #expect(try !Self.needs(two, nil).contains(.challengeDecision))
    }

    @Test func `bases come from requirements and from sections`() throws {
        let catalogue = try RequirementCatalogue.read(folder: Sample.scenarios + "/catalogue")
        var scenario = Scenario(file: "f.yaml", id: "f", title: "f")
        #expect(catalogue.bases(of: scenario) == [])
        scenario.proves = ["RFC-REDIRECT-01", "RFC-REDIRECT-02", "DNLD-09"]
        #expect(catalogue.bases(of: scenario) == [.fetch, .rfc, .urlsession])
        scenario.proves = []
        scenario.cites = ["RFC 9110 §15.4"]
        #expect(catalogue.bases(of: scenario) == [.rfc])
        scenario.cites = ["Fetch §4.5", "URLSession §1"]
        #expect(catalogue.bases(of: scenario) == [.fetch, .urlsession])
    }
}
