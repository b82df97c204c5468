import AdapterProtocol
import HTTPFields

/// The head of one request as received: header order and case are kept, because they are evidence.
package struct RequestHead: Hashable, Sendable {
    package enum BodyFraming: Hashable, Sendable {
        case none
        case length(Int64)
        case chunked
    }
    var method: String
    var target: String
    /// 0 or 1: HTTP/1.0 or HTTP/1.1.
    var minorVersion: Int
    var headers: [HeaderField]
    var body: BodyFraming
    /// The target without authority and query: the key for routes, counts and patterns.
    let path: String
    /// Lower-case host without its port; nil when HTTP/1.0 omitted it.
    let host: String?

    init(method: String, target: String, minorVersion: Int = 1, headers: [HeaderField] = [], body: BodyFraming = .none)
    {
        self.method = method
        self.target = target
        self.minorVersion = minorVersion
        self.headers = headers
        self.body = body
        let (authority, path) = RequestHead.split(target)
        self.path = path
        // An absolute target outranks the Host field (RFC 9112 §3.2.2).
        let named = authority ?? RequestHead.firstValue(of: "host", in: headers)
        self.host = named.map(RequestHead.withoutPort)
    }

    /// Returns all values of the field, in order.
    func values(of name: String) -> [String] { headers.filter { $0.name.equalsIgnoringCase(name) }.map(\.value) }

    /// Returns the value of a field that may appear once; nil when it is absent or repeated.
    func value(of name: String) -> String? {
        let all = values(of: name)
        return all.count == 1 ? all[0] : nil
    }

    /// Returns true if a comma-separated field such as Connection contains this word.
    func lists(_ word: String, in name: String) -> Bool {
        values(of: name).contains { value in
            value.split(separator: ",").contains { $0.trimmedOfBlanks.equalsIgnoringCase(word) }
        }
    }

    /// True if the client allows the connection to persist (RFC 9112 §9.3).
    var keepsConnection: Bool {
        if lists("close", in: "connection") { return false }
        return minorVersion == 1 || lists("keep-alive", in: "connection")
    }

    private static func firstValue(of name: String, in headers: [HeaderField]) -> String? {
        headers.first { $0.name.equalsIgnoringCase(name) }?.value
    }

    private static func split(_ target: String) -> (authority: String?, path: String) {
        var rest = Substring(target)
        var authority: String?
        let lowered = target.prefix(8).lowercased()
        for scheme in ["http://", "https://"] where lowered.hasPrefix(scheme) {
            let tail = target.dropFirst(scheme.utf8.count)
            authority = String(tail.prefix { $0 != "/" && $0 != "?" })
            rest = tail.dropFirst(authority?.count ?? 0)
        }
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        return (authority, path.isEmpty ? "/" : String(path))
    }

    private static func withoutPort(_ authority: String) -> String {
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? Substring(authority)
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            return host[host.index(after: host.startIndex)..<end].lowercased()
        }
        return host.prefix { $0 != ":" }.lowercased()
    }
}

extension String {
    /// Compares as field names and most tokens of HTTP are compared (RFC 9110 §5.1).
    func equalsIgnoringCase(_ other: String) -> Bool { HTTPFieldSyntax.equal(self, other) }

    var trimmedOfBlanks: String { HTTPFieldSyntax.trimmed(self) }
}

extension Substring {
    func equalsIgnoringCase(_ other: String) -> Bool { HTTPFieldSyntax.equal(self, other) }

    var trimmedOfBlanks: String { HTTPFieldSyntax.trimmed(self) }
}
