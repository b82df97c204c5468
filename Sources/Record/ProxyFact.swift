package import AdapterProtocol

/// An event at a proxy. Connections and requests count from 1 for each proxy.
package struct ProxyFact: Hashable, Sendable {
    package enum Form: String, CaseIterable, Hashable, Sendable { case absolute, connect, socks5 }

    /// The side that ended a connection; `reset` is a RST of the client or of the target.
    package enum Closing: String, CaseIterable, Hashable, Sendable { case client, target, proxy, reset }

    package enum Direction: String, CaseIterable, Hashable, Sendable {
        /// To the target.
        case uplink = "uplink"
        /// To the client.
        case downlink = "downlink"
    }

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
        case carried(request: Int, Direction, bytes: Int64)
        case fault(point: String, effect: String)
        case badRequest(reason: String)
        /// The byte counts are those forwarded in each direction.
        case closed(by: Closing, up: Int64, down: Int64)
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

extension ProxyFact {
    var object: RecordObject {
        let line: RecordObject =
            switch event {
            case .accepted(let client, let port):
                RecordObject("proxyAccepted").with("client", client).with("port", port)
            case .tlsEstablished(let version, let name):
                RecordObject("proxyTLSEstablished").with("version", version).with("serverName", name)
            case .tlsFailed(let reason): RecordObject("proxyTLSFailed").with("reason", reason)
            case .request(let number, let form, let target, let headers):
                RecordObject("proxyRequest").with("request", number).with("form", form.rawValue).with("target", target)
                    .with("headers", headers)
            case .refused(let request, let reply):
                RecordObject("proxyRefused").with("request", request).with("reply", reply)
            case .connected(let request, let from, let to):
                RecordObject("proxyConnected").with("request", request).with("from", from).with("to", to)
            case .carried(let request, let direction, let bytes):
                RecordObject("proxyCarried").with("request", request).with("direction", direction.rawValue).with(
                    "bytes", bytes)
            case .fault(let point, let effect): RecordObject("proxyFault").with("point", point).with("effect", effect)
            case .badRequest(let reason): RecordObject("proxyBadRequest").with("reason", reason)
            case .closed(let by, let up, let down):
                RecordObject("proxyClosed").with("by", by.rawValue).with("uplink", up).with("downlink", down)
            }
        return line.with("proxy", proxy).with("connection", connection)
    }

    /// Returns nil if the kind is not a proxy fact.
    init?(_ fields: RecordFields) throws(RecordError) {
        let event: Event
        switch fields.kind {
        case "proxyAccepted": event = .accepted(client: try fields.text("client"), port: try fields.whole("port"))
        case "proxyTLSEstablished":
            event = .tlsEstablished(
                version: try fields.text("version"), serverName: try fields.optional("serverName", fields.text))
        case "proxyTLSFailed": event = .tlsFailed(reason: try fields.text("reason"))
        case "proxyRequest":
            event = .request(
                try fields.whole("request"), form: try fields.word("form", Form.self),
                target: try fields.text("target"),
                headers: try fields.headers("headers"))
        case "proxyRefused": event = .refused(request: try fields.whole("request"), reply: try fields.whole("reply"))
        case "proxyConnected":
            event = .connected(
                request: try fields.whole("request"), from: try fields.text("from"), to: try fields.text("to"))
        case "proxyCarried":
            event = .carried(
                request: try fields.whole("request"), try fields.word("direction", Direction.self),
                bytes: try fields.integer("bytes"))
        case "proxyFault": event = .fault(point: try fields.text("point"), effect: try fields.text("effect"))
        case "proxyBadRequest": event = .badRequest(reason: try fields.text("reason"))
        case "proxyClosed":
            event = .closed(
                by: try fields.word("by", Closing.self), up: try fields.integer("uplink"),
                down: try fields.integer("downlink"))
        default: return nil
        }
        self.init(proxy: try fields.text("proxy"), connection: try fields.whole("connection"), event: event)
    }

    /// A readable description of the event.
    package var summary: String {
        let text =
            switch event {
            case .accepted(let client, let port): "accepted from \(client), port \(port)"
            case .tlsEstablished(let version, _): "TLS \(version) established"
            case .tlsFailed(let reason): "TLS failed: \(reason)"
            case .request(let number, let form, let target, _): "request \(number): \(target) (\(form.rawValue))"
            case .refused(let request, let reply): "request \(request) refused with \(reply)"
            case .connected(let request, let from, let to): "request \(request) connected from \(from) to \(to)"
            case .carried(let request, let direction, let bytes):
                "request \(request): \(bytes) bytes forwarded \(direction.rawValue)"
            case .fault(let point, let effect): "fault at \(point): \(effect)"
            case .badRequest(let reason): "not understood: \(reason)"
            case .closed(let by, let up, let down):
                "closed by \(by.rawValue) after \(up) bytes uplink and \(down) bytes downlink"
            }
        return "proxy \(proxy), connection \(connection): \(text)"
    }

    package var isRefusal: Bool {
        switch event {
        case .refused, .fault, .badRequest, .tlsFailed: true
        case .accepted, .tlsEstablished, .request, .connected, .carried, .closed: false
        }
    }
}
