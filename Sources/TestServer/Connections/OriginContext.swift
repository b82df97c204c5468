import FoundationEssentials
import HTTPFields
import NIOCore
import Record

/// The state that the connections of one origin share; confined to one event loop, so that the record has one order.
final class OriginContext {
    var state: OriginState
    let clock: @Sendable () -> Int64
    private let recordFact: @Sendable (ServerFact) -> Void
    private let reportFlood: @Sendable (OriginFlood) -> Void
    private let tally: OriginTally
    private var handlers: [Int: ConnectionHandler] = [:]
    private(set) var isStopped = false

    init(
        state: OriginState, tally: OriginTally, clock: @escaping @Sendable () -> Int64,
        record: @escaping @Sendable (ServerFact) -> Void,
        flood: @escaping @Sendable (OriginFlood) -> Void
    ) {
        self.state = state
        self.tally = tally
        self.clock = clock
        self.recordFact = record
        self.reportFlood = flood
    }

    func register(_ handler: ConnectionHandler) -> Int {
        let number = state.countConnection()
        handlers[number] = handler
        tally.note(connections: state.connections, requests: state.requests)
        return number
    }

    func unregister(_ number: Int) {
        if handlers.removeValue(forKey: number) != nil { state.forgetConnection() }
    }

    func handle(_ input: ConnectionInput, by machine: inout ConnectionMachine?) -> [ConnectionAction] {
        state.date = HTTPDate(seconds: Int64(Date().timeIntervalSince1970))
        let actions = machine?.handle(input, at: clock(), &state) ?? []
        tally.note(connections: state.connections, requests: state.requests)
        return actions
    }

    func record(_ fact: ServerFact) { recordFact(fact) }

    /// Returns true if a scenario waits at one of these.
    func isAwaited(_ breakpoints: [OriginState.Breakpoint]) -> Bool { breakpoints.contains(where: state.contains) }

    func report(_ flood: OriginFlood) { reportFlood(flood) }

    func release(_ breakpoint: OriginState.Breakpoint) {
        state.release(breakpoint)
        for (_, handler) in handlers { handler.submit(.released(breakpoint)) }
    }

    func stop() -> [any Channel] {
        isStopped = true
        return handlers.values.compactMap { $0.end() }
    }
}
