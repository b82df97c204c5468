package import AdapterProtocol

/// An event at a proxy. Connections and requests count from 1 for each proxy.
package struct ProxyFact: Hashable, Sendable {
    package enum Form: String, CaseIterable, Hashable, Sendable { case absolute, connect, socks5 }

    package enum Event: Hashable, Sendable {
        case accepted(client: String, port: Int)
        case tlsEstablished(version: String, serverName: String?)
        case tlsFailed(reason: String)
        /// `target` is host:port as the client sent it; SOCKS requests are recorded without headers.
        case request(Int, form: Form, target: String, headers: [HeaderField])
        /// An HTTP status or a SOCKS reply in place of a connection.
        case refused(request: Int, reply: Int)
        /// `from` is the proxy's end, which the origin sees as the client.
        case connected(request: Int, from: String, to: String)
        /// This many bytes were forwarded, and the proxy waits here for the harness.
        case carried(request: Int, ProxyFault.Direction, bytes: Int64)
        case fault(point: String, effect: String)
        case badRequest(reason: String)
        /// `by`: client, target, proxy or reset. The byte counts are those forwarded in each direction.
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
