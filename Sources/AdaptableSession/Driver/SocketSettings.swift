import NIOCore

/// The socket options of a session that differ from the system's defaults.
enum SocketSettings {
    /// TCP_NOTSENT_LOWAT, as the kernel's number because NIO does not define it.
    private static let unsentLimit = NIOBSDSocket.Option(rawValue: 25)

    static func apply(to channel: any Channel) {
        let options = channel.syncOptions
        try? options?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        // Without it, megabytes of a body count as sent before they have left, and a slow upload looks idle (TIME-10).
        try? options?.setOption(.tcpOption(unsentLimit), value: 64 * 1024)
    }
}
