import Foundation
import FoundationNetworking

/// The session's cookies: read for each request and stored from each response.
extension TaskLoad {
    private var cookieExchange: CookieExchange {
        CookieExchange(
            policy: policies.cookies, sessionSends: core.settings.setsCookies || !policies.cookies.honoursSettings,
            acceptance: policies.cookies.honoursSettings ? core.settings.cookieAcceptPolicy : .always)
    }

    func lookUpCookies(then continuation: @escaping @Sendable (TaskLoad) -> Void) {
        cookies = nil
        guard let storage = core.settings.cookieStorage, cookieExchange.usesStorage(for: request) else {
            return continuation(self)
        }
        let task = task
        let request = request
        look({ decision in
            if policies.stores.passesTaskToStore { return storage.getCookiesFor(task) { decision($0) } }
            decision(request.url.map { storage.cookies(for: $0, mainDocumentURL: request.mainDocumentURL) })
        }) { load, found in
            load.cookies = found.flatMap { AdaptableCookie.requestField(with: $0) }
            continuation(load)
        }
    }

    func storeCookies() {
        guard let storage = core.settings.cookieStorage, fields.has("Set-Cookie") else { return }
        let cookies = cookieExchange.accepted(fields, answering: request, storage: storage, now: Date())
        guard !cookies.isEmpty else { return }
        if policies.stores.passesTaskToStore { return storage.storeCookies(cookies, for: task) }
        if let url = request.url { storage.setCookies(cookies, for: url, mainDocumentURL: request.mainDocumentURL) }
    }
}
