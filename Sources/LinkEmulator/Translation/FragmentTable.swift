/// To whom the later fragments of an IPv4 packet go, once its first fragment has shown the port (RFC 6146 §3.4).
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
    private var entries: [Key: Entry] = [:]

    mutating func remember(_ key: Key, _ owner: IPv6Address, until expires: LinkTime, now: LinkTime) {
        // Bounds the memory that a flood of first fragments can take.
        if entries.count >= 256 { entries = entries.filter { $0.value.expires > now } }
        entries[key] = Entry(owner: owner, expires: expires)
    }

    func owner(of key: Key, at now: LinkTime) -> IPv6Address? {
        guard let entry = entries[key], entry.expires > now else { return nil }
        return entry.owner
    }
}
