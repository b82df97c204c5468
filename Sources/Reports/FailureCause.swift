import AdapterProtocol
import Conformance
import Record

/// The kinds of record entries that usually explain a failure. An excerpt has entries of each kind that occurred, however
/// far they are from the evidence.
enum FailureCause: CaseIterable, Hashable, Sendable {
    /// A change of an interface or a link after the steps began.
    case network
    /// A change of a DNS rule after the steps began, or a reply without addresses.
    case dns
    /// A fault of the origin or a proxy that fired, or a connection that they could not use.
    case fault
    /// An error of the adapter or its process, with the line of standard error that names it.
    case adapter
    /// A remark of the harness about the machine.
    case machine

    /// Returns the causes in a record by the index of their entry.
    static func all(in record: [RecordEntry]) -> [Int: FailureCause] {
        var all: [Int: FailureCause] = [:]
        var haveStepsBegun = false
        var errors: [(index: Int, text: String)] = []
        for (index, entry) in record.enumerated() {
            switch entry.fact {
            case .stepsBegan, .step: haveStepsBegun = true
            case .adapter(.standardError(let text)): errors.append((index, text))
            default: if let cause = of(entry.fact, afterStart: haveStepsBegun) { all[index] = cause }
            }
        }
        for line in CrashCause.fatalLines(in: errors.map(\.text)) { all[errors[line].index] = .adapter }
        return all
    }

    private static func of(_ fact: RecordEntry.Fact, afterStart: Bool) -> FailureCause? {
        switch fact {
        case .network(let fact): afterStart ? of(fact) : nil
        case .name(let fact): fact.isFailure ? .dns : nil
        case .server(.fault), .server(.tlsFailed), .server(.badRequest): .fault
        case .server: nil
        case .proxy(let fact): fact.isRefusal ? .fault : nil
        case .session(let event): of(event.kind)
        case .adapter(let fact): of(fact)
        case .note(.harnessFault), .note(.conditionNotKept): .machine
        case .note(.unsupported), .note(.other), .notJudged: nil
        case .runStarted, .command, .stepsBegan, .step, .runEnded: nil
        }
    }

    private static func of(_ fact: NetworkFact) -> FailureCause? {
        switch fact {
        case .interfaceState, .conditionRequested, .interfaceChanged, .power: .network
        case .dnsService: .dns
        case .conditionMeasured, .packet, .resetLost, .packetCounts: nil
        }
    }

    private static func of(_ kind: SessionEvent.Kind) -> FailureCause? {
        switch kind {
        case .adapterFailed, .unsupported, .unknown: .adapter
        case .hello, .task, .didBecomeInvalid, .delegateReleased, .didFinishEvents, .sessionPropertyRead, .tasksListed,
            .log:
            nil
        }
    }

    private static func of(_ fact: AdapterFact) -> FailureCause? {
        switch fact {
        case .violation, .killed, .signalled, .truncatedOutput: .adapter
        case .exited(let code): code == 0 ? nil : .adapter
        case .started, .standardError, .memory, .leftFiles, .process, .relaunchRequested, .connectionOwner: nil
        }
    }

    /// Returns the most informative causes up to `end`, in no particular order: the last and the first of each kind, then
    /// the latest ones. What happened to the adapter counts wherever it is, because it is noticed late.
    static func chosen(from causes: [Int: FailureCause], upTo end: Int, limit: Int) -> [Int] {
        let known = causes.filter { $0.key <= end || $0.value == .adapter }
        var chosen: [Int] = []
        func choose(_ index: Int?) {
            if let index, chosen.count < limit, !chosen.contains(index) { chosen.append(index) }
        }
        for cause in allCases { choose(known.filter { $0.value == cause }.keys.max()) }
        for cause in allCases { choose(known.filter { $0.value == cause }.keys.min()) }
        for index in known.keys.sorted(by: >) { choose(index) }
        return chosen
    }
}

extension DNSFact {
    /// True for a reply with an error or not sent. The record has only the text of the reply: addresses begin with a digit
    /// or contain a colon. A name without records of one type is ordinary.
    var isFailure: Bool {
        if reply.hasPrefix("no records") { return false }
        let word = reply.prefix { $0 != "," && $0 != " " }
        return !(word.first?.isNumber ?? false) && !word.dropLast().contains(":")
    }
}
