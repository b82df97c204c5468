package import Foundation
package import FoundationNetworking

/// The rules by which a session reads cookies from its storage for a request and stores those of the response.
package struct CookieExchange: Sendable {
    package var policy: CookiePolicy
    /// `httpShouldSetCookies` of the configuration.
    package var sessionSends: Bool
    package var acceptance: HTTPCookie.AcceptPolicy

    /// Returns true if the storage is read for the request (COOK-03, COOK-08).
    package func usesStorage(for request: URLRequest) -> Bool {
        guard sessionSends, request.httpShouldHandleCookies else { return false }
        return !policy.ownFieldStands || request.value(forHTTPHeaderField: "Cookie") == nil
    }

    /// Returns the cookies of a response (also of a redirect or a challenge) that are passed to the storage (COOK-04,
    /// COOK-05).
    package func accepted(
        _ fields: HeaderFields, answering request: URLRequest, storage: AdaptableCookieStorage, now: Date
    ) -> [AdaptableCookie] {
        guard request.httpShouldHandleCookies, let url = request.url else { return [] }
        let isCross = storage.isCrossSite(CookieJar.Site(url, mainDocument: request.mainDocumentURL))
        guard CookieExchange.accepts(acceptance, isCrossSite: isCross) else { return [] }
        let reader = SetCookieReader(policy: policy)
        return fields.values("Set-Cookie").compactMap { reader.read($0, from: url, now: now) }
    }

    static func accepts(_ policy: HTTPCookie.AcceptPolicy, isCrossSite: Bool) -> Bool {
        switch policy {
        case .always: true
        case .never: false
        case .onlyFromMainDocumentDomain: !isCrossSite
        @unknown default: false
        }
    }
}
