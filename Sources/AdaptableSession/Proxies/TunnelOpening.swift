import NIOCore
import OpenSSLTLS

/// The way through a proxy, on a channel that is connected to it: the proxy's own TLS, then CONNECT or SOCKS.
struct TunnelOpening {
    let proxy: ProxyServer
    /// What the tunnel leads to.
    let host: String
    let port: Int
    /// What CONNECT says beside that.
    let fields: HeaderFields
    let contexts: TLSContexts

    /// `done` adds the handlers of what is spoken inside the tunnel. A failure of the proxy's answer is `TransportFailure.proxy`.
    func open(on channel: any Channel, done: @escaping (Result<Void, any Error>) -> Void) {
        switch proxy.kind {
        case .http, .socks5: sendConnect(channel, done)
        case .https: secure(channel, done)
        }
    }

    /// The proxy's own TLS, around what CONNECT and the origin will say.
    private func secure(_ channel: any Channel, _ done: @escaping (Result<Void, any Error>) -> Void) {
        do {
            let context = try contexts.context(alpn: ["http/1.1"])
            let handshake = HandshakeHandler { result in
                switch result {
                case .success: sendConnect(channel, done)
                case .failure(let failure): done(.failure(failure))
                }
            }
            try channel.pipeline.syncOperations.addHandlers(
                TLSClientHandler(context: context, serverName: proxy.host), handshake)
        } catch {
            done(.failure(error))
        }
    }

    private func sendConnect(_ channel: any Channel, _ done: @escaping (Result<Void, any Error>) -> Void) {
        do {
            let tunnel = ProxyTunnelHandler(proxy, host: host, port: port, fields: fields) { result in
                done(result.mapError { TransportFailure.proxy($0) })
            }
            try channel.pipeline.syncOperations.addHandler(tunnel)
            // In the place of the one that waited for the proxy's TLS.
            if let old = try? channel.pipeline.syncOperations.handler(type: HandshakeHandler.self) {
                channel.pipeline.syncOperations.removeHandler(old, promise: nil)
            }
        } catch {
            done(.failure(error))
        }
    }
}
