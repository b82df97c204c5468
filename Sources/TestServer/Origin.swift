package import NIOCore
import NIOPosix
package import OpenSSLTLS
package import Record
package import ScenarioLanguage

/// The embedded HTTP server: serves an `OriginPlan` on listening sockets made elsewhere and records its facts.
package final class Origin: Sendable {
    package struct Counts: Hashable, Sendable {
        package var connections: Int
        package var requests: Int
        package init(connections: Int, requests: Int) {
            self.connections = connections
            self.requests = requests
        }
    }

    private struct Lifecycle {
        var isStarted = false
        var isStopped = false
        var listeners: [any Channel] = []
    }

    private let loop: any EventLoop
    private let context: NIOLoopBoundBox<OriginContext>
    private let lifecycle: NIOLoopBoundBox<Lifecycle>
    private let tally = OriginTally()
    private let tls: TLSContext?

    /// - Parameters:
    ///   - seed: The run's seed, from which nonces are derived.
    ///   - tls: Settings of TLS sockets; needed when `start` gets any.
    ///   - breakpoints: Response body positions at which the response to the k-th request stops until
    ///     `resumeBreakpoint`.
    ///   - group: The origin runs on one of its event loops, so that its facts have one order.
    ///   - clock: CLOCK_MONOTONIC in nanoseconds.
    ///   - flood: Called on that event loop once for each limit that is exceeded.
    ///   - record: Called there, in order, when each fact happens.
    package init(
        plan: OriginPlan, seed: UInt64, tls: TLSContext? = nil, breakpoints: [(request: Int, bytes: Int64)] = [],
        limits: OriginLimits = OriginLimits(), group: any EventLoopGroup, clock: @escaping @Sendable () -> Int64,
        flood: @escaping @Sendable (OriginFlood) -> Void = { _ in }, record: @escaping @Sendable (ServerFact) -> Void
    ) {
        loop = group.next()
        self.tls = tls
        let state = OriginState(
            plan: plan, seed: seed,
            breakpoints: breakpoints.map { OriginState.Breakpoint(request: $0.request, bytes: $0.bytes) },
            limits: limits)
        context = NIOLoopBoundBox.makeBoxSendingValue(
            OriginContext(state: state, tally: tally, clock: clock, record: record, flood: flood), eventLoop: loop)
        lifecycle = NIOLoopBoundBox.makeBoxSendingValue(Lifecycle(), eventLoop: loop)
    }

    /// The numbers of connections and requests so far; may be read from any thread.
    package var counts: Counts { tally.current }

    /// Serves on bound stream sockets (they need not listen yet). The origin owns the descriptors from now on, also
    /// when starting fails; the future fails with a `TestServerError`.
    package func start(plain: [CInt], tls secure: [CInt] = []) -> EventLoopFuture<Void> {
        loop.flatSubmit { [self] in
            var sockets = plain.map { ($0, isSecure: false) } + secure.map { ($0, isSecure: true) }
            guard !lifecycle.value.isStarted else { return refuse(sockets.map(\.0), .alreadyStarted) }
            lifecycle.value.isStarted = true
            guard secure.isEmpty || tls != nil else { return refuse(sockets.map(\.0), .noIdentity) }
            sockets.reverse()
            return listen(sockets)
        }
    }

    /// Like the `start(plain:tls:)` that returns a future.
    package func start(plain: [CInt], tls secure: [CInt] = []) async throws(TestServerError) {
        let future: EventLoopFuture<Void> = start(plain: plain, tls: secure)
        do {
            try await future.get()
        } catch let error as TestServerError {
            throw error
        } catch {
            throw .cannotListen(descriptor: plain.first ?? secure.first ?? -1, reason: "\(error)")
        }
    }

    /// Resumes the response to this request at its breakpoint; may be called from any thread, also from `record`, and
    /// before the breakpoint is reached.
    package func resumeBreakpoint(request: Int, bytes: Int64) {
        loop.execute { [self] in context.value.release(OriginState.Breakpoint(request: request, bytes: bytes)) }
    }

    /// Stops the response to a later request at this byte until `resumeBreakpoint`.
    package func addBreakpoint(request: Int, bytes: Int64) -> EventLoopFuture<Void> {
        loop.submit { [self] in context.value.state.add(OriginState.Breakpoint(request: request, bytes: bytes)) }
    }

    /// Replaces all faults; their scopes count from here.
    package func setFaults(_ faults: [Fault]) -> EventLoopFuture<Void> {
        loop.submit { [self] in context.value.state.faults = FaultMatcher(faults) }
    }

    /// Closes every socket immediately; the future succeeds when all are closed.
    package func stop() -> EventLoopFuture<Void> {
        loop.flatSubmit { [self] in
            lifecycle.value.isStopped = true
            let channels = lifecycle.value.listeners + context.value.stop()
            for listener in lifecycle.value.listeners { listener.close(promise: nil) }
            lifecycle.value.listeners.removeAll()
            // A channel that failed has ended as well.
            return EventLoopFuture.andAllComplete(channels.map(\.closeFuture), on: loop)
        }
    }

    /// Like the `stop()` that returns a future.
    package func stop() async {
        let future: EventLoopFuture<Void> = stop()
        // Never fails: however a socket ended, it has ended.
        try? await future.get()
    }

    // MARK: - Implementation

    /// Adopts the last socket, then the rest.
    private func listen(_ sockets: [(CInt, isSecure: Bool)]) -> EventLoopFuture<Void> {
        var rest = sockets
        guard let (descriptor, isSecure) = rest.popLast() else { return loop.makeSucceededVoidFuture() }
        let others = rest
        return bootstrap(isSecure: isSecure).withBoundSocket(descriptor).hop(to: loop).flatMap { [self] channel in
            guard !lifecycle.value.isStopped else {
                channel.close(promise: nil)
                return refuse(others.map(\.0), .alreadyStarted)
            }
            lifecycle.value.listeners.append(channel)
            return listen(others)
        }.flatMapError { [self] error in
            if let error = error as? TestServerError { return loop.makeFailedFuture(error) }
            return stop().flatMap { [self] in
                refuse(others.map(\.0), .cannotListen(descriptor: descriptor, reason: "\(error)"))
            }
        }
    }

    private func bootstrap(isSecure: Bool) -> ServerBootstrap {
        let desk = context
        let tls = isSecure ? tls : nil
        return ServerBootstrap(group: loop, childGroup: loop)
            .serverChannelOption(.backlog, value: 1_024)
            // One read at a time: the position where reading stops is then known to 64 KiB.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let edge = SocketEdge()
                    try channel.pipeline.syncOperations.addHandlers(
                        edge, ConnectionHandler(originContext: desk.value, edge: edge, tls: tls))
                }
            }
    }

    private func refuse(_ descriptors: [CInt], _ error: TestServerError) -> EventLoopFuture<Void> {
        for descriptor in descriptors { UnusedSocket.close(descriptor) }
        return loop.makeFailedFuture(error)
    }
}
