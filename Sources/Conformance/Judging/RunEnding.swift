import ScenarioLanguage
import Record
import AdapterProtocol

/// The ending of a run according to the harness and the adapter's process.
struct RunEnding {
    private let record: RecordView
    /// The failure of the harness, the machine or the adapter itself: the implementation cannot be judged.
    let fault: String?
    /// The feature that the adapter reported as unsupported.
    let unsupported: String?
    private let killed: (reason: KillReason, text: String, moment: RecordView.Moment)?
    private let end: RecordView.Moment?

    init(_ record: RecordView) {
        self.record = record
        let kill = record.adapter.lazy.compactMap { fact, moment in
            if case .killed(let reason) = fact { (reason, moment) } else { nil }
        }.first
        killed = kill.flatMap { kill in kill.0.word.map { ($0, kill.0.details, kill.1) } }
        end = record.moments(of: .end).first
        unsupported = RunEnding.unsupported(record, before: kill?.1)
        fault = RunEnding.fault(
            record, unknownKill: killed == nil ? kill?.0.text : nil,
            hasEnded: end != nil || kill != nil || unsupported != nil)
    }

    private static func fault(_ record: RecordView, unknownKill: String?, hasEnded: Bool) -> String? {
        for (note, _) in record.notes {
            if case .harnessFault(let fault) = note { return fault }
        }
        for (event, _) in record.sessionEvents {
            if case .adapterFailed(let message) = event.kind {
                return "the adapter itself failed, not the session: \(message)"
            }
        }
        if let unknownKill { return "the harness ended the adapter: \(unknownKill)" }
        if !hasEnded, exit(record) == nil {
            return "the record ends before the run does; the missing part cannot be judged"
        }
        return nil
    }

    /// Returns the feature that the adapter reported as unsupported in the handshake or in reply to a command, but not
    /// after the harness had to end it.
    private static func unsupported(_ record: RecordView, before kill: RecordView.Moment?) -> String? {
        for (note, _) in record.notes {
            if case .unsupported(let feature) = note { return feature }
        }
        for (event, moment) in record.sessionEvents {
            guard case .unsupported(let feature) = event.kind else { continue }
            // Compared by position in the record: by the adapter's clock, a message read after the kill was sent before
            // it.
            if kill.map({ moment.entry < $0.entry }) ?? true { return feature }
        }
        return nil
    }

    private enum Exit {
        case code(Int32)
        case signal(Int32)
    }

    private static func exit(_ record: RecordView) -> (Exit, RecordView.Moment)? {
        for (fact, moment) in record.adapter {
            switch fact {
            case .exited(let code): return (.code(code), moment)
            case .signalled(let number): return (.signal(number), moment)
            default: continue
            }
        }
        return nil
    }

    /// True if the harness ended the run at its timeout: on a machine that was too slow, everything after that moment
    /// is missing.
    var isCutShort: Bool { killed?.reason == .limit }

    // MARK: - Kinds of failure

    /// A flood, crash, violation or hang with its evidence; nil if the run reached its end.
    var breakOff: (Outcome.FailureKind, [Mismatch])? {
        if let flood { return (.flood, [flood]) }
        if let crash { return (.crash, [crash]) }
        let violations = violations
        if !violations.isEmpty { return (.violation, violations) }
        if let hang { return (.hang, hang) }
        return nil
    }

    private var flood: Mismatch? {
        let budget = record.scenario.requestBudget
        let expected = "at most \(budget) requests"
        if let killed, killed.reason == .flood {
            return mismatch(
                "flood", expected: expected, found: killed.text,
                evidence: record.requests.suffix(3).map(\.moment) + [killed.moment]
            )
        }
        guard record.requests.count > budget else { return nil }
        return mismatch(
            "flood", expected: expected, found: "\(record.requests.count) requests",
            evidence: record.requests.suffix(3).map(\.moment))
    }

    private var crash: Mismatch? {
        guard let (exit, moment) = RunEnding.exit(record), killed.map({ moment < $0.moment }) ?? true else {
            return nil
        }
        let wasNotified = end.map { $0 < moment } ?? false
        let found: String
        switch exit {
        case .signal(let number): found = "the adapter was killed by signal \(number)\(RunEnding.signalName(number))"
        case .code(0) where wasNotified: return nil
        case .code(let code):
            found = "the adapter exited with status \(code)" + (wasNotified ? ", after `end`" : ", before `end`")
        }
        let fatal = CrashCause.fatalLines(in: errors.map(\.text))
        // Behind a line that names the cause follow backtraces, which need not be evidence.
        let cause = fatal.isEmpty ? lastErrors(3) : fatal.suffix(2).map { errors[$0].moment }
        return mismatch(
            "crash", expected: "the adapter runs until `end` and then exits with status 0",
            found: found + truncatedOutput,
            evidence: lastEvents(3) + cause + [moment])
    }

