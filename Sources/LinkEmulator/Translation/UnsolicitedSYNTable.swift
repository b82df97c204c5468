/// SYNs from the IPv4 side that address-dependent filtering holds for a few seconds, in case the IPv6 host opens the
/// same connection meanwhile (simultaneous open, RFC 6146 §3.5.2.2, state V4 INIT).
struct UnsolicitedSYNTable: Sendable {
    struct Key: Hashable, Sendable {
        var port: UInt16
        var peer: BindingTable.Peer
    }
    private struct Waiting: Sendable {
        var packet: [UInt8]
        var expires: LinkTime
    }
    private var waiting: [Key: Waiting] = [:]
    private static let most = 64

    var nextExpiry: LinkTime? { waiting.values.map(\.expires).min() }

    /// Holds a SYN; returns false if too many are held. A retransmitted SYN is not held longer.
    mutating func insert(_ packet: Span<UInt8>, _ key: Key, until expires: LinkTime) -> Bool {
        if waiting[key] != nil { return true }
        guard waiting.count < Self.most else { return false }
        var copy: [UInt8] = []
        copy.append(packet)
        waiting[key] = Waiting(packet: copy, expires: expires)
        return true
    }

    /// Removes the SYN that matches a connection opened from inside; returns true if one was held in time.
    mutating func remove(_ key: Key, at now: LinkTime) -> Bool {
        guard let found = waiting.removeValue(forKey: key) else { return false }
        return found.expires > now
    }

    /// Removes and returns the SYNs whose time has run out, oldest first.
    mutating func expired(at now: LinkTime) -> [[UInt8]] {
        let over = waiting.filter { $0.value.expires <= now }.sorted { $0.value.expires < $1.value.expires }
        for (key, _) in over { waiting[key] = nil }
        return over.map(\.value.packet)
    }
}
