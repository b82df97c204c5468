import AdapterProtocol
import Testing

@testable import Record
@testable import ScenarioLanguage
@testable import Conformance

/// Tests of the precedence of outcomes if several things are wrong at once, and that a broken run never passes.
@Suite struct JudgeTests {
    private static func kind(_ outcome: Outcome) -> String {
        if case .fail(let kind, let mismatches) = outcome { return mismatches.isEmpty ? "no mismatch" : kind.rawValue }
        return outcome.word
    }
    private static func found(_ outcome: Outcome) -> [String] {
        if case .fail(_, let mismatches) = outcome { mismatches.map(\.found) } else { [] }
    }

    @Test func `a correct run passes`() throws {
        #expect(
            try Run.plain().outcome(["completes: { task: first, error: none }", "requests: { count: 1 }"]) == .pass)
        #expect(try Run.resumed().outcome(["resumeOffset: { task: second, offset: sameAsOnTheWire }"]) == .pass)
    }

    @Test func `a failed check is a wrong outcome with its line`() throws {
        let outcome = try Run.plain().outcome(["completes: { task: first }", "requests: { count: 2 }"])
        guard case .fail(.wrong, let mismatches) = outcome, let mismatch = mismatches.first, mismatches.count == 1
        else {
            Issue.record("\(outcome)")
            return
        }
        #expect(mismatch.check == "requests" && mismatch.found == "1 request")
        let lines = "scenario: A run\nproves: DNLD-09\n\(Run.hello)\nexpect:\n".count { $0 == "\n" }
        #expect(mismatch.line == lines + 2)
    }

    @Test func `a violated invariant is a wrong outcome without being named`() throws {
        var run = Run.plain()
        run.complete("first")
        #expect(Self.found(try run.outcome()) == ["2: didComplete, didComplete"])
        #expect(Self.kind(try run.outcome()) == "wrong")
    }

    @Test func `a fault of the harness is an error, whatever else happened`() throws {
        var run = Run()
        run.add(.adapter(.signalled(11)))
        run.add(.note(.unsupported("tls")))
        run.add(.note(.harnessFault("no /dev/net/tun")))
        #expect(try run.outcome() == .error("no /dev/net/tun"))
    }

    @Test func `a failure of the adapter itself is an error`() throws {
        var run = Run()
        run.start("first")
        run.say(.adapterFailed(message: "no memory"))
        run.end()
        #expect(try run.outcome() == .error("the adapter itself failed, not the session: no memory"))
    }

    @Test func `a missing capability is unsupported`() throws {
        var run = Run()
        run.add(.note(.unsupported("tls")))
        run.end(code: 1)
        #expect(try run.outcome() == .unsupported("tls"))
    }

    @Test func `a command that the adapter does not support is unsupported`() throws {
        var run = Run()
        run.start("first")
        run.say(.unsupported(feature: "suspend"))
        run.end()
        #expect(try run.outcome() == .unsupported("suspend"))
    }

    @Test func `unsupported excuses nothing that went wrong before`() throws {
        var run = Run()
        run.start("first")
        // A byte that the origin never sent.
        run.report("first", .didReceiveData([1]))
        run.say(.unsupported(feature: "suspend"))
        run.end()
        let found = Self.found(try run.outcome())
        #expect(found == ["no response", "1 bytes"])
        #expect(Self.kind(try run.outcome()) == "wrong")
    }

    /// Otherwise an adapter could excuse a flood at its end.
    @Test func `unsupported after a kill excuses nothing`() throws {
        var run = Run()
        run.start("first")
        run.add(.adapter(.killed(Labelled(.flood, "more than 50 requests"))))
        run.say(.unsupported(feature: "suspend"))
        #expect(Self.kind(try run.outcome()) == "flood")
    }

    @Test func `too many requests are a flood, killed or not`() throws {
        var run = Run("requestBudget: 2\n" + Run.hello)
        run.start("first")
        for number in 1...3 { run.request(number, "/hello") }
        run.complete("first", .timedOut)
        run.end()
        #expect(Self.kind(try run.outcome()) == "flood")
        #expect(Self.found(try run.outcome()) == ["3 requests"])
        run.add(.adapter(.killed(Labelled(.flood, "more than 2 requests reached the origin"))))
        #expect(Self.found(try run.outcome()) == ["more than 2 requests reached the origin"])
    }

    @Test func `a signal is a crash with its output`() throws {
        var run = Run()
        run.start("first")
        let last = run.report("first", .didReceiveData([1]))
        let line = run.add(.adapter(.standardError("Fatal error: index out of range")))
        run.add(.adapter(.truncatedOutput("{\"seq\":")))
        let exit = run.add(.adapter(.signalled(11)))
        let outcome = try run.outcome()
        guard case .fail(.crash, let mismatches) = outcome, let mismatch = mismatches.first else {
            Issue.record("\(outcome)")
            return
        }
        #expect(
            mismatch.found
                == "the adapter was killed by signal 11 (SIGSEGV); standard error: Fatal error: index out of range; last words: {\"seq\":"
        )
        #expect(Set(mismatch.evidence).isSuperset(of: [last, line, exit]))
    }

    @Test func `the backtrace behind a fatal error is not evidence`() throws {
        var run = Run()
        run.start("first")
        let cause = run.add(.adapter(.standardError("Session.swift:3: Fatal error: no task")))
        let frames = (0..<5).map { run.add(.adapter(.standardError("  \($0) [ra] 0x1 in libc.so.6"))) }
        run.add(.adapter(.signalled(4)))
        guard case .fail(.crash, let mismatches) = try run.outcome(), let mismatch = mismatches.first else {
            Issue.record("not a crash")
            return
        }
        #expect(mismatch.evidence.contains(cause))
        #expect(Set(mismatch.evidence).isDisjoint(with: frames))
    }

    @Test func `a failed check names the task that no step starts`() throws {
        let setup = Run.hello + "\n    resume: false"
        var run = Run(setup)
        run.end()
        let found = Self.found(
            try run.outcome(["completes: { task: first }", "count: { event: first.didComplete, equals: 1 }"]))
        let hint = "no step starts first: it is created with `resume: false`; add the step `resume: first`"
        #expect(found.count == 2)
        #expect(found.allSatisfy { $0.hasSuffix("; \(hint)") }, "\(found)")
        run = Run(setup + "\n  - resume: first")
        run.end()
        #expect(Self.found(try run.outcome(["completes: { task: first }"])) == ["no completion of first"])
    }

    @Test func `steps that wait for a task that no step starts name it`() throws {
        var run = Run(Run.hello + "\n    resume: false\n  - await: first.didComplete")
        run.add(.adapter(.killed(Labelled(.limit, "after 20 s"))))
        #expect(
            Self.found(try run.outcome()) == [
                "after 20 s; no step starts first: it is created with `resume: false`; add the step `resume: first`"
            ])
    }

    @Test func `an early exit or an exit status is a crash`() throws {
        var early = Run()
        early.start("first")
        early.add(.adapter(.exited(code: 0)))
        #expect(Self.found(try early.outcome()) == ["the adapter exited with status 0, before `end`"])
        var late = Run.plain()
        #expect(try late.outcome() == .pass)
        late = Run()
        late.start("first")
        late.complete("first", .timedOut)
        late.end(code: 3)
        #expect(Self.found(try late.outcome()) == ["the adapter exited with status 3, after `end`"])
        #expect(Self.kind(try late.outcome()) == "crash")
    }

    /// A slow machine excuses failures that it may have caused, but not failures that the implementation is known to
    /// have.
    @Test func `a failure under late packets is an error unless the baseline lists it`() throws {
        var run = Run()
        run.start("first")
        run.add(.note(.conditionNotKept("wlan0 up: the machine was too slow")))
        run.complete("first", .timedOut)
        run.end()
        let scenario = try run.scenario(["completes: { task: first, error: none }"])
        guard case .error = Judge.outcome(scenario: scenario, entries: run.entries) else {
            Issue.record("not excused")
            return
        }
        func line(_ outcome: String, _ kind: String?) -> Baseline {
            Baseline(lines: [.init(scenario: scenario.id, outcome: outcome, kind: kind, reason: "known", line: 1)])
        }
        for (baseline, word) in [
            (line("fail", "wrong"), "fail"), (line("fail", nil), "fail"), (line("fail", "crash"), "error"),
            (line("unsupported", nil), "error"),
        ] { #expect(Judge.outcome(scenario: scenario, entries: run.entries, baseline: baseline).word == word) }
    }

    private static func isTooSlow(_ run: Run, _ checks: [String]) throws -> Bool {
        let verdict = Judge.verdict(scenario: try run.scenario(checks), entries: run.entries)
        #expect(verdict.isTooSlow == (verdict.outcome.word == "error"))
        return verdict.isTooSlow
    }

    /// The machine was too slow; only a check of time may be excused by that.
    @Test func `bytes, headers, counts and order fail on any machine`() throws {
        var run = Run.plain()
        run.add(.note(.conditionNotKept("the machine was too slow: the adapter waited 2000.0 ms for a processor")))
        let wrong = [
            "requests: { count: 2 }", "body: { task: first, text: other }",
            "request: { number: 1, headers: { X-One: here } }", "order: [first.didComplete, first.didReceiveResponse]",
            "response: { task: first, status: 404 }", "completes: { task: first, error: cancelled }",
            "count: { event: first.didReceiveData, equals: 9 }",
            "timing: { from: first.didCreateTask, to: first.didComplete, atMost: 1ms }",
        ]
        for check in wrong { #expect(try run.outcome([check]).word == "fail", "\(check)") }
        for check in [
            "timing: { from: start, to: first.didComplete, atMost: 1ms }",
            "completes: { task: first, error: timedOut }",
        ] {
            #expect(try Self.isTooSlow(run, [check]), "\(check)")
            #expect(try !Self.isTooSlow(run, [check, wrong[0]]), "\(check)")
        }
    }

    @Test func `a check of time fails on a machine that was fast enough`() throws {
        #expect(
            try Run.plain().outcome(["timing: { from: start, to: first.didComplete, atMost: 1ms }"]).word == "fail")
    }

    @Test func `a run that a slow machine did not finish is excused unless an invariant was violated`() throws {
        var run = Run()
        run.start("first")
        run.add(.note(.conditionNotKept("the machine was too slow")))
        var late = run
        late.add(.adapter(.killed(Labelled(.limit, "after 20 s the run still waits"))))
        #expect(try Self.isTooSlow(late, ["requests: { count: 1 }"]))
        // A byte that the origin never sent.
        run.report("first", .didReceiveData([1]))
        run.add(.adapter(.killed(Labelled(.limit, "after 20 s the run still waits"))))
        #expect(try !Self.isTooSlow(run, ["requests: { count: 1 }"]))
    }

    /// The harness measures the wait for processors from the adapter's start on, so the note precedes the kill.
    @Test func `a missing reply to hello is a hang, or the fault of a slow machine`() throws {
        let killed = RecordEntry(
            time: 15_000_000_000, fact: .adapter(.killed(Labelled(.limit, "no reply to hello within 15 s"))))
        let wait = RecordEntry(
            time: 15_000_000_000,
            fact: .note(.conditionNotKept("the machine was too slow: the adapter waited 9000.0 ms for a processor")))
        #expect(Self.kind(try Run(recording: [killed]).outcome()) == "hang")
        #expect(try Self.isTooSlow(Run(recording: [wait, killed]), ["requests: { count: 1 }"]))
    }

    @Test func `an adapter killed by the harness has not crashed`() throws {
        var run = Run()
        run.start("first")
        run.add(.adapter(.killed(Labelled(.limit, "after 20 s the run still waits for completion of first"))))
        run.add(.adapter(.signalled(9)))
        #expect(Self.kind(try run.outcome()) == "hang")
        #expect(
            Self.found(try run.outcome()) == ["no completion; after 20 s the run still waits for completion of first"])
    }

    @Test func `a protocol error is a violation`() throws {
        var run = Run()
        run.start("first")
        run.add(.adapter(.violation("not JSON", line: "hello")))
        run.add(.adapter(.killed(Labelled(.violation, "not JSON"))))
        run.add(.adapter(.signalled(9)))
        #expect(Self.kind(try run.outcome()) == "violation")
        #expect(Self.found(try run.outcome()) == ["not JSON: hello"])
    }

    @Test func `a kill for a violation is a violation without other evidence`() throws {
        var run = Run.plain()
        run.add(.adapter(.killed(Labelled(.violation, "the adapter did not exit within 5 s after end"))))
        #expect(Self.found(try run.outcome()) == ["the adapter did not exit within 5 s after end"])
        #expect(Self.kind(try run.outcome()) == "violation")
    }

    @Test func `an unfinished last line and a gap are violations`() throws {
        var run = Run.plain()
        run.add(.adapter(.truncatedOutput("{\"seq\"")))
        #expect(Self.kind(try run.outcome()) == "violation")
        var gap = Run.plain()
        gap.add(.session(SessionEvent(sequence: 99, time: gap.now + 1_000_000, kind: .log(""))))
        #expect(Self.kind(try gap.outcome()) == "violation")
    }

    @Test func `a missing invalidation is a hang`() throws {
        var run = Run(Run.hello + "\n  - invalidate: main")
        run.start("first")
        run.command(.invalidate("main", cancelling: true))
        run.complete("first", .cancelled)
        run.add(.adapter(.killed(Labelled(.limit, "still waits"))))
        #expect(Self.kind(try run.outcome()) == "hang")
        #expect(Self.found(try run.outcome()) == ["it never came; still waits"])
    }

    @Test func `a missing reply to hello is a hang`() throws {
        var run = Run()
        run = Run(recording: run.entries.filter { $0.fact != .stepsBegan })
        run.add(.adapter(.killed(Labelled(.limit, "no reply to hello within 15 s"))))
        #expect(Self.kind(try run.outcome()) == "hang")
    }

    /// Every task ended; the steps wait for an event that this implementation does not send.
    @Test func `steps that cannot continue are wrong and not a hang`() throws {
        var run = Run()
        run.start("first")
        run.complete("first", .timedOut)
        run.add(.adapter(.killed(Labelled(.limit, "after 20 s the run still waits for script step 2"))))
        run.add(.adapter(.signalled(9)))
        #expect(Self.kind(try run.outcome()) == "wrong")
        #expect(Self.found(try run.outcome()) == ["after 20 s the run still waits for script step 2"])
    }

    @Test func `a task without an end is a hang even if no step waited`() throws {
        var run = Run()
        run.start("first")
        run.end()
        #expect(Self.kind(try run.outcome()) == "hang")
        #expect(
            Self.found(try run.outcome(["completes: { task: first }"])) == ["no completion", "no completion of first"])
    }

    @Test func `an incomplete record is never a pass`() throws {
        var run = Run.plain()
        run = Run(recording: Array(run.entries.dropLast(2)))
        #expect(Self.kind(try run.outcome()) == "error")
    }

    @Test func `an unknown kill reason is a fault of the harness`() throws {
        var run = Run()
        run.add(.adapter(.killed("interrupted")))
        #expect(try run.outcome() == .error("the harness ended the adapter: interrupted"))
    }

    @Test func `flood comes before crash, crash before violation, violation before hang`() throws {
        var run = Run("requestBudget: 1\n" + Run.hello)
        run.start("first")
        run.add(.adapter(.violation("gap", line: "")))
        run.add(.adapter(.signalled(6)))
        #expect(Self.kind(try run.outcome()) == "crash")
        run.request(1, "/hello")
        run.request(2, "/hello")
        #expect(Self.kind(try run.outcome()) == "flood")
        var limited = Run()
        limited.start("first")
        limited.add(.adapter(.violation("gap", line: "")))
        limited.add(.adapter(.killed(Labelled(.limit, "time"))))
        #expect(Self.kind(try limited.outcome()) == "violation")
    }

    @Test func `a verdict lists each check and invariant`() throws {
        let run = Run.plain()
        let verdict = Judge.verdict(
            scenario: try run.scenario(["completes: { task: first }", "connections: { count: 2 }"]),
            entries: run.entries)
        #expect(verdict.checks.map(\.name) == ["completes", "connections"])
        #expect(verdict.checks.map(\.passed) == [true, false])
        #expect(verdict.invariants.count == InvariantCatalogue.all.count && verdict.invariants.allSatisfy(\.passed))
        #expect(verdict.outcome == .fail(.wrong, verdict.mismatches))
    }
}
