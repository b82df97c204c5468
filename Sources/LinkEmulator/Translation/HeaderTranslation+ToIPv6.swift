extension HeaderTranslation {
    /// Translates a packet to IPv6 (RFC 7915 §4.1), in fragments if its sender allowed that and the IPv6 side needs it.
    func toIPv6(
        _ packet: Span<UInt8>, _ header: IPv4Header, _ addresses: AddressPair, _ head: TransportHead?,
        _ port: PortChange?,
        into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        let payload = packet.extracting(header.payload)
        guard header.fragmentOffset + payload.count <= Int(UInt16.max) else {
            throw .malformed(.impossibleLength(.ipv4, header.fragmentOffset + payload.count))
        }
        // The header grows by 20 bytes, and a fragment header adds 8 (RFC 7915 §4).
        let growth = 20 + (header.isFragment ? 8 : 0)
        if header.dontFragment, payload.count + 20 + growth > networks.mtu6 {
            return try reply4(
                to: packet, type: ICMPHeader.V4.unreachable, code: ICMPHeader.V4.fragmentationNeeded,
                rest: UInt32(networks.mtu6 - growth), into: &out)
        }
        var body: [UInt8] = []
        body.reserveCapacity(payload.count)
        body.append(payload)
        if let head {
            let lacksChecksum = head.kind == .udp && payload.word16(6) == 0
            // A first fragment does not contain all bytes that the checksum covers (RFC 7915 §4.5).
            if lacksChecksum, header.isFragment { throw .missingChecksum }
            TransportRewrite.apply(&body, at: 0, head.kind, port, addresses, to: .v6, icmpLength: payload.count)
            if lacksChecksum { try Self.makeUDPChecksum(&body, addresses) }
        }
        return .translated(to: .v6, packets: emit(body, header, addresses, into: &out))
    }

    private func emit(_ body: [UInt8], _ header: IPv4Header, _ addresses: AddressPair, into out: inout [UInt8]) -> Int {
        let next = header.payloadProtocol == .icmp ? IPProtocol.icmpv6 : header.payloadProtocol
        let hopLimit = header.timeToLive - 1
        let whole = IPv6Header.length + (header.isFragment ? 8 : 0) + body.count
        let limit = min(networks.lowestMTU6, networks.mtu6)
        let isCut = !header.dontFragment && whole > limit
        guard isCut || header.isFragment else {
            out.appendIPv6Header(
                trafficClass: header.trafficClass, payloadLength: body.count, next, hopLimit: hopLimit,
                from: addresses.source6, to: addresses.destination6)
            out += body
            return 1
        }
        let piece = isCut ? (limit - IPv6Header.length - 8) & ~7 : max(1, body.count)
        var packets = 0
        var position = 0
        repeat {
            let end = min(body.count, position + piece)
            out.appendIPv6Header(
                trafficClass: header.trafficClass, payloadLength: 8 + end - position, .fragment, hopLimit: hopLimit,
                from: addresses.source6, to: addresses.destination6)
            out.append(
                IPv6Header.Fragment(
                    identification: UInt32(header.identification), offset: header.fragmentOffset + position,
                    moreFragments: end < body.count || header.moreFragments), next)
            out += body[position..<end]
            position = end
            packets += 1
        } while position < body.count
        return packets
    }

    /// Adds the checksum that IPv6 requires if the IPv4 sender computed none (RFC 7915 §4.5).
    private static func makeUDPChecksum(_ datagram: inout [UInt8], _ addresses: AddressPair) throws(TranslationDrop) {
        let stated = Int(datagram.span.word16(4))
        guard stated >= UDPHeader.length, stated <= datagram.count else {
            throw .malformed(.impossibleLength(.udp, stated))
        }
        var sum = InternetChecksum()
        sum.addPseudoHeader(addresses.source6, addresses.destination6, .udp, length: stated)
        sum.add(datagram.span.extracting(0..<stated))
        datagram.set16(sum.udpValue, at: 6)
    }
}
