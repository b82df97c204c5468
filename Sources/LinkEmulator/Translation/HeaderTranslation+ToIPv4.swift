extension HeaderTranslation {
    /// A longer IPv4 packet carries DF, because its sender does path MTU discovery (RFC 7915 §5.1).
    static let longestWithoutDontFragment = 1260

    /// Translates a packet to IPv4 (RFC 7915 §5.1): replaces the IP headers and, if there is a `head`, the transport
    /// header.
    mutating func toIPv4(
        _ packet: Span<UInt8>, _ header: IPv6Header, _ addresses: AddressPair, _ head: TransportHead?,
        _ port: PortChange?,
        into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        let payload = packet.extracting(header.carried)
        let totalLength = IPv4Header.minimumLength + payload.count
        let isFragment = header.fragment != nil
        let dontFragment = !isFragment && totalLength > Self.longestWithoutDontFragment
        if totalLength > networks.mtu4, dontFragment {
            // IPv6 hosts never reduce the MTU below 1280 and need not: such a packet arrives without DF.
            return try reply6(
                to: packet, type: ICMPHeader.V6.packetTooBig, code: 0, rest: UInt32(max(1280, networks.mtu4 + 20)),
                into: &out)
        }
        // IPv6 forbids a datagram without a checksum (RFC 8200 §8.1), and without one there is nothing to update.
        if let head, head.kind == .udp, payload.word16(6) == 0 { throw .missingChecksum }
        let next = header.carriedProtocol == .icmpv6 ? IPProtocol.icmp : header.carriedProtocol
        let identification =
            header.fragment.map { UInt16(truncatingIfNeeded: $0.identification) } ?? nextIdentification()
        let offset = header.fragment?.offset ?? 0
        guard offset + payload.count <= Int(UInt16.max) else {
            throw .malformed(.impossibleLength(.ipv6, offset + payload.count))
        }
        func appendHeader(_ count: Int, at position: Int, isLast: Bool) {
            out.appendIPv4Header(
                trafficClass: header.trafficClass, totalLength: IPv4Header.minimumLength + count,
                identification: identification, dontFragment: dontFragment,
                moreFragments: !isLast || header.fragment?.moreFragments ?? false, fragmentOffset: offset + position,
                timeToLive: header.hopLimit - 1, next, from: addresses.source4, to: addresses.destination4)
        }
        guard totalLength > networks.mtu4 else {
            appendHeader(payload.count, at: 0, isLast: true)
            out.append(payload)
            if let head {
                TransportRewrite.apply(
                    &out, at: IPv4Header.minimumLength, head.kind, port, addresses, to: .v4, icmpLength: payload.count)
            }
            return .translated(to: .v4, packets: 1)
        }
        var body: [UInt8] = []
        body.append(payload)
        if let head {
            TransportRewrite.apply(&body, at: 0, head.kind, port, addresses, to: .v4, icmpLength: payload.count)
        }
        let piece = (networks.mtu4 - IPv4Header.minimumLength) & ~7
        var packets = 0
        for position in stride(from: 0, to: body.count, by: piece) {
            let end = min(body.count, position + piece)
            appendHeader(end - position, at: position, isLast: end == body.count)
            out += body[position..<end]
            packets += 1
        }
        return .translated(to: .v4, packets: packets)
    }
}
