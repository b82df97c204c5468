package import InternetAddresses

/// The fixed header of an IPv6 packet (RFC 8200 §3) with the facts its extension headers state about the payload.
package struct IPv6Header: Hashable, Sendable {
    package static let length = 40

    package struct Fragment: Hashable, Sendable {
        package var identification: UInt32
        /// In bytes.
        package var offset: Int
        package var moreFragments: Bool
    }

    package var trafficClass: UInt8
    package var flowLabel: UInt32
    package var payloadLength: Int
    package var hopLimit: UInt8
    package var source: IPv6Address
    package var destination: IPv6Address
    /// The protocol after the extension headers.
    package var payloadProtocol: IPProtocol
    /// The range of the payload in the parsed bytes.
    package var payload: Range<Int>
    package var fragment: Fragment?
    /// The offset of a routing header that still names hops to visit.
    package var segmentsLeftOffset: Int?

    /// The offset of the first authentication header.
    package var authenticationOffset: Int?
    /// True if an extension header follows the fragment header, and so belongs to the fragmented data.
    package var hasExtensionInFragment = false

    /// Only the first fragment carries the transport header.
    package var isLaterFragment: Bool { (fragment?.offset ?? 0) > 0 }

    /// Parses a header.
    ///
    /// - Parameter isQuoted: true for a packet inside an ICMP error, whose payload may be truncated.
    package init(_ packet: Span<UInt8>, isQuoted: Bool = false) throws(PacketError) {
        guard packet.count > 0 else { throw .empty }
        guard packet[0] >> 4 == 6 else { throw .unknownVersion(packet[0] >> 4) }
        guard packet.count >= Self.length else { throw .truncated(.ipv6, needed: Self.length, found: packet.count) }
        trafficClass = UInt8(truncatingIfNeeded: packet.word16(0) >> 4)
        flowLabel = packet.word32(0) & 0xF_FFFF
        payloadLength = Int(packet.word16(4))
        hopLimit = packet[7]
        source = IPv6Address(packet, at: 8)
        destination = IPv6Address(packet, at: 24)
        let stated = Self.length + payloadLength
        guard isQuoted || packet.count >= stated else { throw .truncated(.ipv6, needed: stated, found: packet.count) }
        let end = min(stated, packet.count)

        // Each extension header is at least eight bytes long, so the walk ends.
        var next = IPProtocol(rawValue: packet[6])
        var offset = Self.length
        walk: while next.isIPv6Extension {
            guard offset + 8 <= end else { throw .truncated(.ipv6Extension, needed: offset + 8, found: end) }
            let current = next
            if fragment != nil { hasExtensionInFragment = true }
            next = IPProtocol(rawValue: packet[offset])
            if current == .fragment {
                let found = Fragment(
                    identification: packet.word32(offset + 4), offset: Int(packet.word16(offset + 2) & 0xFFF8),
                    moreFragments: packet[offset + 3] & 1 != 0)
                fragment = found
                offset += 8
                // In a later fragment a piece of the payload follows, not a header.
                if found.offset > 0 {
                    hasExtensionInFragment = next.isIPv6Extension
                    break walk
                }
            } else if current == .authentication {
                if authenticationOffset == nil { authenticationOffset = offset }
                offset += (Int(packet[offset + 1]) + 2) * 4
            } else {
                if current == .routing, packet[offset + 3] > 0 { segmentsLeftOffset = offset + 3 }
                offset += (Int(packet[offset + 1]) + 1) * 8
            }
            guard offset <= end else { throw .truncated(.ipv6Extension, needed: offset, found: end) }
        }
        payloadProtocol = next
        payload = offset..<end
    }
}

extension IPv6Header {
    /// The protocol that a translator carries over (RFC 7915 §5.1): it skips the other extension headers, but
    /// authentication belongs to the payload, as in IPv4.
    var carriedProtocol: IPProtocol { authenticationOffset == nil ? payloadProtocol : .authentication }
    var carried: Range<Int> { (authenticationOffset ?? payload.lowerBound)..<payload.upperBound }
}

extension [UInt8] {
    /// Appends a fixed header with flow label 0.
    mutating func appendIPv6Header(
        trafficClass: UInt8, payloadLength: Int, _ next: IPProtocol, hopLimit: UInt8, from source: IPv6Address,
        to destination: IPv6Address
    ) {
        append32(6 << 28 | UInt32(trafficClass) << 20)
        append16(UInt16(payloadLength))
        append16(UInt16(next.rawValue) << 8 | UInt16(hopLimit))
        append(source)
        append(destination)
    }

    /// Appends a fragment header (RFC 8200 §4.5).
    mutating func append(_ fragment: IPv6Header.Fragment, _ next: IPProtocol) {
        append16(UInt16(next.rawValue) << 8)
        append16(UInt16(fragment.offset) | (fragment.moreFragments ? 1 : 0))
        append32(fragment.identification)
    }
}

extension IPv6Address {
    init(_ packet: Span<UInt8>, at offset: Int) {
        self.init(high: packet.word64(offset), low: packet.word64(offset + 8))
    }
}
