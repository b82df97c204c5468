package import InternetAddresses

/// Builds the ICMP error that a router on the link returns to the source of a packet it could not forward.
package enum ICMPErrorReply {
    /// Returns IPv4 "fragmentation needed" or IPv6 "packet too big" (RFC 1191 §4, RFC 4443 §3.2) for a packet dropped
    /// as `.tooBig`.
    ///
    /// Returns nil if no error may be sent (RFC 1122 §3.2.2, RFC 4443 §2.4e): about an ICMP error, a later IPv4
    /// fragment, or a packet with a multicast or broadcast address; or if the bytes are not an IP packet.
    package static func tooBig(
        for original: Span<UInt8>, mtu: Int, from router4: IPv4Address, _ router6: IPv6Address
    ) -> [UInt8]? {
        let field = UInt32(clamping: mtu)
        return switch try? IPPacket(original) {
        case .v4:
            v4(
                for: original, type: ICMPHeader.V4.unreachable, code: ICMPHeader.V4.fragmentationNeeded,
                rest: field & 0xFFFF, from: router4)
        case .v6: v6(for: original, type: ICMPHeader.V6.packetTooBig, code: 0, rest: field, from: router6)
        case nil: nil
        }
    }

    static func v4(
        for original: Span<UInt8>, type: UInt8, code: UInt8, rest: UInt32, from router: IPv4Address
    ) -> [UInt8]? {
        guard let header = try? IPv4Header(original), header.fragmentOffset == 0 else { return nil }
        guard !header.source.isMulticast, !header.source.isUnspecified, !header.source.isLoopback,
            !header.source.isBroadcast, !header.destination.isMulticast, !header.destination.isBroadcast
        else { return nil }
        let payload = original.extracting(header.payload)
        if header.payloadProtocol == .icmp {
            guard let icmp = try? ICMPHeader(payload), !ICMPHeader.V4.isError(icmp.type) else { return nil }
        }
        // Quote as much of the original as fits into the 576 bytes that every host accepts (RFC 1812 §4.3.2.3).
        let quoted = min(header.totalLength, 576 - 28)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(28 + quoted)
        // Precedence "internetwork control" (RFC 1812 §4.3.2.5).
        bytes.appendIPv4Header(
            trafficClass: 0xC0, totalLength: 28 + quoted, identification: 0, dontFragment: false, timeToLive: 64, .icmp,
            from: router, to: header.source)
        bytes.append16(UInt16(type) << 8 | UInt16(code))
        bytes.append16(0)
        bytes.append32(rest)
        bytes.append(original.extracting(0..<quoted))
        var sum = InternetChecksum()
        sum.add(bytes.span.extracting(20..<bytes.count))
        bytes.set16(sum.value, at: 22)
        return bytes
    }

    static func v6(
        for original: Span<UInt8>, type: UInt8, code: UInt8, rest: UInt32, from router: IPv6Address
    ) -> [UInt8]? {
        guard let header = try? IPv6Header(original) else { return nil }
        guard !header.source.isMulticast, !header.source.isUnspecified else { return nil }
        // Packet too big is the only error that a multicast packet may cause.
        if header.destination.isMulticast, type != ICMPHeader.V6.packetTooBig { return nil }
        // A later fragment may be reported, but a later ICMPv6 fragment does not show whether it belongs to an error.
        if header.payloadProtocol == .icmpv6 {
            if header.isLaterFragment { return nil }
            guard let icmp = try? ICMPHeader(original.extracting(header.payload)), !ICMPHeader.V6.isError(icmp.type),
                icmp.type != ICMPHeader.V6.redirect
            else { return nil }
        }
        // Quote as much as fits into the minimum MTU (RFC 4443 §2.4c).
        let quoted = min(IPv6Header.length + header.payloadLength, 1280 - 48)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(48 + quoted)
        bytes.appendIPv6Header(
            trafficClass: 0, payloadLength: 8 + quoted, .icmpv6, hopLimit: 64, from: router, to: header.source)
        bytes.append16(UInt16(type) << 8 | UInt16(code))
        bytes.append16(0)
        bytes.append32(rest)
        bytes.append(original.extracting(0..<quoted))
        var sum = InternetChecksum()
        sum.addPseudoHeader(router, header.source, .icmpv6, length: 8 + quoted)
        sum.add(bytes.span.extracting(40..<bytes.count))
        bytes.set16(sum.value, at: 42)
        return bytes
    }
}
