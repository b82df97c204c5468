import Record
import AdapterProtocol
import NIOCore

/// Parses a client's requests to an HTTP proxy: CONNECT, or a request in absolute form.
struct HTTPProxyReader {
    enum Step: Hashable {
        case incomplete
        case request(ProxyRequest)
        case bad(RequestParser.BadRequest)
    }

    /// Fields that a proxy must not forward (RFC 9110 §7.6.1); those that `Connection` names are removed as well.
    private static let hopByHop: Set<String> = [
        "connection", "keep-alive", "proxy-authorization", "proxy-authenticate", "proxy-connection", "te", "trailer",
        "upgrade",
    ]

    /// The name in Via.
    let name: String
    private var parser = RequestParser()

    init(name: String) { self.name = name }

    /// Returns the next step. Bytes after the head stay in the input: they belong to the tunnel, or the body.
    mutating func next(_ input: inout ByteBuffer) -> Step {
        switch parser.next(&input) {
        case nil: return .incomplete
        case .bad(let bad): return .bad(bad)
        case .body, .ended: return .bad(RequestParser.BadRequest(status: 400, reason: "a body without a head"))
        case .head(let head):
            parser = RequestParser()
            return request(head)
        }
    }

    private func request(_ head: RequestHead) -> Step {
        if head.method == "CONNECT" {
            guard let target = ProxyTarget(authority: head.target) else {
                return .bad(
                    RequestParser.BadRequest(
                        status: 400, reason: "CONNECT needs host:port, not `\(head.target.prefix(80))`"))
            }
            return .request(ProxyRequest(form: .connect, target: target, headers: head.headers, head: head))
        }
        guard let (target, path) = ProxyTarget.absolute(head.target) else {
            let reason =
                head.target.prefix(8).equalsIgnoringCase("https://")
                ? "this proxy does not use TLS with origins; request a tunnel with CONNECT"
                : "a proxy needs a target such as http://host/path, without user and fragment, "
                    + "not `\(head.target.prefix(80))` (RFC 9112 §3.2.2, RFC 9110 §4.2.4)"
            return .bad(RequestParser.BadRequest(status: 400, reason: reason))
        }
        return .request(
            ProxyRequest(
                form: .absolute, target: target, headers: head.headers, preface: preface(head, target, path),
                hasBody: head.body != .none, head: head))
    }

    /// Returns the forwarded head: origin form, Host of the target, one exchange for each connection.
    private func preface(_ head: RequestHead, _ target: ProxyTarget, _ path: String) -> [UInt8] {
        var dropped = HTTPProxyReader.hopByHop
        for value in head.values(of: "connection") {
            for word in value.split(separator: ",") { dropped.insert(word.trimmedOfBlanks.lowercased()) }
        }
        dropped.insert("host")
        var lines = ["\(head.method) \(path) HTTP/1.1", "Host: \(target.port == 80 ? hostText(target) : target.text)"]
        for field in head.headers where !dropped.contains(field.name.lowercased()) {
            lines.append("\(field.name): \(field.value)")
        }
        lines.append("Via: 1.\(head.minorVersion) \(name)")
        lines.append("Connection: close")
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private func hostText(_ target: ProxyTarget) -> String {
        target.host.contains(":") ? "[\(target.host)]" : target.host
    }

    /// Returns a response of the proxy itself.
    static func reply(_ status: Int, _ text: String, headers: [HeaderField] = [], keeps: Bool) -> [UInt8] {
        let body = "\(text)\n"
        var lines = ["HTTP/1.1 \(status) \(ReasonPhrase.of(status))"]
        lines += headers.map { "\($0.name): \($0.value)" }
        lines += [
            "Content-Type: text/plain", "Content-Length: \(body.utf8.count)",
            "Connection: \(keeps ? "keep-alive" : "close")",
        ]
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }

    /// The tunnel is established (RFC 9110 §9.3.6): no framing fields.
    static let established = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
}
