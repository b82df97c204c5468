/// `urlCache` of a session's configuration (CACH-09, CACH-25).
package struct CacheSettings: Hashable, Sendable {
    package var storage: StorageChoice
    /// Bytes; nil leaves the size of a named store to the implementation.
    package var memoryCapacity: Int64?
    package var diskCapacity: Int64?
    package init(storage: StorageChoice, memoryCapacity: Int64? = nil, diskCapacity: Int64? = nil) {
        self.storage = storage
        self.memoryCapacity = memoryCapacity
        self.diskCapacity = diskCapacity
    }
}

/// `URLRequest.CachePolicy`, of a session's configuration (CACH-11) or of a request (CACH-10).
package enum CachePolicy: String, CaseIterable, Hashable, Sendable {
    case useProtocolCachePolicy
    case reloadIgnoringLocalCacheData
    case reloadIgnoringLocalAndRemoteCacheData
    case returnCacheDataElseLoad
    case returnCacheDataDontLoad
    case reloadRevalidatingCacheData
}

/// The cache method that the adapter calls to look up a response.
package enum CacheLookup: String, CaseIterable, Hashable, Sendable {
    /// `cachedResponse(for:)` with the task's request (CACH-27).
    case request
    /// `getCachedResponse(for:completionHandler:)` with the task (CACH-28).
    case task
}
