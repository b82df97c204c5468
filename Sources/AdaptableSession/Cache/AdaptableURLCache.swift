public import Foundation
public import FoundationNetworking
import Synchronization

/// A store of responses like URLCache: in memory, and also on disk if it has a directory.
///
/// A session uses the methods that take the data task; a subclass may call their completion handlers later and on any
/// thread. Files are read and written on the caller's thread. `@unchecked` is safe because the only state is behind
/// locks; Swift does not allow a checked `Sendable` for a class that can be subclassed.
open class AdaptableURLCache: @unchecked Sendable {
    /// The places where a response may be stored.
    public typealias StoragePolicy = URLCache.StoragePolicy

    private static let sharedCache = Mutex(AdaptableURLCache(memoryCapacity: 16 << 20))

    /// The cache of default sessions: in memory only, unless the program sets one with a directory.
    public static var shared: AdaptableURLCache {
        get { sharedCache.withLock { $0 } }
        set { sharedCache.withLock { $0 = newValue } }
    }

    private struct CacheStores: Sendable {
        var memory: MemoryCacheStore
        var disk: DiskCacheStore?
    }

    private let stores: Mutex<CacheStores>

    /// Creates a cache in memory only, as ephemeral sessions have. The capacity is in bytes.
    public init(memoryCapacity: Int) {
        stores = Mutex(CacheStores(memory: MemoryCacheStore(capacity: max(0, memoryCapacity), policy: CachePolicy())))
    }

    /// Creates a cache in memory and on disk. The capacities are in bytes. Entries that an earlier process left in
    /// `directory` remain usable. Throws if the directory cannot be created or read.
    public init(memoryCapacity: Int, diskCapacity: Int, directory: URL) throws {
        let disk = try DiskCacheStore(directory: directory, capacity: max(0, diskCapacity), policy: CachePolicy())
        stores = Mutex(
            CacheStores(memory: MemoryCacheStore(capacity: max(0, memoryCapacity), policy: CachePolicy()), disk: disk))
    }

    /// Creates a cache in the directory with the given path, like `init(memoryCapacity:diskCapacity:directory:)`. Without
    /// a path, and if the directory cannot be created or read, the cache is in memory only and its `diskCapacity` is 0.
    public init(memoryCapacity: Int, diskCapacity: Int, diskPath path: String? = nil) {
        let memory = MemoryCacheStore(capacity: max(0, memoryCapacity), policy: CachePolicy())
        let disk = path.flatMap { path in
            try? DiskCacheStore(
                directory: URL(fileURLWithPath: path), capacity: max(0, diskCapacity), policy: CachePolicy())
        }
        stores = Mutex(CacheStores(memory: memory, disk: disk))
    }

    /// Called by a session with a non-default cache policy; the cache adopts that policy.
    package func adopt(_ policy: CachePolicy) {
        stores.withLock { stores in
            stores.memory.policy = policy
            stores.disk?.policy = policy
        }
    }

    /// The memory capacity in bytes. Reducing it removes the entries that no longer fit.
    open var memoryCapacity: Int {
        get { stores.withLock { $0.memory.capacity } }
        set { stores.withLock { $0.memory.capacity = max(0, newValue) } }
    }

    /// The disk capacity in bytes; always 0 without a directory.
    open var diskCapacity: Int {
        get { stores.withLock { $0.disk?.capacity ?? 0 } }
        set { stores.withLock { $0.disk?.capacity = max(0, newValue) } }
    }

    /// The bytes that the entries in memory occupy.
    open var currentMemoryUsage: Int { stores.withLock { $0.memory.usage } }

    /// The bytes that the files of the entries occupy.
    open var currentDiskUsage: Int { stores.withLock { $0.disk?.usage ?? 0 } }

    /// Returns the response that is stored for a matching request, regardless of its age (CACH-27).
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

    /// Stores the response without checking whether HTTP allows it: the session checks that before.
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

    /// Removes all variants of the response that are stored for the request's URL.
    open func removeCachedResponse(for request: URLRequest) {
        guard let key = CacheKey(request.url) else { return }
        stores.withLock { stores in
            stores.memory.remove(key)
            stores.disk?.remove(key)
        }
    }

    /// Removes the responses that were stored at or after the date.
    open func removeCachedResponses(since date: Date) {
        stores.withLock { stores in
            stores.memory.remove(since: date)
            stores.disk?.remove(since: date)
        }
    }

    /// Removes all responses from memory and disk.
    open func removeAllCachedResponses() { removeCachedResponses(since: .distantPast) }

    // MARK: Methods that take the data task (STOR-04)

    /// Called by a session for the response that is stored for the data task's current request.
    open func getCachedResponse(
        for dataTask: AdaptableSessionDataTask,
        completionHandler: @escaping @Sendable (AdaptableCachedURLResponse?) -> Void
    ) {
        completionHandler(dataTask.currentRequest.flatMap { cachedResponse(for: $0) })
    }

    /// Called by a session to store a response for the data task's current request.
    open func storeCachedResponse(_ cachedResponse: AdaptableCachedURLResponse, for dataTask: AdaptableSessionDataTask)
    {
        if let request = dataTask.currentRequest { storeCachedResponse(cachedResponse, for: request) }
    }

    /// Removes the responses that are stored for the URL of the data task's current request.
    open func removeCachedResponse(for dataTask: AdaptableSessionDataTask) {
        if let request = dataTask.currentRequest { removeCachedResponse(for: request) }
    }
}
