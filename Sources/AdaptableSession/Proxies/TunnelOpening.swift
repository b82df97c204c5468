import NIOCore
import OpenSSLTLS

/// The steps that open a tunnel through a proxy on a channel connected to it: the proxy's own TLS, if any, then CONNECT
/// or SOCKS.
struct TunnelOpening {
    let proxy: ProxyServer
    /// The host at the other end of the tunnel.
    let host: String
    let port: Int
    /// Additional header fields of the CONNECT request.
    let fields: HeaderFields
    let contexts: TLSContexts

    /// Opens the tunnel. `done` adds the handlers for the protocol inside the tunnel. A failure response of the proxy
    /// is reported as `TransportFailure.proxy`.
    func open(on channel: any Channel, done: @escaping (Result<Void, any Error>) -> Void) {
        switch proxy.kind {
        case .http, .socks5: sendConnect(channel, done)
        case .https: secure(channel, done)
        }
    }

    /// Performs the TLS handshake with the proxy, then opens the tunnel.
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
            // The tunnel handler replaces the handler that waited for the proxy's TLS.
            if let old = try? channel.pipeline.syncOperations.handler(type: HandshakeHandler.self) {
                channel.pipeline.syncOperations.removeHandler(old, promise: nil)
            }
        } catch {
            done(.failure(error))
        }
    }
}
