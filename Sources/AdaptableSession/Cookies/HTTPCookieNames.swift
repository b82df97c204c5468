public import Foundation
public import FoundationNetworking
import HTTPFields

// Members of HTTPCookie and HTTPCookieStorage that AdaptableCookie and AdaptableCookieStorage express differently.

extension AdaptableCookie {
    /// A rule for storing received cookies.
    public typealias AcceptPolicy = HTTPCookie.AcceptPolicy

    /// The properties that describe the cookie, as `init(properties:)` accepts them.
    public var properties: [HTTPCookiePropertyKey: Any]? {
        var properties: [HTTPCookiePropertyKey: Any] = [.name: name, .value: value, .domain: domain, .path: path]
        if let expiresDate { properties[.expires] = expiresDate } else { properties[.discard] = "TRUE" }
        if isSecure { properties[.secure] = "TRUE" }
        if isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        if let sameSitePolicy { properties[Self.sameSite] = sameSitePolicy.rawValue }
        return properties
    }

    /// 0: RFC 6265 removed the versions of cookies.
    public var version: Int { 0 }
    /// nil: RFC 6265 removed the attribute.
    public var comment: String? { nil }
    /// nil: RFC 6265 removed the attribute.
    public var commentURL: URL? { nil }
    /// nil: RFC 6265 removed the attribute; a cookie is sent to every port.
    public var portList: [NSNumber]? { nil }

    private static let sameSite = HTTPCookiePropertyKey("SameSite")

    /// Creates a cookie from HTTPCookie's properties, with the key `SameSite` for the SameSite attribute. Returns nil if
    /// HTTPCookie does not accept them.
    public init?(properties: [HTTPCookiePropertyKey: Any]) {
        guard let cookie = HTTPCookie(properties: properties) else { return nil }
        self.init(cookie)
        sameSitePolicy = (properties[Self.sameSite] as? String)
            .flatMap { SameSite(rawValue: $0.lowercased()) }
    }

    /// Returns the cookies of a response to `url`. The values of several Set-Cookie fields may be joined by commas, as
    /// `HTTPURLResponse.allHeaderFields` joins them.
    public static func cookies(withResponseHeaderFields headerFields: [String: String], for url: URL)
        -> [AdaptableCookie]
    {
        let reader = SetCookieReader()
        return headerFields.filter { HTTPFieldSyntax.equal($0.key, "Set-Cookie") }
            .flatMap { lines($0.value) }.compactMap { reader.read($0, from: url, now: Date()) }
    }

    /// A comma begins another cookie if a name and `=` follow it; that of a date is followed by neither.
    private static func lines(_ joined: String) -> [String] {
        var lines: [String] = []
        for part in joined.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = HTTPFieldSyntax.trimmed(pair.first ?? "")
            if let last = lines.indices.last,
                pair.count < 2 || name.isEmpty || !name.utf8.allSatisfy(HTTPFieldSyntax.isToken)
            {
                lines[last] += ",\(part)"
            } else {
                lines.append(String(part))
            }
        }
        return lines
    }

    /// Returns the Cookie field with the cookies in the given order; empty without cookies.
    public static func requestHeaderFields(with cookies: [AdaptableCookie]) -> [String: String] {
        requestField(with: cookies).map { ["Cookie": $0] } ?? [:]
    }
}

extension AdaptableCookieStorage {
    /// Returns all cookies, sorted by descriptors for properties of AdaptableCookie, the first descriptor first.
    public func sortedCookies(using sortOrder: [NSSortDescriptor]) -> [AdaptableCookie] {
        (cookies ?? []).sorted { first, second in
            for descriptor in sortOrder {
                let order = descriptor.compare(first, to: second)
                if order != .orderedSame { return order == .orderedAscending }
            }
            return false
        }
    }

    /// Stores a cookie without a response to check it against; refused only if the accept policy is `never`.
    public func setCookie(_ cookie: HTTPCookie) { setCookie(AdaptableCookie(cookie)) }

    /// Stores the cookies of a response to `url`, without those that it may not set. Without a URL nothing is stored.
    @_disfavoredOverload
    public func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
        setCookies(cookies.map(AdaptableCookie.init), for: url, mainDocumentURL: mainDocumentURL)
    }

    /// Removes the cookie with the same name, domain and path.
    public func deleteCookie(_ cookie: HTTPCookie) { deleteCookie(AdaptableCookie(cookie)) }
}
