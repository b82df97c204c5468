import AdapterProtocol

extension ServerFact {
    var object: RecordObject {
        switch self {
        case .accepted(let connection, let client, let port):
            RecordObject("accepted").with("connection", connection).with("client", client).with("port", port)
        case .tlsEstablished(let connection, let version, let name):
            RecordObject("tlsEstablished").with("connection", connection).with("version", version).with(
                "serverName", name)
        case .tlsHello(let connection, let name, let alpn):
            RecordObject("tlsHello").with("connection", connection).with("serverName", name).with("alpn", alpn)
        case .tlsAgreed(let connection, let agreement):
            agreement.write(to: RecordObject("tlsAgreed").with("connection", connection))
        case .tlsFailed(let connection, let reason):
            RecordObject("tlsFailed").with("connection", connection).with("reason", reason)
        case .requestHead(let connection, let exchange, let request, let method, let target, let headers):
            RecordObject("requestHead").with("connection", connection).with("exchange", exchange).with(
                "request", request
            )
            .with("method", method).with("target", target).with("headers", headers)
        case .requestEnded(let request, let bytes, let differsAt, let text):
            RecordObject("requestEnded").with("request", request).with("bodyBytes", bytes).with("differsAt", differsAt)
                .with("bodyText", text)
        case .responseHead(let request, let status, let headers):
            RecordObject("responseHead").with("request", request).with("status", status).with("headers", headers)
        case .responseBody(let request, let bytes):
            RecordObject("responseBody").with("request", request).with("bytes", bytes)
        case .responseEnded(let request, let bytes):
            RecordObject("responseEnded").with("request", request).with("bytes", bytes)
        case .interim(let request, let status, let headers):
            RecordObject("interim").with("request", request).with("status", status).with("headers", headers)
        case .surplus(let request, let bytes):
            RecordObject("trailingBytes").with("request", request).with("bytes", bytes)
        case .acknowledged(let connection, let request, let bytes):
            RecordObject("acknowledged").with("connection", connection).with("request", request).with("bytes", bytes)
        case .fault(let connection, let request, let point, let effect):
            RecordObject("fault").with("connection", connection).with("request", request).with("point", point)
                .with("effect", effect)
        case .closed(let connection, let by): RecordObject("closed").with("connection", connection).with("by", by)
        case .stream(let request, let stream, let priority):
            RecordObject("stream").with("request", request).with("stream", stream).with("priority", priority)
        case .frame(let connection, let stream, let request, let by, let type, let text):
            RecordObject("frame").with("connection", connection).with("stream", stream).with("request", request).with(
                "by", by
            )
            .with("type", type).with("text", text)
        case .badRequest(let connection, let reason):
            RecordObject("badRequest").with("connection", connection).with("reason", reason)
        }
    }

    /// Returns nil if the kind is not a server fact.
    init?(_ fields: RecordFields) throws(RecordError) {
        func connection() throws(RecordError) -> Int { try fields.int("connection") }
        func request() throws(RecordError) -> Int { try fields.int("request") }
        switch fields.kind {
        case "accepted":
            self = .accepted(
                connection: try connection(), client: try fields.text("client"), port: try fields.int("port"))
        case "tlsEstablished":
            self = .tlsEstablished(
                connection: try connection(), version: try fields.text("version"),
                serverName: try fields.optional("serverName", fields.text))
        case "tlsHello":
            self = .tlsHello(
                connection: try connection(), serverName: try fields.optional("serverName", fields.text),
                alpn: try fields.texts("alpn"))
        case "tlsAgreed": self = .tlsAgreed(connection: try connection(), try TLSAgreement(fields))
        case "tlsFailed": self = .tlsFailed(connection: try connection(), reason: try fields.text("reason"))
        case "requestHead":
            self = .requestHead(
                connection: try connection(), exchange: try fields.int("exchange"), request: try request(),
                method: try fields.text("method"), target: try fields.text("target"),
                headers: try fields.headers("headers"))
        case "requestEnded":
            self = .requestEnded(
                request: try request(), bodyBytes: try fields.integer("bodyBytes"),
                differsAt: try fields.optional("differsAt", fields.integer),
                bodyText: try fields.optional("bodyText", fields.text))
        case "responseHead":
            self = .responseHead(
                request: try request(), status: try fields.int("status"), headers: try fields.headers("headers"))
        case "responseBody": self = .responseBody(request: try request(), bytes: try fields.integer("bytes"))
        case "responseEnded": self = .responseEnded(request: try request(), bytes: try fields.integer("bytes"))
        case "interim":
            self = .interim(
                request: try request(), status: try fields.int("status"), headers: try fields.headers("headers"))
        case "trailingBytes": self = .surplus(request: try request(), bytes: try fields.integer("bytes"))
        case "acknowledged":
            self = .acknowledged(
                connection: try connection(), request: try request(), bytes: try fields.integer("bytes"))
        case "fault":
            self = .fault(
                connection: try connection(), request: try fields.optional("request", fields.int),
                point: try fields.text("point"), effect: try fields.text("effect"))
        case "closed": self = .closed(connection: try connection(), by: try fields.text("by"))
        case "stream":
            self = .stream(
                request: try request(), stream: try fields.int("stream"),
                priority: try fields.optional("priority", fields.text))
        case "frame":
            self = .frame(
                connection: try connection(), stream: try fields.int("stream"),
                request: try fields.optional("request", fields.int), by: try fields.text("by"),
                type: try fields.text("type"),
                text: try fields.text("text"))
        case "badRequest": self = .badRequest(connection: try connection(), reason: try fields.text("reason"))
        default: return nil
        }
    }
}
