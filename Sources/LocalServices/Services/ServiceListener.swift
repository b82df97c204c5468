import AdaptableSession
import NIOCore
import NIOPosix

/// The listening sockets of a service, one for IPv4 and one for IPv6, on the same port (SRVC-04).
final class ServiceListener: Sendable {
    /// Two sockets with the same free port may need several tries: the port of one family can be in use in the other.
    private static let tries = 16

    let port: UInt16
    private let channels: [any Channel]

    private init(port: UInt16, channels: [any Channel]) { (self.port, self.channels) = (port, channels) }

    func close() { for channel in channels { channel.close(promise: nil) } }

    /// Listens on `port`, or on a free one for 0. `done` receives nil if that failed, for example for a port in use.
    /// Without IPv6 on this machine, the IPv4 socket alone is enough.
    static func open(
        _ port: UInt16, accepting accept: @escaping @Sendable (StreamConnection) -> Void,
        done: @escaping @Sendable (ServiceListener?) -> Void
    ) {
        open(port, tries, accept, done)
    }

    private static func open(
        _ port: UInt16, _ triesLeft: Int, _ accept: @escaping @Sendable (StreamConnection) -> Void,
        _ done: @escaping @Sendable (ServiceListener?) -> Void
    ) {
        bootstrap(accept).bind(host: "0.0.0.0", port: Int(port)).whenComplete { result in
            guard case .success(let first) = result,
                let chosen = first.localAddress?.port.flatMap(UInt16.init(exactly:))
            else { return done(nil) }
            bootstrap(accept).serverChannelOption(ChannelOptions.socket(IPPROTO_IPV6, IPV6_V6ONLY), value: 1)
                .bind(host: "::", port: Int(chosen)).whenComplete { result in
                    switch result {
                    case .success(let second): done(ServiceListener(port: chosen, channels: [first, second]))
                    case .failure(let error as IOError)
                    where error.errnoCode == EAFNOSUPPORT || error.errnoCode == EADDRNOTAVAIL:
                        done(ServiceListener(port: chosen, channels: [first]))
                    case .failure:
                        first.close(promise: nil)
                        if port == 0, triesLeft > 1 { open(0, triesLeft - 1, accept, done) } else { done(nil) }
                    }
                }
        }
    }

    private static func bootstrap(_ accept: @escaping @Sendable (StreamConnection) -> Void) -> ServerBootstrap {
        ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(ChannelOptions.autoRead, value: false)
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { accept(try StreamConnection(accepting: channel)) }
            }
    }
}
