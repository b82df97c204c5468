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

    private struct Shelves: Sendable {
        var memory: MemoryShelf
        var disk: DiskShelf?
    }

    private let shelves: Mutex<Shelves>

    /// In memory alone, as ephemeral sessions have it.
    public init(memoryCapacity: Int) {
        shelves = Mutex(Shelves(memory: MemoryShelf(capacity: max(0, memoryCapacity), policy: CachePolicy())))
    }

    /// Capacities in bytes. Entries of a former process in `directory` count. Throws when the directory cannot be made or read.
    public init(memoryCapacity: Int, diskCapacity: Int, directory: URL) throws {
        let disk = try DiskShelf(directory: directory, capacity: max(0, diskCapacity), policy: CachePolicy())
        shelves = Mutex(Shelves(memory: MemoryShelf(capacity: max(0, memoryCapacity), policy: CachePolicy()), disk: disk))
    }

    /// A session whose policy is another than the usual makes it the cache's.
    package func adopt(_ policy: CachePolicy) {
        shelves.withLock { shelves in
            shelves.memory.policy = policy
            shelves.disk?.policy = policy
        }
    }

    /// Entries that no longer fit go at once.
    open var memoryCapacity: Int {
        get { shelves.withLock { $0.memory.capacity } }
        set { shelves.withLock { $0.memory.capacity = max(0, newValue) } }
    }

    /// 0 without a directory, whatever is set.
    open var diskCapacity: Int {
        get { shelves.withLock { $0.disk?.capacity ?? 0 } }
        set { shelves.withLock { $0.disk?.capacity = max(0, newValue) } }
    }

    open var currentMemoryUsage: Int { shelves.withLock { $0.memory.usage } }

    open var currentDiskUsage: Int { shelves.withLock { $0.disk?.usage ?? 0 } }

    /// What is stored for an equal request (CACH-27), however old it is.
    open func cachedResponse(for request: URLRequest) -> AdaptableCachedURLResponse? {
        guard let key = CacheKey(request.url), (request.httpMethod ?? "GET") == "GET" else { return nil }
        let fields = HeaderFields(dictionary: request.allHTTPHeaderFields ?? [:])
        return shelves.withLock { shelves in
            if let response = shelves.memory.find(key, fields) { return response }
            guard let response = shelves.disk?.find(key, fields) else { return nil }
            shelves.memory.store(response, key, now: Date())
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
            stored.exchange?.noteVariance(sent: fields, own: fields)
        }
        shelves.withLock { shelves in
            shelves.memory.store(stored, key, now: Date())
            if stored.storagePolicy == .allowed { shelves.disk?.store(stored, key, now: Date()) }
        }
    }

    open func removeCachedResponse(for request: URLRequest) {
        guard let key = CacheKey(request.url) else { return }
        shelves.withLock { shelves in
            shelves.memory.remove(key)
            shelves.disk?.remove(key)
        }
    }

    open func removeCachedResponses(since date: Date) {
        shelves.withLock { shelves in
            shelves.memory.remove(since: date)
            shelves.disk?.remove(since: date)
        }
    }

    open func removeAllCachedResponses() { removeCachedResponses(since: .distantPast) }

    // MARK: With the data task that asks (STOR-04)

    open func getCachedResponse(
        for dataTask: AdaptableSessionDataTask, completionHandler: @escaping @Sendable (AdaptableCachedURLResponse?) -> Void
    ) {
        completionHandler(dataTask.currentRequest.flatMap { cachedResponse(for: $0) })
    }

    open func storeCachedResponse(_ cachedResponse: AdaptableCachedURLResponse, for dataTask: AdaptableSessionDataTask) {
        if let request = dataTask.currentRequest { storeCachedResponse(cachedResponse, for: request) }
    }

    open func removeCachedResponse(for dataTask: AdaptableSessionDataTask) {
        if let request = dataTask.currentRequest { removeCachedResponse(for: request) }
    }
}
