package import DNSMessages

/// The records that were received on one link, each until its time to live ends (RFC 6762 §10).
package struct RecordCache: Sendable {
    package struct Entry: Sendable {
        package var record: DNSRecord
        let identity: [UInt8]
        package var received: Nanoseconds
        package var expires: Nanoseconds
        /// The number of queries that were sent to keep the record.
        var refreshes = 0
        /// True after a goodbye, or after other records replaced this one.
        var isEnding = false

        mutating func end(at time: Nanoseconds) {
            expires = min(expires, time)
            isEnding = true
        }

        /// The time of the next query that keeps the record: at 80, 85, 90 and 95 % of its life (§5.2); nil after them.
        var refresh: Nanoseconds? {
            guard refreshes < 4, !isEnding else { return nil }
            return received + (expires - received) / 100 * Int64(80 + 5 * refreshes)
        }
    }

    /// More records are ignored, so that a hostile link can fill neither the memory nor the time.
    static let capacity = 4_096
    static let capacityOfName = 512
    /// The longest life of a record; a longer one is shortened.
    private static let longestLife: Nanoseconds = .seconds(86_400)
    private static let types: Set<DNSRecordType> = [.ptr, .srv, .txt, .a, .aaaa]

    private(set) var entries: [RecordKey: [Entry]] = [:]
    private var count = 0

    package init() {}

    /// The records of a name and a type that have not expired.
    package func records(_ key: RecordKey) -> [DNSRecord] { entries[key]?.map(\.record) ?? [] }

    /// The time at which the next record expires; nil without records.
    package var deadline: Nanoseconds? { entries.values.lazy.joined().map(\.expires).min() }

    /// Adds the records of one response. Returns true if the records changed.
    package mutating func add(_ records: [DNSRecord], at now: Nanoseconds) -> Bool {
        var hasChanged = false
        for record in records where Self.types.contains(record.type) && record.flushing(false).recordClass == 1 {
            let key = record.key
            var list = entries[key] ?? []
            let identity = record.identity
            let index = list.firstIndex { $0.identity == identity }
            if record.timeToLive == 0 {
                // A goodbye takes effect after one second, so that another host can correct it (§10.1).
                if let index { list[index].end(at: now + .seconds(1)) }
            } else {
                if record.flushesCache {
                    for other in list.indices where other != index && list[other].received < now - .seconds(1) {
                        list[other].end(at: now + .seconds(1))
                    }
                }
                let life = min(Nanoseconds.seconds(Int64(record.timeToLive)), Self.longestLife)
                let entry = Entry(
                    record: record.flushing(false), identity: identity, received: now, expires: now + life)
                if let index {
                    list[index] = entry
                } else if count < Self.capacity, list.count < Self.capacityOfName {
                    list.append(entry)
                    count += 1
                    hasChanged = true
                }
            }
            entries[key] = list.isEmpty ? nil : list
        }
        return hasChanged
    }

    /// Removes the expired records. Returns true if there were any.
    package mutating func expire(at now: Nanoseconds) -> Bool {
        let before = count
        for (key, list) in entries where list.contains(where: { $0.expires <= now }) {
            let left = list.filter { $0.expires > now }
            count -= list.count - left.count
            entries[key] = left.isEmpty ? nil : left
        }
        return count < before
    }

    /// Counts the due refreshes of a key's records. Returns true if there were any.
    mutating func takeRefreshes(_ key: RecordKey, at now: Nanoseconds) -> Bool {
        guard var list = entries[key] else { return false }
        var isDue = false
        for index in list.indices {
            while let refresh = list[index].refresh, refresh <= now {
                list[index].refreshes += 1
                isDue = true
            }
        }
        entries[key] = list
        return isDue
    }

    /// The records that a query names as known: those with more than half of their life left (§7.1), with the rest of
    /// their time to live.
    func known(_ key: RecordKey, at now: Nanoseconds) -> [DNSRecord] {
        (entries[key] ?? []).filter { $0.expires - now > (now - $0.received) }
            .map { $0.record.living(UInt32(clamping: ($0.expires - now) / .seconds(1))) }
    }
}
