import Foundation
import FoundationNetworking
import NIOHTTP1

/// Composes what goes on the wire from what the caller and the session want said.
enum RequestHead {
    static let userAgent = "AdaptableSession/1 (Linux)"

    /// Fields that belong to the connection or that the session makes itself.
    private static let own: Set<String> = ["host", "content-length", "transfer-encoding", "proxy-connection", "keep-alive", "te"]

    /// `fields` are those of the request, then what the session adds; a name that is there already is not added again.
    static func make(
        _ request: URLRequest, url: URL, fields: HeaderFields, bodyLength: Int64?, hasBody: Bool, isAbsolute: Bool
    ) -> HTTPRequestHead {
        var headers = HTTPHeaders()
        headers.add(name: "Host", value: authority(of: url))
        for field in fields.fields where !own.contains(FieldText.lowercased(field.name)) {
            headers.add(name: field.name, value: field.value)
        }
        func add(_ name: String, _ value: String) { if !headers.contains(name: name) { headers.add(name: name, value: value) } }
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
            // RFC 9110 §8.6: such methods say that there is nothing.
            headers.add(name: "Content-Length", value: "0")
        }
        return HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: method),
            uri: isAbsolute ? "\(url.scheme ?? "http")://\(authority(of: url))\(target(of: url))" : target(of: url), headers: headers)
    }

    static func authority(of url: URL) -> String {
        var host = url.host(percentEncoded: false) ?? ""
        if host.contains(":"), !host.hasPrefix("[") { host = "[\(host)]" }
        guard let port = url.port, port != (url.scheme?.lowercased() == "https" ? 443 : 80) else { return host }
        return "\(host):\(port)"
    }

    static func target(of url: URL) -> String {
        var target = url.path(percentEncoded: true)
        if target.isEmpty { target = "/" }
        if let query = url.query(percentEncoded: true) { target += "?\(query)" }
        return target
    }
}