    private var violations: [Mismatch] {
        var found = record.adapter.compactMap { fact, moment -> Mismatch? in
            guard case .violation(let what, let line) = fact else { return nil }
            return mismatch(
                "adapter protocol", expected: "lines of the adapter protocol",
                found: what + (line.isEmpty ? "" : ": \(line.prefix(200))"), evidence: [moment])
        }
        found += ProtocolOrder.judge(record)
        if let killed, killed.reason == .violation, found.isEmpty {
            found.append(
                mismatch(
                    "adapter protocol", expected: "the adapter protocol", found: killed.text, evidence: [killed.moment])
            )
        }
        if killed == nil || killed?.reason == .stays {
            for (fact, moment) in record.adapter {
                guard case .truncatedOutput(let words) = fact else { continue }
                found.append(
                    mismatch(
                        "adapter protocol", expected: "whole lines",
                        found: "an unfinished last line: \(words.prefix(200))",
                        evidence: [moment]))
            }
        }
        return found
    }

    private var hang: [Mismatch]? {
        guard let killed, killed.reason == .limit else { return nil }
        let waiting = unfinished
        guard waiting.isEmpty else {
            return waiting.map { mismatch in
                var extended = mismatch
                extended.found += "; \(killed.text)\(truncatedOutput)"
                extended.evidence = Array(Set(extended.evidence + (lastErrors(2) + [killed.moment]).map(\.entry)))
                    .sorted()
                return extended
            }
        }
        guard record.start == nil else { return nil }
        return [
            mismatch(
                "hang", expected: "a reply to `hello`", found: killed.text + truncatedOutput,
                evidence: lastEvents(2) + lastErrors(3) + [killed.moment])
        ]
    }

    /// The tasks and sessions that were started and never ended.
    var unfinished: [Mismatch] {
        let sessions = record.unfinishedSessions.map { session in
            mismatch(
                "one invalidation", expected: "\(session).didBecomeInvalid", found: "it never came",
                evidence: record.moments(of: .invalidate(session, cancelling: true))
                    + record.moments(of: .invalidate(session, cancelling: false)))
        }
        return OneCompletion.unfinished(record) + sessions
    }

    /// The mismatch for a timeout although every task had ended: the steps wait for an event that this implementation
    /// does not send.
    var stuck: [Mismatch] {
        guard let killed, killed.reason == .limit else { return [] }
        let misuse = record.scenario.misuse(of: record.scenario.awaitedTasks).map { "; \($0)" } ?? ""
        return [
            mismatch(
                "steps", expected: "the last step is done", found: killed.text + misuse,
                evidence: record.steps.suffix(1) + [killed.moment])
        ]
    }

    // MARK: - Evidence

    private func mismatch(_ name: String, expected: String, found: String, evidence: [RecordView.Moment]) -> Mismatch {
        Mismatch(check: name, expected: expected, found: found, evidence: Set(evidence).sorted().map(\.entry))
    }

    private func lastEvents(_ count: Int) -> [RecordView.Moment] { record.sessionEvents.suffix(count).map(\.moment) }

    /// The lines of standard error.
    private var errors: [(text: String, moment: RecordView.Moment)] {
        record.adapter.compactMap { if case .standardError(let text) = $0.fact { (text, $0.moment) } else { nil } }
    }

    private func lastErrors(_ count: Int) -> [RecordView.Moment] { errors.suffix(count).map(\.moment) }

    /// The cause in the output of the adapter, for every report.
    private var truncatedOutput: String {
        let cause = CrashCause.text(in: errors.map(\.text)).map { "; standard error: \($0.prefix(200))" } ?? ""
        let words = record.adapter.compactMap { fact, _ in
            if case .truncatedOutput(let words) = fact { "; last words: \(words.prefix(200))" } else { nil }
        }
        return cause + words.joined()
    }

    private static func signalName(_ number: Int32) -> String {
        switch number {
        case 4: " (SIGILL)"
        case 5: " (SIGTRAP)"
        case 6: " (SIGABRT)"
        case 7: " (SIGBUS)"
        case 8: " (SIGFPE)"
        case 9: " (SIGKILL)"
        case 11: " (SIGSEGV)"
        case 13: " (SIGPIPE)"
        case 15: " (SIGTERM)"
        default: ""
        }
    }
}
