import Foundation
package import FoundationNetworking
import HTTPFields

/// The redirects of one task. `evaluate` is called once for each response head, with the request that it responds to:
/// the task's current request, without the fields that the session adds on the wire.
package struct RedirectChain: Sendable {
    private static let credentialFields: Set<String> = ["authorization", "cookie"]
    /// The fields that belong to one connection; they are generated again for each hop (§15.4).
    private static let regeneratedFields: Set<String> = [
        "connection", "content-length", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]

    package let policy: RedirectPolicy
    /// Redirects proposed so far.
    package private(set) var count = 0
    private var withheld: Set<String> = []

    package init(policy: RedirectPolicy = RedirectPolicy()) { self.policy = policy }

    package mutating func evaluate(status: Int, fields: HeaderFields, answering request: URLRequest) -> RedirectVerdict
    {
        guard policy.followed.contains(status), let base = request.url else { return .deliver }
        guard let given = fields.values("Location").first, !given.isEmpty, let target = target(given, from: base) else {
            switch policy.withoutLocation {
            case .delivered: return .deliver
            case .failed:
                return .fail(
                    .redirectToNonExistentLocation,
                    reason: "The redirect with status \(status) lacks a usable Location.")
            }
        }
        guard let origin = WebOrigin(target) else {
            if let scheme = target.scheme.map({ HTTPFieldSyntax.lowercased($0) }),
                scheme == "http" || scheme == "https", target.host?.isEmpty == false
            {
                return .fail(
                    .badURL, reason: "The redirect leads to '\(given)', whose host is neither a name nor an address.")
            }
            return .fail(
                .unsupportedURL,
                reason: "The redirect leads to '\(given)'; only http and https with a host are followed.")
        }
        guard count < policy.limit else {
            return .fail(
                .httpTooManyRedirects, reason: "More than \(policy.limit) redirects; the last leads to '\(given)'.")
        }
        count += 1
        return .propose(step(status, request, to: target, crossesOrigin: origin != WebOrigin(base)))
    }

    /// Evaluates a redirect from a protocol class, which has created the new request itself, for any scheme. Only the
    /// number of redirects is limited.
    package mutating func informational(_ request: URLRequest, answering old: URLRequest) -> RedirectVerdict {
        guard count < policy.limit else {
            let target = request.url?.absoluteString ?? ""
            return .fail(
                .httpTooManyRedirects, reason: "More than \(policy.limit) redirects; the last leads to '\(target)'.")
        }
        count += 1
        let crosses = old.url.flatMap { WebOrigin($0) } != request.url.flatMap { WebOrigin($0) }
        if crosses, policy.dropsCredentialsAcrossOrigins { withheld.formUnion(RedirectChain.credentialFields) }
        return .propose(
            RedirectStep(
                request: request, sendsBody: request.httpMethod == old.httpMethod && policy.sendsBodyAgain,
                crossesOrigin: crosses,
                withheldFields: withheld))
    }

    private mutating func step(_ status: Int, _ old: URLRequest, to target: URL, crossesOrigin: Bool) -> RedirectStep {
        let method = old.httpMethod ?? "GET"
        let newMethod = self.method(after: method, status)
        let keepsBody = newMethod == method && policy.sendsBodyAgain
        var request = old
        request.url = target
        request.httpMethod = newMethod
        if !keepsBody {
            request.httpBody = nil
            request.httpBodyStream = nil
        }
        var dropped = RedirectChain.regeneratedFields
        if crossesOrigin { dropped.formUnion(policy.regeneratedAcrossOrigins) }
        if crossesOrigin, policy.dropsCredentialsAcrossOrigins {
            dropped.formUnion(RedirectChain.credentialFields)
            // Withheld for the rest of the task: the second origin may have chosen the redirect back to the first one.
            withheld.formUnion(RedirectChain.credentialFields)
        }
        for name in (request.allHTTPHeaderFields ?? [:]).keys {
            let lower = HTTPFieldSyntax.lowercased(name)
            let isContent =
                lower.hasPrefix("content-") || lower == "expect" || lower == "last-modified" || lower == "digest"
            if dropped.contains(lower) || newMethod != method && policy.dropsContentFieldsWithBody && isContent {
                request.setValue(nil, forHTTPHeaderField: name)
            }
        }
        return RedirectStep(
            request: request, sendsBody: keepsBody, crossesOrigin: crossesOrigin, withheldFields: withheld)
    }

    private func method(after method: String, _ status: Int) -> String {
        if method == "HEAD", policy.keepsHead { return method }
        if policy.everythingBecomesGet.contains(status) { return "GET" }
        // §15.4.2 and §15.4.3 allow this, and clients do it, for POST only.
        return method == "POST" && (status == 301 || status == 302) ? "GET" : method
    }

    private func target(_ location: String, from base: URL) -> URL? {
        // The URL parser adds the percent encoding that a careless server omits (spaces, UTF-8).
        guard let resolved = URL(string: location, relativeTo: base)?.absoluteURL,
            var parts = URLComponents(url: resolved, resolvingAgainstBaseURL: true), parts.scheme != nil
        else { return nil }
        // A reference without an authority keeps the base URL's user name and password.
        let bringsAuthority = URLComponents(string: location)?.host != nil
        if policy.removesUserInformation, bringsAuthority, parts.user != nil || parts.password != nil {
            parts.user = nil
            parts.password = nil
        }
        if policy.inheritsFragment, parts.fragment == nil {
            parts.percentEncodedFragment =
                URLComponents(url: base, resolvingAgainstBaseURL: true)?.percentEncodedFragment
        }
        if !policy.withholdsFragment, let fragment = parts.percentEncodedFragment {
            parts.fragment = nil
            parts.percentEncodedPath += "%23" + fragment
        }
        return parts.url.flatMap { PortNumber.all.contains(PortNumber.of($0, usual: 0)) ? $0 : nil }
    }
}

/// The rules for redirects (RFC 9110 §15.4).
package struct RedirectPolicy: Hashable, Sendable {
    package enum MissingLocationPolicy: Hashable, Sendable {
        /// The redirect response is the result, as when a delegate refuses the redirect.
        case delivered
        /// `URLError.redirectToNonExistentLocation`.
        case failed
    }

    /// The number of redirects that one task follows before `URLError.httpTooManyRedirects`. Sources give 16 and 20;
    /// Fetch specifies 20.
    package var limit = 20
    /// The status codes that are followed. Other 3xx responses are results: 300 is a choice, 304 belongs to the cache,
    /// 305 and 306 are obsolete.
    package var followed: Set<Int> = [301, 302, 303, 307, 308]
    /// The status codes after which every method except HEAD becomes a GET (§15.4.4).
    package var everythingBecomesGet: Set<Int> = [303]
    package var keepsHead = true
    /// Remove the fields that describe a body when the body is not sent again (§15.4).
    package var dropsContentFieldsWithBody = true
    package var sendsBodyAgain = true
    /// Remove credentials when the origin changes. §15.4 leaves this to the client; without it any server could
    /// redirect a user's secrets to another one.
    package var dropsCredentialsAcrossOrigins = true
    package var regeneratedAcrossOrigins: Set<String> = ["host", "origin", "referer"]
    /// Keep the original URL's fragment when the Location has none of its own (§10.2.2).
    package var inheritsFragment = true
    /// Leave the fragment of a Location out of the request (§7.1).
    package var withholdsFragment = true
    /// Remove a user name and password from the Location: in a URL from another party they serve to deceive (§4.2.4).
    package var removesUserInformation = true
    /// The result of a redirect whose Location is missing or is not a URL.
    package var withoutLocation: MissingLocationPolicy = .delivered
}
