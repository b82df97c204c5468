package import NIOCore
import NIOPosix
package import Record
package import ScenarioLanguage

/// The lab's name server on sockets made elsewhere: adopts bound UDP and TCP sockets, calls `DNSService`, records every
/// query.
package final class DNSServer: Sendable {
    private let context: DNSServerContext
    private let listeners: [any Channel]

    private init(serverContext: DNSServerContext, listeners: [any Channel]) {
        self.context = serverContext
        self.listeners = listeners
    }

    /// Starts serving. The descriptors are bound sockets of either family (TCP ones need not listen yet); the server
    /// owns them from now on, also when starting fails. `record` is called on an event loop for each query when its
    /// reply is decided.
    package static func start(
        _ service: DNSService, udp: [CInt], tcp: [CInt], on group: any EventLoopGroup,
        record: @escaping @Sendable (DNSFact) -> Void
    ) -> EventLoopFuture<DNSServer> {
        let serverContext = DNSServerContext(service, record: record)
        let loop = group.next()
        let adopted =
            udp.map { datagrams(serverContext, group).withBoundSocket($0) }
            + tcp.map { connections(serverContext, group).withBoundSocket($0) }
        return EventLoopFuture.whenAllComplete(adopted, on: loop).flatMap { results in
            let server = DNSServer(serverContext: serverContext, listeners: results.compactMap { try? $0.get() })
            for result in results {
                guard case .failure(let error) = result else { continue }
                return server.stop(on: loop).flatMapThrowing { throw error }
            }
            return loop.makeSucceededFuture(server)
        }
    }

    /// Like the `start` that returns a future.
    package static func start(
        _ service: DNSService, udp: [CInt], tcp: [CInt], on group: any EventLoopGroup,
        record: @escaping @Sendable (DNSFact) -> Void
    ) async throws -> DNSServer {
        let future: EventLoopFuture<DNSServer> = start(service, udp: udp, tcp: tcp, on: group, record: record)
        return try await future.get()
    }

    /// Changes one rule, beginning with the next query; may be called from `record`.
    package func change(_ rule: DNSRule) throws(DNSServiceError) {
        try context.edit { (service) throws(DNSServiceError) in try service.change(rule) }
    }

    /// Replaces all rules, beginning with the next query.
    package func replaceRules(_ rules: [DNSRule]) throws(DNSServiceError) {
        try context.edit { (service) throws(DNSServiceError) in try service.replaceRules(rules) }
    }

    /// Begins to reply as a network with this NAT64 does, or as one without it.
    package func setNAT64(_ nat64: NAT64Plan?) throws(DNSServiceError) {
        try context.edit { (service) throws(DNSServiceError) in try service.setNAT64(nat64) }
    }

    /// Closes every socket; delayed replies are never sent. A channel that failed has ended as well.
    package func stop(on loop: any EventLoop) -> EventLoopFuture<Void> {
        let open = listeners + context.endAllConnections()
        for channel in open { channel.close(promise: nil) }
        return EventLoopFuture.andAllComplete(open.map(\.closeFuture), on: loop)
    }

    /// Like `stop(on:)`.
    package func stop() async {
        guard let loop = listeners.first?.eventLoop else { return }
        // It never fails.
        try? await stop(on: loop).get()
    }

    private static func datagrams(_ serverContext: DNSServerContext, _ group: any EventLoopGroup) -> DatagramBootstrap {
        DatagramBootstrap(group: group)
            .channelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: DNSServerContext.maximumQuery)
            )
            .channelInitializer { channel in
                serverContext.add(datagrams: channel)
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(DNSDatagramHandler(serverContext))
                }
            }
    }

    private static func connections(_ serverContext: DNSServerContext, _ group: any EventLoopGroup) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .childChannelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: DNSServerContext.maximumQuery)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        IdleStateHandler(allTimeout: DNSServerContext.idleTime), DNSConnectionHandler(serverContext))
                }
            }
    }
}
