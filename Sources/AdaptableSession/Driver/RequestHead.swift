import Foundation
import FoundationNetworking
import HTTPFields
import NIOHTTP1

/// Builds request heads from the program's request and the fields that the session adds.
enum RequestHead {
    static let userAgent = "AdaptableSession/1 (Linux)"

    /// Fields that belong to the connection, that the session sets itself, or that it never sends.
    private static let own: Set<String> = [
        "host", "content-length", "transfer-encoding", "proxy-connection", "keep-alive", "te",
        HTTPFieldSyntax.lowercased(RequestProperties.field),
    ]

    /// Builds a head. `fields` are those of the request, then those that the session adds; a name that is already
    /// present is not added again.
    static func make(
        _ request: URLRequest, url: URL, fields: HeaderFields, bodyLength: Int64?, hasBody: Bool, isAbsolute: Bool
    ) -> HTTPRequestHead {
        var headers = HTTPHeaders()
        headers.add(name: "Host", value: authority(of: url))
        for field in fields.fields where !own.contains(HTTPFieldSyntax.lowercased(field.name)) {
            headers.add(name: field.name, value: field.value)
        }
        func add(_ name: String, _ value: String) {
            if !headers.contains(name: name) { headers.add(name: name, value: value) }
        }
        add("User-Agent", userAgent)
        add("Accept", "*/*")
        add("Accept-Language", "en")
        let method = request.httpMethod ?? "GET"
        if hasBody {
            if let bodyLength {
                headers.add(name: "Content-Length", value: "\(bodyLength)")
            } else {
                headers.add(name: "Transfer-Encoding", value: "chunked")
            }
        } else if method == "POST" || method == "PUT" || method == "PATCH" {
            // RFC 9110 §8.6: such methods state an empty body explicitly.
            headers.add(name: "Content-Length", value: "0")
        }
        return HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: method),
            uri: isAbsolute ? absoluteTarget(of: url) : target(of: url), headers: headers)
    }

    /// Returns the reason why the method or a field cannot be sent; nil if they can (RFC 9110 §5.1, §5.5, §9.1). Call
    /// it before the first byte is sent: if the connection detects the problem, all its exchanges fail.
    static func fault(method: String, fields: HeaderFields) -> String? {
        func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(HTTPFieldSyntax.isToken) }
        if !isToken(method) { return "The method '\(method)' is not a token." }
        for field in fields.fields {
            if !isToken(field.name) { return "The field name '\(field.name)' is not a token." }
            if field.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
                return "The value of \(field.name) contains a line break or another control character."
            }
        }
        return nil
    }

    static func authority(of url: URL) -> String {
        var host = url.host(percentEncoded: false) ?? ""
        if host.utf8.contains(UInt8(ascii: ":")), !host.hasPrefix("[") { host = "[\(host)]" }
        guard let port = url.port, port != (url.scheme?.lowercased() == "https" ? 443 : 80) else { return host }
        return "\(host):\(port)"
    }

    /// Returns the target for a forwarding proxy (RFC 9112 §3.2.2), without user information, which must not be sent
    /// (RFC 9110 §4.2.4).
    static func absoluteTarget(of url: URL) -> String {
        "\(url.scheme ?? "http")://\(authority(of: url))\(target(of: url))"
    }

    static func target(of url: URL) -> String {
        var target = url.path(percentEncoded: true)
        if target.isEmpty { target = "/" }
        if let query = url.query(percentEncoded: true) { target += "?\(query)" }
        return target
    }
}
