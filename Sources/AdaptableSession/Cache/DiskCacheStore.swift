import Foundation
import OpenSSLTLS

/// Entries as files in one directory, up to a capacity; the least recently used are removed first. Files from earlier
/// processes are used too. A file that cannot be read is removed and treated as missing.
struct DiskCacheStore: Sendable {
    private struct Entry: Sendable {
        var size: Int
        var stored: Date
        var used: UInt64
    }

    let directory: URL
    private var entries: [String: Entry] = [:]
    private var clock: UInt64 = 0
    private(set) var usage = 0
    var capacity: Int { didSet { makeRoom() } }
    var policy: CachePolicy
    private static let suffix = ".response"

    /// Creates the directory, readable only by its owner: entries may hold responses to requests with credentials.
    init(directory: URL, capacity: Int, policy: CachePolicy) throws {
        self.directory = directory
        self.capacity = capacity
        self.policy = policy
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var found: [(name: String, entry: Entry)] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path)
        where name.hasSuffix(DiskCacheStore.suffix) {
            let facts = try? FileManager.default.attributesOfItem(atPath: directory.appendingPathComponent(name).path)
            // A sparse file can claim any length; it has to be removed, and the sum must not overflow.
            let size = min((facts?[.size] as? NSNumber)?.intValue ?? 0, 1 << 48)
            found.append((name, Entry(size: size, stored: facts?[.modificationDate] as? Date ?? .distantPast, used: 0)))
        }
        for item in found.sorted(by: { ($0.entry.stored, $0.name) < ($1.entry.stored, $1.name) }) {
            clock += 1
            entries[item.name] = Entry(size: item.entry.size, stored: item.entry.stored, used: clock)
            usage += item.entry.size
        }
        makeRoom()
    }

    mutating func find(_ key: CacheKey, _ fields: HeaderFields) -> AdaptableCachedURLResponse? {
        let names = entries.filter { $0.key.hasPrefix(key.digest) }.sorted { $0.value.stored > $1.value.stored }.map(
            \.key)
        for name in names {
            guard let data = FileManager.default.contents(atPath: path(name)), let response = CacheFile.read(data),
                CacheKey(response.exchange?.url) == key
            else {
                remove(name)
                continue
            }
            guard !policy.honoursVary || response.exchange?.matches(fields, isComplete: false) == true else { continue }
            clock += 1
            entries[name]?.used = clock
            return response
        }
        return nil
    }

    mutating func store(_ response: AdaptableCachedURLResponse, _ key: CacheKey, now: Date) {
        let variant = (response.exchange?.varying ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            .joined(separator: "\n")
        let mark = Digests.hexadecimal(Digests.sha256(Array(variant.utf8))).prefix(16)
        let name = "\(key.digest)-\(mark)\(DiskCacheStore.suffix)"
        remove(name)
        // 5 % of the capacity is an observed limit of URLSession.
        guard let data = CacheFile.write(response), data.count <= capacity / 20 else { return }
        // A full disk or missing permissions lose the entry, not the load.
        guard (try? data.write(to: directory.appendingPathComponent(name), options: .atomic)) != nil else { return }
        clock += 1
        entries[name] = Entry(size: data.count, stored: now, used: clock)
        usage += data.count
        let variants = entries.filter { $0.key.hasPrefix(key.digest) }.sorted { $0.value.used < $1.value.used }
        for old in variants.dropLast(CachePolicy.mostVariants) { remove(old.key) }
        makeRoom()
    }

    mutating func remove(_ key: CacheKey) { for name in entries.keys where name.hasPrefix(key.digest) { remove(name) } }

    mutating func remove(since date: Date) { for (name, entry) in entries where entry.stored >= date { remove(name) } }

    private func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    private mutating func remove(_ name: String) {
        guard let entry = entries.removeValue(forKey: name) else { return }
        usage -= entry.size
        try? FileManager.default.removeItem(atPath: path(name))
    }

    private mutating func makeRoom() {
        guard usage > capacity else { return }
        for name in entries.sorted(by: { $0.value.used < $1.value.used }).map(\.key) where usage > capacity {
            remove(name)
        }
    }
}
