import AdapterProtocol
import Conformance
import Record

/// The kinds of record entries that usually explain a failure. An excerpt has entries of each kind that occurred, however
/// far they are from the evidence.
enum FailureCause: CaseIterable, Hashable, Sendable {
    /// A change of an interface or a link after the steps began, or an interface that is not up when they begin.
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
        var initial: [InterfaceKind: Int] = [:]
        for (index, entry) in record.enumerated() {
            switch entry.fact {
            case .stepsBegan, .step: haveStepsBegun = true
            case .adapter(.standardError(let text)): errors.append((index, text))
            case .network(.interfaceState(let kind, let state)) where !haveStepsBegun:
                initial[kind] = state == .up ? nil : index
            default: if let cause = of(entry.fact, afterStart: haveStepsBegun) { all[index] = cause }
            }
        }
        for index in initial.values { all[index] = .network }
        for line in CrashCause.fatalLines(in: errors.map(\.text)) { all[errors[line].index] = .adapter }
        return all
    }

    private static func of(_ fact: RecordEntry.Fact, afterStart: Bool) -> FailureCause? {
        switch fact {
        case .network(let fact): afterStart ? of(fact) : nil
        case .name(let fact): fact.failure != nil ? .dns : nil
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
            .emptied,
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

    /// Returns true if the cause at `index` may explain evidence that ends at `end`. What happened to the adapter counts
    /// wherever it is, because it is noticed late.
    func explains(upTo end: Int, at index: Int) -> Bool { index <= end || self == .adapter }

    /// Returns the most informative causes, in no particular order: the last and the first of each kind, then the latest
    /// ones.
    static func chosen(from causes: [Int: FailureCause], limit: Int) -> [Int] {
        var chosen: [Int] = []
        func choose(_ index: Int?) {
            if let index, chosen.count < limit, !chosen.contains(index) { chosen.append(index) }
        }
        for cause in allCases { choose(causes.filter { $0.value == cause }.keys.max()) }
        for cause in allCases { choose(causes.filter { $0.value == cause }.keys.min()) }
        for index in causes.keys.sorted(by: >) { choose(index) }
        return chosen
    }
}
