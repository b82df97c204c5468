import Foundation
import FoundationNetworking

func useCookies(_ url: URL, _ response: HTTPURLResponse) {
    let storage = HTTPCookieStorage.shared
    storage.cookieAcceptPolicy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
    let properties: [HTTPCookiePropertyKey: Any] = [
        .name: "a", .value: "1", .domain: "h.test", .path: "/", .secure: "TRUE",
        .expires: Date(timeIntervalSinceNow: 60),
    ]
    if let cookie = HTTPCookie(properties: properties) {
        storage.setCookie(cookie)
        _ = (cookie.name, cookie.value, cookie.domain, cookie.path, cookie.expiresDate, cookie.properties?[.name])
        _ = (cookie.isSecure, cookie.isHTTPOnly, cookie.isSessionOnly, cookie.version, cookie.portList)
        _ = (cookie.comment, cookie.commentURL)
    }
    if let cookies = storage.cookies(for: url) {
        var request = URLRequest(url: url)
        request.allHTTPHeaderFields = HTTPCookie.requestHeaderFields(with: cookies)
    }
    let fields = response.allHeaderFields as? [String: String] ?? [:]
    storage.setCookies(
        HTTPCookie.cookies(withResponseHeaderFields: fields, for: url), for: response.url, mainDocumentURL: nil)
    for cookie in storage.cookies ?? [] where cookie.name == "a" { storage.deleteCookie(cookie) }
    _ = storage.sortedCookies(using: [NSSortDescriptor(keyPath: \HTTPCookie.name, ascending: true)]).first?.name
    storage.removeCookies(since: Date(timeIntervalSinceNow: -60))
}

func useCache(_ request: URLRequest, _ response: URLResponse, _ task: URLSessionDataTask) {
    let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    URLCache.shared = cache
    cache.storeCachedResponse(CachedURLResponse(response: response, data: Data()), for: request)
    let policy: URLCache.StoragePolicy? = cache.cachedResponse(for: request)?.storagePolicy
    _ = (policy == .allowed, cache.cachedResponse(for: request)?.userInfo?["key"])
    cache.getCachedResponse(for: task) { (cached: CachedURLResponse?) in _ = cached?.data.count }
    cache.removeCachedResponse(for: request)
    cache.removeCachedResponse(for: task)
    cache.removeCachedResponses(since: Date())
    cache.memoryCapacity = cache.currentMemoryUsage
    cache.diskCapacity = cache.currentDiskUsage
    cache.removeAllCachedResponses()
}

func useCredentials(_ challenge: URLAuthenticationChallenge) {
    let space = URLProtectionSpace(
        host: "h.test", port: 443, protocol: "https", realm: "r",
        authenticationMethod: NSURLAuthenticationMethodHTTPDigest)
    let credential = URLCredential(user: "u", password: "p", persistence: .permanent)
    let storage = URLCredentialStorage.shared
    storage.set(credential, for: space)
    storage.setDefaultCredential(credential, for: space)
    _ = (storage.defaultCredential(for: space)?.user, storage.credentials(for: space)?["u"])
    _ = storage.allCredentials.count
    storage.remove(credential, for: space)
    _ = (challenge.protectionSpace.host, challenge.proposedCredential, challenge.previousFailureCount, challenge.error)
    _ = challenge.failureResponse?.url
    challenge.sender?.use(credential, for: challenge)
    challenge.sender?.continueWithoutCredential(for: challenge)
    challenge.sender?.cancel(challenge)
}
