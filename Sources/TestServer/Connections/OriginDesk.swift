import FoundationEssentials
import NIOCore
import Scenario

/// Everything the connections of one origin share; it lives on one event loop, so that the record has one order.
final class OriginDesk {
    var state: OriginState
    let clock: @Sendable () -> Int64
    private let recordFact: @Sendable (ServerFact) -> Void
    private let tellFlood: @Sendable (OriginFlood) -> Void
    private let tally: OriginTally
    private var handlers: [Int: ConnectionHandler] = [:]
    private(set) var isStopped = false

    init(
        state: OriginState, tally: OriginTally, clock: @escaping @Sendable () -> Int64, record: @escaping @Sendable (ServerFact) -> Void,
        flood: @escaping @Sendable (OriginFlood) -> Void
    ) {
        self.state = state
        self.tally = tally
        self.clock = clock
        self.recordFact = record
        self.tellFlood = flood
    }

    func enter(_ handler: ConnectionHandler) -> Int {
        let number = state.countConnection()
        handlers[number] = handler
        tally.note(connections: state.connections, requests: state.requests)
        return number
    }

    func leave(_ number: Int) {
        if handlers.removeValue(forKey: number) != nil { state.forgetConnection() }
    }

    func handle(_ input: ConnectionInput, by machine: inout ConnectionMachine?) -> [ConnectionAction] {
        state.date = HTTPDate(seconds: Int64(Date().timeIntervalSince1970))
        let actions = machine?.handle(input, at: clock(), &state) ?? []
        tally.note(connections: state.connections, requests: state.requests)
        return actions
    }

    func record(_ fact: ServerFact) { recordFact(fact) }

    /// A scenario waits at one of these.
    func isAwaited(_ marks: [OriginState.Mark]) -> Bool { marks.contains(where: state.holds) }

    func tell(_ flood: OriginFlood) { tellFlood(flood) }

    func release(_ mark: OriginState.Mark) {
        state.release(mark)
        for (_, handler) in handlers { handler.submit(.released(mark)) }
    }

    func stop() -> [any Channel] {
        isStopped = true
        return handlers.values.compactMap { $0.end() }
    }
}
