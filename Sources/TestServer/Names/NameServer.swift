import Glibc
package import NIOCore
import NIOPosix
package import Scenario

/// The lab's name server on sockets made elsewhere: adopts bound UDP and TCP sockets, asks `NameService`, records every query.
package final class NameServer: Sendable {
    private let desk: NameDesk
    private let listeners: [any Channel]

    private init(desk: NameDesk, listeners: [any Channel]) {
        self.desk = desk
        self.listeners = listeners
    }

    /// Starts serving. The descriptors are bound sockets of either family (TCP ones need not listen yet); they belong to the server from
    /// here on, also when starting fails. `record` is called for each query when its answer is decided, from an event loop.
    package static func start(
        _ service: NameService, udp: [CInt], tcp: [CInt], on group: any EventLoopGroup,
        record: @escaping @Sendable (NameFact) -> Void
    ) async throws -> NameServer {
        let desk = NameDesk(service, record: record)
        var channels: [any Channel] = []
        var rest = (udp.map { ($0, isUDP: true) } + tcp.map { ($0, isUDP: false) })[...]
        do {
            while let (descriptor, isUDP) = rest.popFirst() {
                channels.append(
                    isUDP
                        ? try await datagrams(desk, group).withBoundSocket(descriptor).get()
                        : try await connections(desk, group).withBoundSocket(descriptor).get())
            }
        } catch {
            for (descriptor, _) in rest { _ = close(descriptor) }
            await NameServer(desk: desk, listeners: channels).stop()
            throw error
        }
        return NameServer(desk: desk, listeners: channels)
    }

    /// Changes one rule, from the next query on; safe to call from `record`.
    package func change(_ rule: NameRule) throws(NameServiceError) { try desk.change(rule) }

    /// Closes every socket; answers that still wait are never sent.
    package func stop() async {
        let open = listeners + desk.endAllConnections()
        for channel in open { channel.close(promise: nil) }
        // A channel that failed has ended as well.
        for channel in open { try? await channel.closeFuture.get() }
    }

    private static func datagrams(_ desk: NameDesk, _ group: any EventLoopGroup) -> DatagramBootstrap {
        DatagramBootstrap(group: group)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: NameDesk.maximumQuery))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NameDatagramHandler(desk))
                }
            }
    }

    private static func connections(_ desk: NameDesk, _ group: any EventLoopGroup) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: NameDesk.maximumQuery))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        IdleStateHandler(allTimeout: NameDesk.idleTime), NameConnectionHandler(desk))
                }
            }
    }
}
