public import Foundation
public import FoundationNetworking

/// A cookie as RFC 6265 and its successor describe it. HTTPCookie of this platform forgets SameSite, takes every cookie without Expires for
/// a lasting one, and reads dates of one form only.
public struct AdaptableCookie: Hashable, Sendable {
    public enum SameSite: String, Hashable, Sendable, CaseIterable { case strict, lax, none }

    public var name: String
    public var value: String
    /// With a dot before it for a cookie that hosts below the domain get too, as HTTPCookie has it.
    public var domain: String
    public var path: String
    /// nil for a cookie that ends with its session.
    public var expiresDate: Date?
    public var isSecure: Bool
    public var isHTTPOnly: Bool
    /// nil where the server said nothing.
    public var sameSitePolicy: SameSite?

    public var isSessionOnly: Bool { expiresDate == nil }

    /// Goes to the very host only.
    package var isHostOnly: Bool { !domain.hasPrefix(".") }
    /// Without the dot.
    package var host: String { isHostOnly ? domain : String(domain.dropFirst()) }
    /// Path attribute of a `__Host-` cookie has to be written down.
    package var namesPath = true

    /// Without a dot before it the domain is one host.
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

    public init(_ cookie: HTTPCookie) {
        self.init(
            name: cookie.name, value: cookie.value, domain: cookie.domain, path: cookie.path,
            expiresDate: cookie.expiresDate,
            isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly)
    }

    /// Without what HTTPCookie cannot carry; nil where it refuses the rest.
    public var httpCookie: HTTPCookie? {
        var properties: [HTTPCookiePropertyKey: Any] = [.name: name, .value: value, .domain: domain, .path: path]
        if let expiresDate { properties[.expires] = expiresDate } else { properties[.discard] = "TRUE" }
        if isSecure { properties[.secure] = "TRUE" }
        if isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        return HTTPCookie(properties: properties)
    }

    /// The value of a Cookie field; nil when there are no cookies. The order is the caller's.
    public static func requestField(with cookies: [AdaptableCookie]) -> String? {
        // A cookie without a name is its value alone (§5.8.3).
        cookies.isEmpty
            ? nil : cookies.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}
