package import AdapterProtocol

/// An event at the origin. Connections and requests count from 1 over the whole run; an exchange counts from 1 on its
/// connection.
package enum ServerFact: Hashable, Sendable {
    case accepted(connection: Int, client: String, port: Int)
    case tlsEstablished(connection: Int, version: String, serverName: String?)
    /// The client's TLS request, before any reply to it; `alpn` is empty if it offered no protocol.
    case tlsHello(connection: Int, serverName: String?, alpn: [String])
    case tlsAgreed(connection: Int, TLSAgreement)
    case tlsFailed(connection: Int, reason: String)
    case requestHead(
        connection: Int, exchange: Int, request: Int, method: String, target: String, headers: [HeaderField])
    /// The request's body is complete (0 bytes if there is none). `differsAt` is the first byte that differs from the
    /// pattern of its path, nil if all are equal or the body is text.
    case requestEnded(request: Int, bodyBytes: Int64, differsAt: Int64?, bodyText: String?)
    case responseHead(request: Int, status: Int, headers: [HeaderField])
    /// The number of body bytes of this response handed to the kernel so far.
    case responseBody(request: Int, bytes: Int64)
    case responseEnded(request: Int, bytes: Int64)
    /// A 1xx response of this request, including 100 Continue, was handed to the kernel.
    case interim(request: Int, status: Int, headers: [HeaderField])
    /// Bytes after the complete response of this request were handed to the kernel.
    case surplus(request: Int, bytes: Int64)
    /// The client's kernel has acknowledged the connection up to this byte of the response's body (TCP_INFO). The
    /// origin polls it every few milliseconds: the time is that of the poll, and an acknowledgement just before a close
    /// may be missing.
    case acknowledged(connection: Int, request: Int, bytes: Int64)
    /// The point and the effect are in the words of a scenario file, which the language defines.
    case fault(connection: Int, request: Int?, point: String, effect: String)
    case closed(connection: Int, by: Closing)
    /// The request arrived on this HTTP/2 stream; `priority` is the priority in its HEADERS frame (RFC 7540 §5.3), nil
    /// if there is none.
    case stream(request: Int, stream: Int, priority: String?)
    /// An HTTP/2 frame of any type except heads, data and window updates. `by` sent it.
    case frame(connection: Int, stream: Int, request: Int?, by: Side, type: String, text: String)
    /// The origin could not understand what a client sent.
    case badRequest(connection: Int, reason: String)

    package enum Side: String, CaseIterable, Hashable, Sendable { case client, server }

    /// The way in which a connection ended.
    package enum Closing: String, CaseIterable, Hashable, Sendable {
        case client, server
        /// A RST of the client.
        case reset

        package var side: Side {
            switch self {
            case .client, .reset: .client
            case .server: .server
            }
        }
    }

    /// True for the facts of a TLS handshake.
    package var isOfTLS: Bool {
        switch self {
        case .tlsHello, .tlsAgreed, .tlsEstablished, .tlsFailed: true
        default: false
        }
    }
}

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
        case .closed(let connection, let by):
            RecordObject("closed").with("connection", connection).with("by", by.rawValue)
        case .stream(let request, let stream, let priority):
            RecordObject("stream").with("request", request).with("stream", stream).with("priority", priority)
        case .frame(let connection, let stream, let request, let by, let type, let text):
            RecordObject("frame").with("connection", connection).with("stream", stream).with("request", request).with(
                "by", by.rawValue
            )
            .with("type", type).with("text", text)
        case .badRequest(let connection, let reason):
            RecordObject("badRequest").with("connection", connection).with("reason", reason)
        }
    }

    /// Returns nil if the kind is not a server fact.
    init?(_ fields: RecordFields) throws(RecordError) {
        func connection() throws(RecordError) -> Int { try fields.whole("connection") }
        func request() throws(RecordError) -> Int { try fields.whole("request") }
        switch fields.kind {
        case "accepted":
            self = .accepted(
                connection: try connection(), client: try fields.text("client"), port: try fields.whole("port"))
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
                connection: try connection(), exchange: try fields.whole("exchange"), request: try request(),
                method: try fields.text("method"), target: try fields.text("target"),
                headers: try fields.headers("headers"))
        case "requestEnded":
            self = .requestEnded(
                request: try request(), bodyBytes: try fields.integer("bodyBytes"),
                differsAt: try fields.optional("differsAt", fields.integer),
                bodyText: try fields.optional("bodyText", fields.text))
        case "responseHead":
            self = .responseHead(
                request: try request(), status: try fields.whole("status"), headers: try fields.headers("headers"))
        case "responseBody": self = .responseBody(request: try request(), bytes: try fields.integer("bytes"))
        case "responseEnded": self = .responseEnded(request: try request(), bytes: try fields.integer("bytes"))
        case "interim":
            self = .interim(
                request: try request(), status: try fields.whole("status"), headers: try fields.headers("headers"))
        case "trailingBytes": self = .surplus(request: try request(), bytes: try fields.integer("bytes"))
        case "acknowledged":
            self = .acknowledged(
                connection: try connection(), request: try request(), bytes: try fields.integer("bytes"))
        case "fault":
            self = .fault(
                connection: try connection(), request: try fields.optional("request", fields.whole),
                point: try fields.text("point"), effect: try fields.text("effect"))
        case "closed": self = .closed(connection: try connection(), by: try fields.word("by", Closing.self))
        case "stream":
            self = .stream(
                request: try request(), stream: try fields.whole("stream"),
                priority: try fields.optional("priority", fields.text))
        case "frame":
            self = .frame(
                connection: try connection(), stream: try fields.whole("stream"),
                request: try fields.optional("request", fields.whole), by: try fields.word("by", Side.self),
                type: try fields.text("type"),
                text: try fields.text("text"))
        case "badRequest": self = .badRequest(connection: try connection(), reason: try fields.text("reason"))
        default: return nil
        }
    }
}

