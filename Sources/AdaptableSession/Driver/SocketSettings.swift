import NIOCore

/// What the sockets of a session are set to, where the system's default does not do.
enum SocketSettings {
    /// TCP_NOTSENT_LOWAT, by the kernel's number since NIO does not name it.
    private static let unsentLimit = NIOBSDSocket.Option(rawValue: 25)

    static func apply(to channel: any Channel) {
        let options = channel.syncOptions
        try? options?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        // Without it megabytes of a body count as sent that have not left, and a slow upload looks like silence (TIME-10).
        try? options?.setOption(.tcpOption(unsentLimit), value: 64 * 1024)
    }
}
