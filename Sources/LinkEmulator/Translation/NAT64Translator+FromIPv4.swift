import InternetAddresses

extension NAT64Translator {
    /// Translates a packet from the IPv4 internet to the IPv6 host that owns the port (RFC 6146 §3.5).
    mutating func fromIPv4(
        _ packet: Span<UInt8>, _ header: IPv4Header, at now: LinkTime, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        guard header.destination == configuration.pool else {
            return .ignored(.destinationNotInPool(header.destination))
        }
        guard header.hasRightChecksum(packet) else { throw .badChecksum }
        let next = header.payloadProtocol
        let payload = packet.extracting(header.payload)
        if next == .icmp {
            if header.isFragment { throw .fragmentedICMP }
            if ICMPHeader.V4.isError(try ICMPHeader(reading: payload).type) {
                return try errorFromIPv4(packet, header, into: &out)
            }
        }
        try headers.checkLegal(header.source)
        if let refusal = try headers.refusal(of: packet, header, into: &out) { return refusal }
        let key = FragmentTable.Key(source: header.source, identification: header.identification, payloadProtocol: next)
        let source6 = configuration.prefix.embed(header.source)
        func addresses(_ owner: IPv6Address) -> AddressPair {
            AddressPair(
                source6: source6, destination6: owner, source4: header.source, destination4: header.destination)
        }
        if header.fragmentOffset > 0 {
            guard next == .tcp || next == .udp else { throw .unsupportedProtocol(next) }
            guard let owner = fragments.owner(of: key, at: now) else {
                let expires = now + configuration.timeouts.fragment
                guard fragments.insert(packet, key, until: expires, now: now) else { throw .fragmentWithoutFirst }
                return .held
            }
            return try headers.toIPv6(packet, header, addresses(owner), nil, nil, into: &out)
        }
        guard let head = try TransportHead.ofPacket(payload, next, of: .v4) else {
            return try headers.reply4(
                to: packet, type: ICMPHeader.V4.unreachable, code: ICMPHeader.V4.protocolUnreachable, into: &out)
        }
        guard let endpoint = table.owner(of: head.destinationPort, head.kind) else { throw .noBinding }
        let peer = BindingTable.Peer(address: header.source, port: head.kind == .icmp ? 0 : head.sourcePort)
        if configuration.filtering == .addressDependent,
            !table.hasSession(head.destinationPort, peer.address, head.kind)
        {
            guard head.kind == .tcp, head.flags.contains(.syn), !head.flags.contains(.ack),
                unwanted.insert(
                    packet, UnsolicitedSYNTable.Key(port: head.destinationPort, peer: peer),
                    until: now + configuration.timeouts.tcpIncomingSYN)
            else { throw .filtered(header.source) }
            return .held
        }
        let result = try headers.toIPv6(
            packet, header, addresses(endpoint.address), head,
            HeaderTranslation.PortChange(field: .destination, port: endpoint.port), into: &out)
        guard case .translated(let version, var packets) = result else { return result }
        switch head.kind {
        case .tcp: table.touchTCP(head.destinationPort, peer, head.flags, from: .v4, at: now)
        case .udp, .icmp: table.touch(head.destinationPort, peer, head.kind, at: now)
        }
        if header.moreFragments {
            fragments.remember(key, endpoint.address, until: now + configuration.timeouts.fragment, now: now)
            for early in fragments.release(key, at: now) {
                packets += try follow(early, addresses(endpoint.address), into: &out)
            }
        }
        return .translated(to: version, packets: packets)
    }

    /// Translates a later fragment that arrived before its first one; returns the number of resulting packets.
    private func follow(_ packet: [UInt8], _ addresses: AddressPair, into out: inout [UInt8]) throws(TranslationDrop)
        -> Int
    {
        let header: IPv4Header
        do { header = try IPv4Header(packet.span) } catch { throw .malformed(error) }
        var pieces: [UInt8] = []
        guard
            case .translated(_, let packets) = try headers.toIPv6(
                packet.span, header, addresses, nil, nil, into: &pieces)
        else { return 0 }
        out += pieces
        return packets
    }

    /// Translates an ICMP error about a packet that an IPv6 host sent.
    private mutating func errorFromIPv4(
        _ packet: Span<UInt8>, _ header: IPv4Header, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        // No error is sent about an error, so one whose TTL has run out is dropped.
        guard header.timeToLive > 1 else { throw .unanswerable }
        guard header.source.isUsableByAHost else { throw .illegalAddress4(header.source) }
        let quoted = try EmbeddedDatagram<IPv4Header>(packet, header, headers.networks)
        let inner = quoted.inner
        guard inner.source == configuration.pool, inner.fragmentOffset == 0 else { throw .noBinding }
        guard let head = quoted.head else { throw .unsupportedProtocol(inner.payloadProtocol) }
        guard let endpoint = table.owner(of: head.sourcePort, head.kind) else { throw .noBinding }
        // A router on the path may have an address that the prefix must not represent; its report is still useful.
        let router =
            headers.networks.mayRepresent(header.source)
            ? configuration.prefix.embed(header.source) : configuration.router6
        return try headers.errorToIPv6(
            packet, header, quoted, from: router, to: endpoint.address,
            AddressPair(
                source6: endpoint.address, destination6: configuration.prefix.embed(inner.destination),
                source4: configuration.pool, destination4: inner.destination),
            HeaderTranslation.PortChange(field: .source, port: endpoint.port), into: &out)
    }
}

extension IPv4Header {
    func hasRightChecksum(_ packet: Span<UInt8>) -> Bool {
        var sum = InternetChecksum()
        sum.add(packet.extracting(0..<headerLength))
        return sum.value == 0
    }
}
