import InternetAddresses

extension NAT64Translator {
    /// Translates a packet from an IPv6 host to the IPv4 internet (RFC 6146 §3.5).
    mutating func fromIPv6(
        _ packet: Span<UInt8>, _ header: IPv6Header, at now: LinkTime, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        guard let server = configuration.prefix.extract(header.destination) else {
            return .ignored(.destinationOutsidePrefix(header.destination))
        }
        let source = header.source
        try headers.checkLegal(source)
        if configuration.prefix.contains(source) { throw .illegalAddress6(source) }
        try headers.checkLegal(server)
        if let refusal = try headers.refusal(of: packet, header, into: &out) { return refusal }
        let next = header.carriedProtocol
        let payload = packet.extracting(header.carried)
        if next == .icmpv6 {
            if let fragment = header.fragment, fragment.offset > 0 || fragment.moreFragments { throw .fragmentedICMP }
            if ICMPHeader.V6.isError(try ICMPHeader(reading: payload).type) {
                return try errorFromIPv6(packet, header, server, into: &out)
            }
        }
        let addresses = AddressPair(
            source6: source, destination6: header.destination, source4: configuration.pool, destination4: server)
        // All IPv6 hosts share one address, so a later fragment can be translated without its port.
        if header.isLaterFragment {
            guard next == .tcp || next == .udp else { throw .unsupportedProtocol(next) }
            return try headers.toIPv4(packet, header, addresses, nil, nil, into: &out)
        }
        guard let head = try TransportHead.ofPacket(payload, next, of: .v6) else {
            return try headers.reply6(to: packet, type: ICMPHeader.V6.unreachable, code: 4, into: &out)
        }
        // Rejected packets create no binding.
        if head.kind == .udp, payload.word16(6) == 0 { throw .missingChecksum }
        let endpoint = BindingTable.Endpoint(address: source, port: head.sourcePort)
        let port: UInt16
        if Self.mayBind(head) {
            guard let bound = table.bind(endpoint, head.kind) else { throw .portsExhausted }
            port = bound
        } else {
            guard let known = table.port(of: endpoint, head.kind) else { throw .noBinding }
            port = known
        }
        let peer = BindingTable.Peer(address: server, port: head.kind == .icmp ? 0 : head.destinationPort)
        switch head.kind {
        case .tcp:
            if head.flags.contains(.syn), unwanted.remove(UnsolicitedSYNTable.Key(port: port, peer: peer), at: now) {
                table.touchTCP(port, peer, head.flags, from: .v4, at: now)
            }
            table.touchTCP(port, peer, head.flags, from: .v6, at: now)
        case .udp, .icmp: table.touch(port, peer, head.kind, at: now)
        }
        return try headers.toIPv4(
            packet, header, addresses, head, HeaderTranslation.PortChange(field: .source, port: port), into: &out)
    }

    /// Returns true for a packet that opens a session; only such a packet creates a binding.
    private static func mayBind(_ head: TransportHead) -> Bool {
        switch head.kind {
        case .tcp: head.flags.contains(.syn)
        case .udp: true
        case .icmp: head.icmpType == ICMPHeader.V6.echoRequest
        }
    }

    /// Translates an ICMPv6 error about a packet that the IPv4 side sent.
    private mutating func errorFromIPv6(
        _ packet: Span<UInt8>, _ header: IPv6Header, _ server: IPv4Address, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        let quoted = try EmbeddedDatagram<IPv6Header>(packet, header, headers.networks)
        let inner = quoted.inner
        guard let innerServer = configuration.prefix.extract(inner.source), !inner.isLaterFragment else {
            throw .noBinding
        }
        guard let head = quoted.head else { throw .unsupportedProtocol(inner.carriedProtocol) }
        let endpoint = BindingTable.Endpoint(address: inner.destination, port: head.destinationPort)
        guard let port = table.port(of: endpoint, head.kind) else { throw .noBinding }
        return try headers.errorToIPv4(
            packet, header, quoted, from: configuration.pool, to: server,
            AddressPair(
                source6: inner.source, destination6: inner.destination, source4: innerServer,
                destination4: configuration.pool),
            HeaderTranslation.PortChange(field: .destination, port: port), into: &out)
    }
}
