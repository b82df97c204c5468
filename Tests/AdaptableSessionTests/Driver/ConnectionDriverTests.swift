import NIOCore
import NIOPosix
import Testing

@testable import AdaptableSession

@Suite struct ConnectionDriverTests {
    /// The server accepts the connection and sends nothing, so the handshake lasts as long as the client waits.
    @Test(.timeLimit(.minutes(1))) func `an abandoned driver cancels its connection attempts`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let accepted = loop.makePromise(of: (any Channel).self)
        let server = try await ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                accepted.succeed(channel)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = server.localAddress?.port ?? 0
        let driver = try await loop.submit {
            let driver = ConnectionDriver(
                settings: SessionSettings(), network: NetworkView(nil, policy: PathPolicy()), eventLoop: loop)
            _ = driver.obtain(
                ConnectionDemand(
                    key: ConnectionKey(host: "127.0.0.1", port: port, isSecure: true), host: "127.0.0.1", owner: 1,
                    priority: 0.5,
                    deliver: { _ in false }))
            return NIOLoopBoundBox(Optional(driver), eventLoop: loop)
        }.get()
        let channel = try await accepted.futureResult.get()
        try await loop.submit {
            driver.value?.abandon()
            driver.value = nil
        }.get()
        try await channel.closeFuture.get()
        try await server.close()
    }
}
