import ScenarioLanguage
import AdapterProtocol
import HTTPFields

/// Converts the fields of a request's header block into the head that routes and authentication use (RFC 9113 §8.3).
enum RequestFields {
    /// Fields about a connection, which HTTP/2 forbids (RFC 9113 §8.2.2).
    static let ofConnection = ["connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade"]

    static func head(_ fields: [HeaderField], stream: Int, hasBody: Bool) throws(HTTP2Violation) -> RequestHead {
        func malformed(_ reason: String) -> HTTP2Violation { HTTP2Violation(.protocolError, reason, stream: stream) }
        var pseudo: [String: String] = [:]
        var regular: [HeaderField] = []
        for field in fields {
            if field.name.hasPrefix(":") {
                guard regular.isEmpty else { throw malformed("\(field.name) after a regular field") }
                guard [":method", ":scheme", ":authority", ":path"].contains(field.name) else {
                    throw malformed("the pseudo-header \(field.name), which is not allowed in requests")
                }
                guard pseudo.updateValue(field.value, forKey: field.name) == nil else {
                    throw malformed("\(field.name) twice")
                }
            } else {
                try check(field, malformed)
                regular.append(field)
            }
        }
        guard let method = pseudo[":method"], !method.isEmpty else { throw malformed("no :method") }
        let target: String
        if method == "CONNECT" {
            guard let authority = pseudo[":authority"], pseudo[":path"] == nil else {
                throw malformed("a CONNECT without :authority, or with :path")
            }
            target = authority
        } else {
            guard let path = pseudo[":path"], !path.isEmpty else { throw malformed("no :path") }
            guard pseudo[":scheme"] != nil else { throw malformed("no :scheme") }
            guard path.hasPrefix("/") || path == "*" && method == "OPTIONS" else {
                throw malformed("the :path `\(path.prefix(40))`")
            }
            target = path
        }
        // The Host field that an intermediary to HTTP/1.1 would create (RFC 9113 §8.3.1).
        if let authority = pseudo[":authority"], !regular.contains(where: { $0.name == "host" }) {
            regular.insert(HeaderField("host", authority), at: 0)
        }
        var framing = RequestHead.BodyFraming.none
        if hasBody {
            let lengths = regular.filter { $0.name == "content-length" }
            framing = .chunked
            if let length = lengths.first {
                guard lengths.count == 1, let bytes = Int64(length.value), bytes >= 0 else {
                    throw malformed("a content-length that is not a single number")
                }
                framing = .length(bytes)
            }
        }
        return RequestHead(method: method, target: target, headers: regular, body: framing)
    }

    /// Trailers do not have pseudo-headers (RFC 9113 §8.1).
    static func checkTrailers(_ fields: [HeaderField], stream: Int) throws(HTTP2Violation) {
        if let field = fields.first(where: { $0.name.hasPrefix(":") }) {
            throw HTTP2Violation(.protocolError, "\(field.name) in the trailers", stream: stream)
        }
    }

    private static func check(_ field: HeaderField, _ malformed: (String) -> HTTP2Violation) throws(HTTP2Violation) {
        guard !field.name.isEmpty, field.name.utf8.allSatisfy(HTTPFieldSyntax.isToken) else {
            throw malformed("a field name that is not a token")
        }
        guard !field.name.utf8.contains(where: { (0x41...0x5A).contains($0) }) else {
            throw malformed("the field name \(field.name) with upper-case letters")
        }
        guard !ofConnection.contains(field.name) else {
            throw malformed("the field \(field.name), which HTTP/2 forbids")
        }
        if field.name == "te", field.value != "trailers" { throw malformed("te with another value than trailers") }
        guard !field.value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
            throw malformed("a line end or NUL in the field \(field.name)")
        }
    }
}
