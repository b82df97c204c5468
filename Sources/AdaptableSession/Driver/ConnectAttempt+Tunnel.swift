import NIOCore
import OpenSSLTLS

/// The way through a proxy, before anything is said to the origin.
extension ConnectAttempt {
    func openTunnel(_ proxy: ProxyServer, _ channel: any Channel) {
        switch proxy.kind {
        case .http, .socks5: ask(proxy, channel)
        case .https: secure(proxy, channel)
        }
    }

    /// The proxy's own TLS, around what CONNECT and the origin will say.
    private func secure(_ proxy: ProxyServer, _ channel: any Channel) {
        do {
            let context = try connector.contexts.context(alpn: ["http/1.1"])
            let handshake = HandshakeHandler { [self] result in
                guard isCurrent(channel) else { return }
                switch result {
                case .success: ask(proxy, channel)
                case .failure(let failure): fail(failure)
                }
            }
            try channel.pipeline.syncOperations.addHandlers(TLSClientHandler(context: context, serverName: proxy.host), handshake)
        } catch {
            fail(error)
        }
    }

    private func ask(_ proxy: ProxyServer, _ channel: any Channel) {
        do {
            let tunnel = ProxyTunnelHandler(proxy, host: demand.host, port: demand.key.port, fields: demand.tunnelFields) { [self] result in
                guard isCurrent(channel) else { return }
                switch result {
                case .success: speak(channel)
                case .failure(let failure): fail(TransportFailure.proxy(failure))
                }
            }
            try channel.pipeline.syncOperations.addHandler(tunnel)
            // In the place of the one that waited for the proxy's TLS.
            if let old = try? channel.pipeline.syncOperations.handler(type: HandshakeHandler.self) {
                channel.pipeline.syncOperations.removeHandler(old, promise: nil)
            }
        } catch {
            fail(error)
        }
    }
}
