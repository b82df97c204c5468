import AdapterProtocol
import AdapterSupport
import Foundation
import FoundationNetworking

/// A cache of an app's own class: reports each access and then behaves like the stock one.
final class SpyCache: URLCache, @unchecked Sendable {
    private let watch: StoreSpy

    init(_ watch: StoreSpy) {
        self.watch = watch
        super.init(memoryCapacity: URLCache.shared.memoryCapacity, diskCapacity: 0, diskPath: nil)
    }

    override func getCachedResponse(
        for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        watch.read(.cache, dataTask.name, url: dataTask.currentURL) {
            super.getCachedResponse(for: dataTask, completionHandler: completionHandler)
        }
    }

    override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask) {
        watch.wrote(to: .cache, dataTask.name, url: dataTask.currentURL)
        super.storeCachedResponse(cachedResponse, for: dataTask)
    }
}

extension URLSessionTask {
    fileprivate var currentURL: String { currentRequest?.url?.absoluteString ?? "" }
}
