import InternetAddresses

/// The target of a request: a path on the default host, or a full URL.
struct RequestTarget: Hashable {
    var url: String
    /// nil for schemes other than http and https.
    var host: String?
    /// The path without the query.
    var path: String
    var isSecure: Bool

    static let defaultHost = "api.test"

    /// Parses `/path`, `//host/path` or `scheme:…`; `secure` selects the scheme of the first two.
    static func parse(_ text: String, secure: Bool, at place: Place) throws(ScenarioError) -> RequestTarget {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ScenarioError(
                at: place, "`\(text.shortened)` has characters that are not allowed in URLs; write them percent-encoded"
            )
        }
        let scheme = secure ? "https" : "http"
        if text.hasPrefix("//") { return try parse("\(scheme):\(text)", secure: secure, at: place) }
        if text.hasPrefix("/") { return try parse("\(scheme)://\(defaultHost)\(text)", secure: secure, at: place) }
        guard let colon = text.firstIndex(of: ":"),
            text[..<colon].utf8.allSatisfy({ HTTPHeadSyntax.isAlphanumeric($0) || $0 == 0x2B || $0 == 0x2D }),
            colon != text.startIndex
        else {
            throw ScenarioError(
                at: place,
                "`\(text.shortened)` is neither a path such as /hello nor a URL such as http://api.test/hello")
        }
        let given = text[..<colon].lowercased()
        guard given == "http" || given == "https" else {
            return RequestTarget(url: text, host: nil, path: "", isSecure: false)
        }
        let rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//") else {
            throw ScenarioError(at: place, "`\(text.shortened)` lacks a host; write \(given)://HOST/PATH")
        }
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let hostAndPort = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        let host: Substring
        if hostAndPort.hasPrefix("["), let end = hostAndPort.firstIndex(of: "]") {
            host = hostAndPort[hostAndPort.index(after: hostAndPort.startIndex)..<end]
        } else {
            host = hostAndPort.prefix { $0 != ":" }
        }
        guard HTTPHeadSyntax.isHost(String(host)) || IPv6Address(host) != nil else {
            throw ScenarioError(at: place, "`\(text.shortened)` lacks a valid host name; write \(given)://HOST/PATH")
        }
        let tail = rest.dropFirst(2 + authority.count)
        let path = tail.prefix { $0 != "?" && $0 != "#" }
        return RequestTarget(
            url: text, host: String(host), path: path.isEmpty ? "/" : String(path), isSecure: given == "https")
    }
}
