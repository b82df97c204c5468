import AdaptableSession
import AdapterProtocol
import AdapterSupport
import Foundation
import FoundationNetworking

// Stores of an app's own classes: they report each access and then behave like the stock ones.

final class SpyCookieStorage: AdaptableCookieStorage, @unchecked Sendable {
    private let watch: StoreSpy

    init(_ watch: StoreSpy) {
        self.watch = watch
        super.init(publicSuffixes: .system)
    }

    override func getCookiesFor(
        _ task: AdaptableSessionTask, completionHandler: @escaping @Sendable ([AdaptableCookie]?) -> Void
    ) {
        watch.read(.cookies, task.name, url: task.currentURL) {
            super.getCookiesFor(task, completionHandler: completionHandler)
        }
    }

    override func storeCookies(_ cookies: [AdaptableCookie], for task: AdaptableSessionTask) {
        watch.wrote(to: .cookies, task.name, url: task.currentURL)
        super.storeCookies(cookies, for: task)
    }
}

final class SpyCache: AdaptableURLCache, @unchecked Sendable {
    private let watch: StoreSpy

    init(_ watch: StoreSpy) {
        self.watch = watch
        super.init(memoryCapacity: AdaptableURLCache.shared.memoryCapacity)
    }

    override func getCachedResponse(
        for dataTask: AdaptableSessionDataTask,
        completionHandler: @escaping @Sendable (AdaptableCachedURLResponse?) -> Void
    ) {
        watch.read(.cache, dataTask.name, url: dataTask.currentURL) {
            super.getCachedResponse(for: dataTask, completionHandler: completionHandler)
        }
    }

    override func storeCachedResponse(
        _ cachedResponse: AdaptableCachedURLResponse, for dataTask: AdaptableSessionDataTask
    ) {
        watch.wrote(to: .cache, dataTask.name, url: dataTask.currentURL)
        super.storeCachedResponse(cachedResponse, for: dataTask)
    }
}

final class SpyCredentialStorage: AdaptableCredentialStorage, @unchecked Sendable {
    private let watch: StoreSpy

    init(_ watch: StoreSpy) {
        self.watch = watch
        super.init()
    }

    override func getCredentials(
        for space: URLProtectionSpace, task: AdaptableSessionTask,
        completionHandler: @escaping @Sendable ([String: URLCredential]?) -> Void
    ) {
        watch.read(.credentials, task.name, url: task.currentURL) { completionHandler(self.credentials(for: space)) }
    }

    override func getDefaultCredential(
        for space: URLProtectionSpace, task: AdaptableSessionTask,
        completionHandler: @escaping @Sendable (URLCredential?) -> Void
    ) {
        watch.read(.credentials, task.name, url: task.currentURL) {
            completionHandler(self.defaultCredential(for: space))
        }
    }

    override func set(_ credential: URLCredential, for space: URLProtectionSpace, task: AdaptableSessionTask) {
        watch.wrote(to: .credentials, task.name, url: task.currentURL)
        set(credential, for: space)
    }

    override func setDefaultCredential(
        _ credential: URLCredential, for space: URLProtectionSpace, task: AdaptableSessionTask
    ) {
        watch.wrote(to: .credentials, task.name, url: task.currentURL)
        setDefaultCredential(credential, for: space)
    }
}

extension AdaptableSessionTask {
    fileprivate var currentURL: String { currentRequest?.url?.absoluteString ?? "" }
}
