import NIOCore
import NIOPosix
import OpenSSLTLS
import Record
import ScenarioLanguage

/// The state that the connections of one proxy share; confined to one event loop, so that the record has one order.
final class ProxyContext {
    var state: ProxyState
    let tls: TLSContext?
    let clock: @Sendable () -> Int64
    private let dialer: ProxyDialer
    private let threads: NIOThreadPool
    private let recordFact: @Sendable (ProxyFact) -> Void
    private var handlers: [Int: ProxyConnectionHandler] = [:]
    private(set) var isStopped = false

    init(
        state: ProxyState, tls: TLSContext?, clock: @escaping @Sendable () -> Int64, threads: NIOThreadPool,
        dial: @escaping ProxyDialer, record: @escaping @Sendable (ProxyFact) -> Void
    ) {
        self.state = state
        self.tls = tls
        self.clock = clock
        self.threads = threads
        dialer = dial
        recordFact = record
    }

    func register(_ handler: ProxyConnectionHandler) -> Int {
        let number = state.countConnection()
        handlers[number] = handler
        return number
    }

    func unregister(_ number: Int) { handlers[number] = nil }

    func record(_ event: ProxyFact.Event, _ connection: Int) {
        recordFact(ProxyFact(proxy: state.plan.name, connection: connection, event: event))
    }

    /// Connects on another thread, because connecting blocks and an event loop must not.
    func dial(_ target: ProxyTarget, on loop: any EventLoop) -> EventLoopFuture<Result<ProxyConnection, ProxyDialError>>
    {
        let dialer = dialer
        return threads.runIfActive(eventLoop: loop) { dialer(target) }
    }

    func change(_ change: ProxyChange) {
        state.change(change)
        for handler in handlers.values { handler.report(.changed) }
    }

    func release(_ breakpoint: ProxyBreakpoint) {
        state.release(breakpoint)
        for handler in handlers.values { handler.report(.released(breakpoint)) }
    }

    func stop() -> [any Channel] {
        isStopped = true
        return handlers.values.flatMap { $0.end() }
    }
}
