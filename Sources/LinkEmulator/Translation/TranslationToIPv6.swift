extension NAT64Translator {
    /// From the IPv4 internet to the IPv6 host that owns the port (RFC 6146 §3.5, RFC 7915 §4).
    mutating func toIPv6(
        _ packet: Span<UInt8>, _ header: IPv4Header, at now: LinkTime, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        guard header.destination == configuration.pool else { return .ignored(.destinationNotInPool(header.destination)) }
        var headerSum = InternetChecksum()
        headerSum.add(packet.extracting(0..<header.headerLength))
        guard headerSum.value == 0 else { throw .badChecksum }
        let payload = packet.extracting(header.payload)
        if header.payloadProtocol == .icmp, !header.isFragment, let icmp = try? ICMPHeader(payload),
            ICMPHeader.V4.isError(icmp.type)
        {
            return try errorToIPv6(header, payload, icmp, into: &out)
        }
        try checkLegal(header.source)
        if header.timeToLive <= 1 {
            return try reply4(to: packet, type: ICMPHeader.V4.timeExceeded, code: 0, into: &out)
        }
        if Self.hasUnfinishedSourceRoute(packet.extracting(IPv4Header.minimumLength..<header.headerLength)) {
            return try reply4(
                to: packet, type: ICMPHeader.V4.unreachable, code: ICMPHeader.V4.sourceRouteFailed, into: &out)
        }
        guard header.fragmentOffset + payload.count <= Int(UInt16.max) else {
            throw .malformed(.impossibleLength(.ipv4, header.fragmentOffset + payload.count))
        }
        // RFC 7915 §4: 20 bytes more for the header, 8 for a fragment header.
        let growth = 20 + (header.isFragment ? 8 : 0)
        if header.dontFragment, payload.count + 20 + growth > configuration.mtu6 {
            return try reply4(
                to: packet, type: ICMPHeader.V4.unreachable, code: ICMPHeader.V4.fragmentationNeeded,
                rest: UInt32(configuration.mtu6 - growth), into: &out)
        }

        let next = header.payloadProtocol
        let key = FragmentTable.Key(
            source: header.source, identification: header.identification, payloadProtocol: next)
        let source6 = configuration.prefix.embed(header.source)
        var body: [UInt8] = []
        body.reserveCapacity(payload.count)
        body.append(payload)
        let owner: IPv6Address
        if header.fragmentOffset > 0 {
            if next == .icmp { throw .fragmentedICMP }
            guard let known = fragments.owner(of: key, at: now) else { throw .fragmentWithoutFirst }
            owner = known
        } else {
            if next == .icmp, header.isFragment { throw .fragmentedICMP }
            let head = try TransportHead(payload, next)
            guard let endpoint = table.owner(of: head.destinationPort, head.kind) else { throw .noBinding }
            owner = endpoint.address
            let addresses = AddressPair(
                source6: source6, destination6: owner, source4: header.source, destination4: header.destination)
            let lacksChecksum = head.kind == .udp && payload.word16(6) == 0
            if lacksChecksum, header.isFragment { throw .missingChecksum }
            TransportRewrite.apply(
                &body, at: 0, head.kind, .destination, port: endpoint.port, addresses, to: .v6, icmpLength: payload.count)
            if lacksChecksum { try Self.makeUDPChecksum(&body, from: source6, to: owner) }
            note(head, header, at: now)
            if header.moreFragments {
                fragments.remember(key, owner, until: now + configuration.timeouts.fragment, now: now)
            }
        }
        return .translated(to: .v6, packets: emit(body, header, from: source6, to: owner, into: &out))
    }

    private mutating func note(_ head: TransportHead, _ header: IPv4Header, at now: LinkTime) {
        let peer = BindingTable.Peer(address: header.source, port: head.kind == .icmp ? 0 : head.sourcePort)
        switch head.kind {
        case .tcp: table.touchTCP(head.destinationPort, peer, head.flags, from: .v4, at: now)
        case .udp, .icmp: table.touch(head.destinationPort, peer, head.kind, at: now)
        }
    }

    /// Writes the packet, in pieces where its sender allowed that and the IPv6 side needs it (RFC 7915 §4).
    private func emit(
        _ body: [UInt8], _ header: IPv4Header, from source: IPv6Address, to owner: IPv6Address, into out: inout [UInt8]
    ) -> Int {
        let next = header.payloadProtocol == .icmp ? IPProtocol.icmpv6 : header.payloadProtocol
        let hopLimit = header.timeToLive - 1
        let whole = IPv6Header.length + (header.isFragment ? 8 : 0) + body.count
        let limit = min(configuration.lowestMTU6, configuration.mtu6)
        let isCut = !header.dontFragment && whole > limit
        guard isCut || header.isFragment else {
            out.appendIPv6Header(
                trafficClass: header.trafficClass, payloadLength: body.count, next, hopLimit: hopLimit, from: source,
                to: owner)
            out += body
            return 1
        }
        let piece = isCut ? max(8, (limit - IPv6Header.length - 8) & ~7) : max(1, body.count)
        var packets = 0
        var position = 0
        repeat {
            let end = min(body.count, position + piece)
            out.appendIPv6Header(
                trafficClass: header.trafficClass, payloadLength: 8 + end - position, .fragment, hopLimit: hopLimit,
                from: source, to: owner)
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

    /// IPv6 wants a checksum where the IPv4 sender made none (RFC 7915 §4.5).
    private static func makeUDPChecksum(
        _ datagram: inout [UInt8], from source: IPv6Address, to destination: IPv6Address
    ) throws(TranslationDrop) {
        let stated = Int(datagram.span.word16(4))
        guard stated >= UDPHeader.length, stated <= datagram.count else {
            throw .malformed(.impossibleLength(.udp, stated))
        }
        var sum = InternetChecksum()
        sum.addPseudoHeader(source, destination, .udp, length: stated)
        sum.add(datagram.span.extracting(0..<stated))
        datagram.set16(sum.udpValue, at: 6)
    }

    /// A loose (131) or strict (137) source route that names hops still to visit (RFC 7915 §4.1).
    private static func hasUnfinishedSourceRoute(_ options: Span<UInt8>) -> Bool {
        var position = 0
        while position < options.count, options[position] != 0 {
            if options[position] == 1 {
                position += 1
                continue
            }
            guard position + 2 < options.count, options[position + 1] >= 2 else { return false }
            if options[position] == 131 || options[position] == 137, options[position + 2] <= options[position + 1] {
                return true
            }
            position += Int(options[position + 1])
        }
        return false
    }

    /// An ICMP error about a packet that an IPv6 host sent (RFC 7915 §4.2, §4.3).
    private mutating func errorToIPv6(
        _ header: IPv4Header, _ message: Span<UInt8>, _ icmp: ICMPHeader, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        var received = InternetChecksum()
        received.add(message)
        guard received.value == 0 else { throw .badChecksum }
        // No error is sent about an error, so one that has come too far just ends.
        guard header.timeToLive > 1 else { throw .unanswerable }
        let quoted = message.extracting(ICMPHeader.length..<message.count)
        let inner: IPv4Header
        do { inner = try IPv4Header(quoted, isQuoted: true) } catch { throw .malformed(error) }
        guard
            let error = ICMPErrorTables.toIPv6(
                icmp, quotedLength: inner.totalLength, mtu4: configuration.mtu4, mtu6: configuration.mtu6)
        else { throw .untranslatableICMP(type: icmp.type, code: icmp.code) }
        guard inner.source == configuration.pool, inner.fragmentOffset == 0 else { throw .noBinding }
        let transport = quoted.extracting(inner.payload)
        let head = try TransportHead(transport, inner.payloadProtocol)
        guard let endpoint = table.owner(of: head.sourcePort, head.kind) else { throw .noBinding }
        // A router in the middle may have an address that the prefix must not stand for; its report is still worth having.
        let router =
            configuration.prefix.mayRepresent(header.source)
            ? configuration.prefix.embed(header.source) : configuration.router6
        let innerDestination = configuration.prefix.embed(inner.destination)

        let fragmentLength = inner.isFragment ? 8 : 0
        let kept = min(transport.count, 1280 - 2 * IPv6Header.length - ICMPHeader.length - fragmentLength)
        let innerPayloadLength = inner.totalLength - inner.headerLength
        guard innerPayloadLength + fragmentLength <= Int(UInt16.max) else {
            throw .malformed(.impossibleLength(.ipv4, inner.totalLength))
        }
        out.appendIPv6Header(
            trafficClass: header.trafficClass,
            payloadLength: ICMPHeader.length + IPv6Header.length + fragmentLength + kept, .icmpv6,
            hopLimit: header.timeToLive - 1, from: router, to: endpoint.address)
        out.append16(UInt16(error.type) << 8 | UInt16(error.code))
        out.append16(0)
        out.append32(error.rest)
        let next = head.kind == .icmp ? IPProtocol.icmpv6 : inner.payloadProtocol
        out.appendIPv6Header(
            trafficClass: inner.trafficClass, payloadLength: innerPayloadLength + fragmentLength,
            inner.isFragment ? .fragment : next, hopLimit: inner.timeToLive, from: endpoint.address, to: innerDestination)
        if inner.isFragment {
            out.append(
                IPv6Header.Fragment(identification: UInt32(inner.identification), offset: 0, moreFragments: true), next)
        }
        let start = out.count
        out.append(transport.extracting(0..<kept))
        TransportRewrite.apply(
            &out, at: start, head.kind, .source, port: endpoint.port,
            AddressPair(
                source6: endpoint.address, destination6: innerDestination, source4: configuration.pool,
                destination4: inner.destination),
            to: .v6, icmpLength: innerPayloadLength)
        var sum = InternetChecksum()
        sum.addPseudoHeader(router, endpoint.address, .icmpv6, length: out.count - IPv6Header.length)
        sum.add(out.span.extracting(IPv6Header.length..<out.count))
        out.set16(sum.value, at: IPv6Header.length + 2)
        return .translated(to: .v6, packets: 1)
    }
}
