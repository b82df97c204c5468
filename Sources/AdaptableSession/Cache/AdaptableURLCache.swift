public import Foundation
public import FoundationNetworking
import Synchronization

/// Stored responses, as URLCache keeps them: in memory, and on disk where it is given a directory.
///
/// A session asks and tells it through the variants that take the data task; a subclass may answer them later and from any thread. Reading
/// and writing files happens on the caller's thread.
/// The only state is behind locks; Swift has no other way than `@unchecked` to say that of a class that can be subclassed.
open class AdaptableURLCache: @unchecked Sendable {
    private static let sharedCache = Mutex(AdaptableURLCache(memoryCapacity: 16 << 20))

    /// What default sessions use; in memory until a program puts one with a directory in its place.
    public static var shared: AdaptableURLCache {
        get { sharedCache.withLock { $0 } }
        set { sharedCache.withLock { $0 = newValue } }
    }

    private struct CacheStores: Sendable {
        var memory: MemoryCacheStore
        var disk: DiskCacheStore?
    }

    private let stores: Mutex<CacheStores>

    /// In memory alone, as ephemeral sessions have it.
    public init(memoryCapacity: Int) {
        stores = Mutex(CacheStores(memory: MemoryCacheStore(capacity: max(0, memoryCapacity), policy: CachePolicy())))
    }

    /// Capacities in bytes. Entries of a former process in `directory` count. Throws when the directory cannot be made or read.
    public init(memoryCapacity: Int, diskCapacity: Int, directory: URL) throws {
        let disk = try DiskCacheStore(directory: directory, capacity: max(0, diskCapacity), policy: CachePolicy())
        stores = Mutex(
            CacheStores(memory: MemoryCacheStore(capacity: max(0, memoryCapacity), policy: CachePolicy()), disk: disk))
    }

    /// A session whose policy is another than the usual makes it the cache's.
    package func adopt(_ policy: CachePolicy) {
        stores.withLock { stores in
            stores.memory.policy = policy
            stores.disk?.policy = policy
        }
    }

    /// Entries that no longer fit go at once.
    open var memoryCapacity: Int {
        get { stores.withLock { $0.memory.capacity } }
        set { stores.withLock { $0.memory.capacity = max(0, newValue) } }
    }

    /// 0 without a directory, whatever is set.
    open var diskCapacity: Int {
        get { stores.withLock { $0.disk?.capacity ?? 0 } }
        set { stores.withLock { $0.disk?.capacity = max(0, newValue) } }
    }

    open var currentMemoryUsage: Int { stores.withLock { $0.memory.usage } }

    open var currentDiskUsage: Int { stores.withLock { $0.disk?.usage ?? 0 } }

    /// What is stored for an equal request (CACH-27), however old it is.
    open func cachedResponse(for request: URLRequest) -> AdaptableCachedURLResponse? {
        guard let key = CacheKey(request.url), (request.httpMethod ?? "GET") == "GET" else { return nil }
        let fields = HeaderFields(dictionary: request.allHTTPHeaderFields ?? [:])
        return stores.withLock { stores in
            if let response = stores.memory.find(key, fields) { return response }
            guard let response = stores.disk?.find(key, fields) else { return nil }
            stores.memory.store(response, key, now: Date())
            return response
        }
    }

    /// Without a question of what HTTP thinks of it: that was the session's.
    open func storeCachedResponse(_ cachedResponse: AdaptableCachedURLResponse, for request: URLRequest) {
        guard let key = CacheKey(request.url), cachedResponse.storagePolicy != .notAllowed else { return }
        var stored = cachedResponse
        if stored.exchange == nil {
            stored.exchange = cachedResponse.exchange(storedAt: Date())
            let fields = HeaderFields(dictionary: request.allHTTPHeaderFields ?? [:])
            stored.exchange?.recordVariance(sent: fields, own: fields)
        }
        stores.withLock { stores in
            stores.memory.store(stored, key, now: Date())
            if stored.storagePolicy == .allowed { stores.disk?.store(stored, key, now: Date()) }
        }
    }

    open func removeCachedResponse(for request: URLRequest) {
        guard let key = CacheKey(request.url) else { return }
        stores.withLock { stores in
            stores.memory.remove(key)
            stores.disk?.remove(key)
        }
    }

    open func removeCachedResponses(since date: Date) {
        stores.withLock { stores in
            stores.memory.remove(since: date)
            stores.disk?.remove(since: date)
        }
    }

    open func removeAllCachedResponses() { removeCachedResponses(since: .distantPast) }

    // MARK: With the data task that asks (STOR-04)

    open func getCachedResponse(
        for dataTask: AdaptableSessionDataTask,
        completionHandler: @escaping @Sendable (AdaptableCachedURLResponse?) -> Void
    ) {
        completionHandler(dataTask.currentRequest.flatMap { cachedResponse(for: $0) })
    }

    open func storeCachedResponse(_ cachedResponse: AdaptableCachedURLResponse, for dataTask: AdaptableSessionDataTask)
    {
        if let request = dataTask.currentRequest { storeCachedResponse(cachedResponse, for: request) }
    }

    open func removeCachedResponse(for dataTask: AdaptableSessionDataTask) {
        if let request = dataTask.currentRequest { removeCachedResponse(for: request) }
    }
}
