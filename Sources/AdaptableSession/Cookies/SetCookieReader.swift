package import Foundation
import HTTPFields

/// Parses Set-Cookie as user agents have to (rfc6265bis §5.6), which is more tolerant than the grammar for servers.
package struct SetCookieReader: Sendable {
    /// The longest lifetime of a cookie in seconds: 400 days (§5.5).
    private static let longestAge = 400.0 * 86_400
    /// The longest value of an attribute in bytes (§5.6).
    private static let longestAttribute = 1_024

    package var policy: CookiePolicy

    package init(policy: CookiePolicy = CookiePolicy()) { self.policy = policy }

    /// Returns nil if the whole field is to be ignored. The cookie jar decides whether the cookie is stored.
    package func read(_ line: String, from url: URL, now: Date) -> AdaptableCookie? {
        guard let host = url.host(percentEncoded: false).map(WebOrigin.canonical), !host.isEmpty,
            !line.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F })
        else { return nil }
        let parts = line.split(separator: ";", omittingEmptySubsequences: false)
        let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = pair.count == 2 ? HTTPFieldSyntax.trimmed(pair[0]) : ""
        let value = HTTPFieldSyntax.trimmed(pair.last ?? "")
        guard !(name.isEmpty && value.isEmpty), name.utf8.count + value.utf8.count <= policy.longestPair else {
            return nil
        }
        var cookie = AdaptableCookie(name: name, value: value, domain: host, path: SetCookieReader.defaultPath(url))
        cookie.namesPath = false
        var maxAge: Date?
        var expires: Date?
        for part in parts.dropFirst() {
            let attribute = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let text = attribute.count == 2 ? HTTPFieldSyntax.trimmed(attribute[1]) : ""
            guard text.utf8.count <= SetCookieReader.longestAttribute else { continue }
            switch HTTPFieldSyntax.lowercased(HTTPFieldSyntax.trimmed(attribute[0])) {
            case "expires": expires = CookieDate.parse(text) ?? expires
            case "max-age": maxAge = SetCookieReader.age(text).map { now.addingTimeInterval($0) } ?? maxAge
            case "domain":
                let domain = WebOrigin.canonical(text.hasPrefix(".") ? String(text.dropFirst()) : text)
                cookie.domain = domain.isEmpty ? host : ".\(domain)"
            case "path":
                cookie.namesPath = text.hasPrefix("/")
                cookie.path = cookie.namesPath ? text : SetCookieReader.defaultPath(url)
            case "secure": cookie.isSecure = true
            case "httponly": cookie.isHTTPOnly = true
            case "samesite":
                cookie.sameSitePolicy = AdaptableCookie.SameSite(rawValue: HTTPFieldSyntax.lowercased(text))
            default: break
            }
        }
        let expiry = policy.maxAgeOutranksExpires ? maxAge ?? expires : expires ?? maxAge
        cookie.expiresDate = expiry.map { min($0, now.addingTimeInterval(SetCookieReader.longestAge)) }
        return cookie
    }

    /// Returns the URL's path up to its last slash (§5.1.4).
    package static func defaultPath(_ url: URL) -> String {
        let path = url.path(percentEncoded: true)
        guard path.hasPrefix("/"), let last = path.lastIndex(of: "/"), last != path.startIndex else { return "/" }
        return String(path[..<last])
    }

    /// Returns the age in seconds; a date in the distant past for zero and negative ages, which expire the cookie
    /// immediately.
    private static func age(_ text: String) -> TimeInterval? {
        let digits = text.utf8.first == 0x2D ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        if text.hasPrefix("-") || digits.utf8.allSatisfy({ $0 == 0x30 }) { return -4_000_000_000 }
        // A number with too many digits means a long time, not an overflow.
        return min(Double(digits) ?? 4_000_000_000, 4_000_000_000)
    }
}
