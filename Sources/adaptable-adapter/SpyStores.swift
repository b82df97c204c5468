import AdaptableSession
import AdapterProtocol
import AdapterSupport
import Foundation
import FoundationNetworking

// Stores of an app's own classes: they report each access and then behave like the stock ones.

final class SpyCookieStorage: AdaptableCookieStorage, @unchecked Sendable {
    private let spy: StoreSpy

    init(_ spy: StoreSpy) {
        self.spy = spy
        super.init(publicSuffixes: .system)
    }

    override func getCookiesFor(
        _ task: AdaptableSessionTask, completionHandler: @escaping @Sendable ([AdaptableCookie]?) -> Void
    ) {
        spy.read(.cookies, for: task) {
            super.getCookiesFor(task, completionHandler: completionHandler)
        }
    }

    override func storeCookies(_ cookies: [AdaptableCookie], for task: AdaptableSessionTask) {
        spy.wrote(to: .cookies, for: task)
        super.storeCookies(cookies, for: task)
    }
}

final class SpyCache: AdaptableURLCache, @unchecked Sendable {
    private let spy: StoreSpy

    init(_ spy: StoreSpy) {
        self.spy = spy
        super.init(memoryCapacity: AdaptableURLCache.shared.memoryCapacity)
    }

    override func getCachedResponse(
        for dataTask: AdaptableSessionDataTask,
        completionHandler: @escaping @Sendable (AdaptableCachedURLResponse?) -> Void
    ) {
        spy.read(.cache, for: dataTask) {
            super.getCachedResponse(for: dataTask, completionHandler: completionHandler)
        }
    }

    override func storeCachedResponse(
        _ cachedResponse: AdaptableCachedURLResponse, for dataTask: AdaptableSessionDataTask
    ) {
        spy.wrote(to: .cache, for: dataTask)
        super.storeCachedResponse(cachedResponse, for: dataTask)
    }
}

final class SpyCredentialStorage: AdaptableCredentialStorage, @unchecked Sendable {
    private let spy: StoreSpy

    init(_ spy: StoreSpy) {
        self.spy = spy
        super.init()
    }

    override func getCredentials(
        for space: URLProtectionSpace, task: AdaptableSessionTask,
        completionHandler: @escaping @Sendable ([String: URLCredential]?) -> Void
    ) {
        spy.read(.credentials, for: task) { completionHandler(self.credentials(for: space)) }
    }

    override func getDefaultCredential(
        for space: URLProtectionSpace, task: AdaptableSessionTask,
        completionHandler: @escaping @Sendable (URLCredential?) -> Void
    ) {
        spy.read(.credentials, for: task) {
            completionHandler(self.defaultCredential(for: space))
        }
    }

    override func set(_ credential: URLCredential, for space: URLProtectionSpace, task: AdaptableSessionTask) {
        spy.wrote(to: .credentials, for: task)
        set(credential, for: space)
    }

    override func setDefaultCredential(
        _ credential: URLCredential, for space: URLProtectionSpace, task: AdaptableSessionTask
    ) {
        spy.wrote(to: .credentials, for: task)
        setDefaultCredential(credential, for: space)
    }
}
