public import Foundation
public import FoundationNetworking

/// A cookie as RFC 6265 and its successor define it. This platform's HTTPCookie ignores SameSite, treats every cookie
/// without Expires as persistent, and parses only one date format.
public struct AdaptableCookie: Hashable, Sendable {
    /// The values of the SameSite attribute.
    public enum SameSite: String, Hashable, Sendable, CaseIterable {
        /// Sent only with requests of the same site.
        case strict
        /// Sent with requests of the same site, and when the user navigates to it from another one.
        case lax
        /// Sent with requests of every site.
        case none
    }

    /// The name; empty for a cookie that consists of a value only.
    public var name: String
    /// The value, as the server sent it.
    public var value: String
    /// The domain, with a leading dot if the cookie is also sent to subdomains, as in HTTPCookie.
    public var domain: String
    /// The path under which request paths must lie.
    public var path: String
    /// The expiry date; nil for a session cookie.
    public var expiresDate: Date?
    /// True if the cookie is sent only over https.
    public var isSecure: Bool
    /// True if scripts must not read the cookie.
    public var isHTTPOnly: Bool
    /// nil if the server did not send the attribute.
    public var sameSitePolicy: SameSite?

    /// True if the cookie does not have an expiry date.
    public var isSessionOnly: Bool { expiresDate == nil }

    /// True if the cookie is sent to exactly one host.
    package var isHostOnly: Bool { !domain.hasPrefix(".") }
    /// The domain without the leading dot.
    package var host: String { isHostOnly ? domain : String(domain.dropFirst()) }
    /// True if the Path attribute was written explicitly, which a `__Host-` cookie requires.
    package var namesPath = true

    /// Creates a cookie. Without a leading dot the domain is a single host.
    public init(
        name: String, value: String, domain: String, path: String = "/", expiresDate: Date? = nil,
        isSecure: Bool = false,
        isHTTPOnly: Bool = false, sameSitePolicy: SameSite? = nil
    ) {
        self.name = name
        self.value = value
        let isWide = domain.hasPrefix(".")
        self.domain = (isWide ? "." : "") + WebOrigin.canonical(isWide ? String(domain.dropFirst()) : domain)
        self.path = path
        self.expiresDate = expiresDate
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSitePolicy = sameSitePolicy
    }

    /// Converts an HTTPCookie, which cannot carry SameSite.
    public init(_ cookie: HTTPCookie) {
        self.init(
            name: cookie.name, value: cookie.value, domain: cookie.domain, path: cookie.path,
            expiresDate: cookie.expiresDate,
            isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly)
    }

    /// The cookie as an HTTPCookie, without SameSite; nil if HTTPCookie rejects it.
    public var httpCookie: HTTPCookie? {
        HTTPCookie(properties: properties ?? [:])
    }

    /// Returns the value of a Cookie field with the cookies in the given order; nil if there are none.
    public static func requestField(with cookies: [AdaptableCookie]) -> String? {
        // A cookie without a name is sent as its value alone (§5.8.3).
        cookies.isEmpty
            ? nil : cookies.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}
