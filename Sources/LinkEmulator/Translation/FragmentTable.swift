import InternetAddresses

/// The destinations of later fragments of IPv4 packets whose first fragment has shown the port (RFC 6146 §3.4), and the
/// fragments that arrived before their first one.
struct FragmentTable: Sendable {
    struct Key: Hashable, Sendable {
        var source: IPv4Address
        var identification: UInt16
        var payloadProtocol: IPProtocol
    }
    private struct Entry: Sendable {
        var owner: IPv6Address
        var expires: LinkTime
    }
    private struct Early: Sendable {
        var packets: [[UInt8]]
        var expires: LinkTime
    }
    private var entries: [Key: Entry] = [:]
    private var early: [Key: Early] = [:]
    private var earlyCount = 0

    /// Limits the memory that a flood of fragments can use.
    private static let mostEntries = 4096
    private static let mostEarly = 64

    mutating func remember(_ key: Key, _ owner: IPv6Address, until expires: LinkTime, now: LinkTime) {
        if entries.count >= Self.mostEntries { entries = entries.filter { $0.value.expires > now } }
        guard entries.count < Self.mostEntries else { return }
        entries[key] = Entry(owner: owner, expires: expires)
    }

    func owner(of key: Key, at now: LinkTime) -> IPv6Address? {
        guard let entry = entries[key], entry.expires > now else { return nil }
        return entry.owner
    }

    /// Keeps a fragment until its first one arrives; returns false if too many are kept.
    mutating func insert(_ packet: Span<UInt8>, _ key: Key, until expires: LinkTime, now: LinkTime) -> Bool {
        if earlyCount >= Self.mostEarly {
            early = early.filter { $0.value.expires > now }
            earlyCount = early.values.reduce(0) { $0 + $1.packets.count }
        }
        guard earlyCount < Self.mostEarly else { return false }
        var copy: [UInt8] = []
        copy.append(packet)
        var waiting = early[key] ?? Early(packets: [], expires: expires)
        if waiting.expires <= now {
            earlyCount -= waiting.packets.count
            waiting = Early(packets: [], expires: expires)
        }
        waiting.packets.append(copy)
        early[key] = waiting
        earlyCount += 1
        return true
    }

    /// Returns the fragments that waited for the first one, in order of arrival.
    mutating func release(_ key: Key, at now: LinkTime) -> [[UInt8]] {
        guard earlyCount > 0, let waiting = early.removeValue(forKey: key) else { return [] }
        earlyCount -= waiting.packets.count
        return waiting.expires > now ? waiting.packets : []
    }
}
