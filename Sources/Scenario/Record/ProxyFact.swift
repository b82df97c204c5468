package import AdapterProtocol

/// What a proxy saw and did. Connections and requests count from 1, each proxy for itself.
package struct ProxyFact: Hashable, Sendable {
    package enum Form: String, CaseIterable, Hashable, Sendable { case absolute, connect, socks5 }

    package enum Event: Hashable, Sendable {
        case accepted(client: String, port: Int)
        case tlsEstablished(version: String, serverName: String?)
        case tlsFailed(reason: String)
        /// `target` is host:port as the client said it; SOCKS has no headers.
        case request(Int, form: Form, target: String, headers: [HeaderField])
        /// An HTTP status or a SOCKS reply in place of what was asked for.
        case refused(request: Int, reply: Int)
        /// `from` is the proxy's own end, by which the origin knows it.
        case connected(request: Int, from: String, to: String)
        /// So many bytes went on, and the proxy waits here for the harness.
        case carried(request: Int, ProxyFault.Direction, bytes: Int64)
        case fault(point: String, effect: String)
        case badRequest(reason: String)
        /// `by`: client, target, proxy or reset. The bytes are those that went on each way.
        case closed(by: String, up: Int64, down: Int64)
    }

    package var proxy: String
    package var connection: Int
    package var event: Event
    package init(proxy: String, connection: Int, event: Event) {
        self.proxy = proxy
        self.connection = connection
        self.event = event
    }
}
