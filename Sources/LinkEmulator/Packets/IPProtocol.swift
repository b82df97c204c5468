/// The number of the protocol that an IP packet carries (IANA "protocol numbers"); open, so that unknown ones are kept.
package struct IPProtocol: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let icmp = IPProtocol(rawValue: 1)
    package static let tcp = IPProtocol(rawValue: 6)
    package static let udp = IPProtocol(rawValue: 17)
    package static let icmpv6 = IPProtocol(rawValue: 58)

    static let hopByHop = IPProtocol(rawValue: 0)
    static let routing = IPProtocol(rawValue: 43)
    static let fragment = IPProtocol(rawValue: 44)
    static let authentication = IPProtocol(rawValue: 51)
    static let destinationOptions = IPProtocol(rawValue: 60)

    /// True for the extension headers that can be skipped (RFC 8200 §4).
    var isIPv6Extension: Bool {
        self == .hopByHop || self == .routing || self == .fragment || self == .authentication
            || self == .destinationOptions
    }

    package var description: String {
        if self == .icmp { return "ICMP" }
        if self == .tcp { return "TCP" }
        if self == .udp { return "UDP" }
        if self == .icmpv6 { return "ICMPv6" }
        return "protocol \(rawValue)"
    }
}
