import AdapterProtocol
package import NIOCore
package import NIOPosix
package import OpenSSLTLS
package import Record
package import ScenarioLanguage

/// One proxy: serves a `ProxyPlan` on listening sockets made elsewhere and records its facts.
package final class ProxyServer: Sendable {
    private let loop: any EventLoop
    private let context: NIOLoopBoundBox<ProxyContext>
    private let listeners: NIOLoopBoundBox<[any Channel]>
    private let lacksIdentity: Bool

    /// - Parameters:
    ///   - seed: The run's seed, from which nonces are derived.
    ///   - breakpoints: Positions in the carried bytes at which the proxy waits until `resumeBreakpoint`.
    ///   - tls: TLS settings of a proxy of the kind `https`; needed for that kind.
    ///   - group: The proxy runs on one of its event loops, so that its facts have one order.
    ///   - threads: The threads on which `dial` may block.
    ///   - record: Called on that event loop, in order, when each fact happens.
    package init(
        plan: ProxyPlan, seed: UInt64, breakpoints: [ProxyBreakpoint] = [], tls: TLSContext? = nil,
        group: any EventLoopGroup, threads: NIOThreadPool,
        clock: @escaping @Sendable () -> Int64, dial: @escaping ProxyDialer,
        record: @escaping @Sendable (ProxyFact) -> Void
    ) {
        loop = group.next()
        lacksIdentity = plan.kind == .https && tls == nil
        context = NIOLoopBoundBox.makeBoxSendingValue(
            ProxyContext(
                state: ProxyState(plan: plan, seed: seed, breakpoints: breakpoints), tls: tls, clock: clock,
                threads: threads, dial: dial, record: record),
            eventLoop: loop)
        listeners = NIOLoopBoundBox.makeBoxSendingValue([], eventLoop: loop)
    }

    /// Serves on bound stream sockets. The proxy owns the descriptors from now on, also when starting fails; the future
    /// fails with a `TestServerError`.
    package func start(on descriptors: [CInt]) -> EventLoopFuture<Void> {
        loop.flatSubmit { [self] in
            guard !lacksIdentity else {
                for descriptor in descriptors { UnusedSocket.close(descriptor) }
                return loop.makeFailedFuture(TestServerError.noIdentity)
            }
            return listen(descriptors)
        }
    }

    /// May be called from any thread, also from `record`, and before the breakpoint is reached.
    package func resumeBreakpoint(_ breakpoint: ProxyBreakpoint) {
        loop.execute { [self] in context.value.release(breakpoint) }
    }

    /// Changes the plan; may be called from any thread. The future succeeds when the change is in force.
    package func change(_ change: ProxyChange) -> EventLoopFuture<Void> {
        loop.submit { [self] in context.value.change(change) }
    }

    private func listen(_ descriptors: [CInt]) -> EventLoopFuture<Void> {
        guard let descriptor = descriptors.first else { return loop.makeSucceededVoidFuture() }
        let rest = Array(descriptors.dropFirst())
        return bootstrap().withBoundSocket(descriptor).hop(to: loop).flatMap { [self] channel in
            listeners.value.append(channel)
            return listen(rest)
        }.flatMapError { [self] error in
            for descriptor in rest { UnusedSocket.close(descriptor) }
            return loop.makeFailedFuture(
                (error as? TestServerError) ?? .cannotListen(descriptor: descriptor, reason: "\(error)"))
        }
    }

    private func bootstrap() -> ServerBootstrap {
        let proxyContext = context
        return ServerBootstrap(group: loop, childGroup: loop)
            .serverChannelOption(.backlog, value: 1_024)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let edge = SocketEdge()
                    try channel.pipeline.syncOperations.addHandlers(
                        edge, ProxyConnectionHandler(proxyContext: proxyContext.value, edge: edge))
                }
            }
    }

    /// Closes every socket immediately; the future succeeds when all are closed.
    package func stop() -> EventLoopFuture<Void> {
        loop.flatSubmit { [self] in
            let channels = listeners.value + context.value.stop()
            for listener in listeners.value { listener.close(promise: nil) }
            listeners.value.removeAll()
            // A channel that failed has ended as well.
            return EventLoopFuture.andAllComplete(channels.map(\.closeFuture), on: loop)
        }
    }
}