/// The text form of an address and a port that both ends of a connection use, so that the texts can be compared.
package enum SocketAddressFormat {
    package static func of(_ address: String, _ port: Int) -> String {
        address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}

extension ServerFact {
    /// A readable description of the fact.
    package var summary: String {
        switch self {
        case .accepted(let connection, let client, let port):
            "connection \(connection) accepted from \(client), port \(port)"
        case .tlsEstablished(let connection, let version, let serverName):
            "connection \(connection): \(version) established"
                + (serverName.map { " for \($0)" } ?? " without a server name")
        case .tlsHello(let connection, let serverName, let alpn):
            "connection \(connection): ClientHello" + (serverName.map { " for \($0)" } ?? " without a server name")
                + (alpn.isEmpty ? ", no ALPN" : ", ALPN \(alpn.joined(separator: " "))")
        case .tlsAgreed(let connection, let agreement): "connection \(connection): \(agreement.description)"
        case .tlsFailed(let connection, let reason): "connection \(connection): TLS failed: \(reason)"
        case .requestHead(let connection, let exchange, let request, let method, let target, let headers):
            "request \(request) (connection \(connection), exchange \(exchange)): \(method) \(target)\(Self.list(headers))"
        case .requestEnded(let request, let bytes, let differsAt, let text):
            "request \(request) complete" + (bytes == 0 ? ", no body" : ", body of \(bytes) bytes")
                + (differsAt.map { ", wrong from byte \($0) on" } ?? "") + (text.map { ": \($0)" } ?? "")
        case .responseHead(let request, let status, let headers):
            "response \(request): status \(status)\(Self.list(headers))"
        case .responseBody(let request, let bytes): "response \(request): \(bytes) body bytes sent so far"
        case .responseEnded(let request, let bytes): "response \(request) complete, \(bytes) body bytes sent"
        case .interim(let request, let status, let headers):
            "response \(request): interim \(status)\(Self.list(headers))"
        case .surplus(let request, let bytes): "response \(request): \(bytes) bytes after its end"
        case .acknowledged(_, let request, let bytes):
            "response \(request): \(bytes) body bytes acknowledged by the client's kernel"
        case .fault(let connection, let request, let point, let effect):
            "fault on connection \(connection)" + (request.map { ", request \($0)" } ?? "")
                + ": \(effect) at \(point)"
        case .closed(let connection, let by):
            "connection \(connection) \(by.text("closed by the"))"
        case .stream(let request, let stream, let priority):
            "request \(request) is stream \(stream)" + (priority.map { " of \($0)" } ?? "")
        case .frame(let connection, let stream, let request, let by, let type, let text):
            "connection \(connection)" + (stream == 0 ? "" : ", stream \(stream)")
                + (request.map { ", request \($0)" } ?? "")
                + ": \(type) from the \(by.rawValue)" + (text.isEmpty ? "" : ": \(text)")
        case .badRequest(let connection, let reason): "connection \(connection): not understood: \(reason)"
        }
    }

    private static func list(_ headers: [HeaderField]) -> String {
        headers.isEmpty ? "" : "; " + headers.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
    }
}

extension ServerFact.Closing {
    /// Returns the reason that a connection closed, as the end of a sentence.
    package func text(_ verb: String) -> String {
        switch self {
        case .client, .server: "\(verb) \(rawValue)"
        case .reset: "reset"
        }
    }
}
