import HTTPFields
import ScenarioLanguage

extension CookiePlan {
    /// Returns the value of the Set-Cookie field of a response with this date (RFC 6265 §4.1).
    func text(_ date: HTTPDate) -> String {
        switch self {
        case .text(let text): return text
        case .made(let cookie):
            var parts = ["\(cookie.name)=\(cookie.value)"]
            if let path = cookie.path { parts.append("Path=\(path)") }
            if let domain = cookie.domain { parts.append("Domain=\(domain)") }
            if let span = cookie.expiresIn { parts.append("Expires=\(date.later(by: span))") }
            if let span = cookie.expiredSince { parts.append("Expires=\(date.later(by: .zero - span))") }
            if let age = cookie.maxAge { parts.append("Max-Age=\(age)") }
            if cookie.isSecure { parts.append("Secure") }
            if cookie.isHTTPOnly { parts.append("HttpOnly") }
            if let site = cookie.sameSite { parts.append("SameSite=\(site.rawValue)") }
            return parts.joined(separator: "; ")
        }
    }
}

extension HTTPDate {
    func later(by span: Duration) -> HTTPDate { HTTPDate(seconds: seconds + span.components.seconds) }
}
