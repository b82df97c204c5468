import Foundation

/// Entries in memory, up to a capacity; the least recently used are removed first.
struct MemoryCacheStore: Sendable {
    private struct Entry: Sendable {
        var response: AdaptableCachedURLResponse
        var stored: Date
        var used: UInt64
    }

    private var entries: [CacheKey: [Entry]] = [:]
    private var clock: UInt64 = 0
    private(set) var usage = 0
    var capacity: Int { didSet { makeRoom() } }
    var policy: CachePolicy

    init(capacity: Int, policy: CachePolicy) {
        self.capacity = capacity
        self.policy = policy
    }

    /// Returns the newest entry that matches the request.
    mutating func find(_ key: CacheKey, _ fields: HeaderFields) -> AdaptableCachedURLResponse? {
        guard let index = entries[key]?.lastIndex(where: { isFor($0.response, fields) }) else { return nil }
        clock += 1
        entries[key]?[index].used = clock
        return entries[key]?[index].response
    }

    /// Stores the response in place of the variant with the same values of the Vary fields.
    mutating func store(_ response: AdaptableCachedURLResponse, _ key: CacheKey, now: Date) {
        let varying = response.exchange?.varying
        drop(key) { $0.response.exchange?.varying == varying }
        guard response.cost <= capacity else { return }
        clock += 1
        entries[key, default: []].append(Entry(response: response, stored: now, used: clock))
        usage += response.cost
        while let count = entries[key]?.count, count > CachePolicy.mostVariants,
            let oldest = entries[key]?.map(\.used).min()
        {
            drop(key) { $0.used == oldest }
        }
        makeRoom()
    }

    mutating func remove(_ key: CacheKey) { drop(key) { _ in true } }

    mutating func remove(since date: Date) { for key in Array(entries.keys) { drop(key) { $0.stored >= date } } }

    private func isFor(_ response: AdaptableCachedURLResponse, _ fields: HeaderFields) -> Bool {
        !policy.honoursVary || response.exchange?.matches(fields, isComplete: false) != false
    }

    private mutating func drop(_ key: CacheKey, where matches: (Entry) -> Bool) {
        guard let all = entries[key] else { return }
        let kept = all.filter { !matches($0) }
        usage += kept.reduce(0) { $0 + $1.response.cost } - all.reduce(0) { $0 + $1.response.cost }
        entries[key] = kept.isEmpty ? nil : kept
    }

    private mutating func makeRoom() {
        guard usage > capacity else { return }
        let order = entries.flatMap { key, all in all.map { (key: key, used: $0.used) } }.sorted { $0.used < $1.used }
        for entry in order where usage > capacity { drop(entry.key) { $0.used == entry.used } }
    }
}
