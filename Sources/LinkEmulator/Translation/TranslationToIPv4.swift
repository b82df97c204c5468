extension NAT64Translator {
    /// From an IPv6 host to the IPv4 internet (RFC 6146 §3.5, RFC 7915 §5).
    mutating func toIPv4(
        _ packet: Span<UInt8>, _ header: IPv6Header, at now: LinkTime, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        guard let server = configuration.prefix.extract(header.destination) else {
            return .ignored(.destinationOutsidePrefix(header.destination))
        }
        let source = header.source
        if source.isMulticast || source.isUnspecified || source.isLoopback || source.isLinkLocal
            || configuration.prefix.contains(source)
        {
            throw .illegalAddress6(source)
        }
        try checkLegal(server)
        if header.hopLimit <= 1 {
            return try reply6(to: packet, type: ICMPHeader.V6.timeExceeded, code: 0, into: &out)
        }
        if let segmentsLeft = header.segmentsLeftOffset {
            return try reply6(
                to: packet, type: ICMPHeader.V6.parameterProblem, code: 0, rest: UInt32(segmentsLeft), into: &out)
        }
        let payload = packet.extracting(header.payload)
        let totalLength = IPv4Header.minimumLength + payload.count
        if totalLength > configuration.mtu4 {
            return try reply6(
                to: packet, type: ICMPHeader.V6.packetTooBig, code: 0, rest: UInt32(configuration.mtu4 + 20), into: &out)
        }

        let next = header.payloadProtocol
        if next == .icmpv6 {
            if let fragment = header.fragment, fragment.offset > 0 || fragment.moreFragments { throw .fragmentedICMP }
            if let icmp = try? ICMPHeader(payload), ICMPHeader.V6.isError(icmp.type) {
                return try errorToIPv4(header, payload, icmp, server, into: &out)
            }
        }
        out.appendIPv4Header(
            trafficClass: header.trafficClass, totalLength: totalLength,
            identification: header.fragment.map { UInt16(truncatingIfNeeded: $0.identification) } ?? nextIdentification(),
            dontFragment: header.fragment == nil && totalLength > Self.longestWithoutDontFragment,
            moreFragments: header.fragment?.moreFragments ?? false, fragmentOffset: header.fragment?.offset ?? 0,
            timeToLive: header.hopLimit - 1, next == .icmpv6 ? .icmp : next, from: configuration.pool, to: server)
        out.append(payload)
        // All IPv6 hosts share one address, so a later fragment needs to know no port to find its way.
        if header.isLaterFragment {
            guard next == .tcp || next == .udp else { throw .unsupportedProtocol(next) }
            return .translated(to: .v4, packets: 1)
        }

        let head = try TransportHead(payload, next)
        // IPv6 forbids a datagram without a checksum (RFC 8200 §8.1), and there is nothing to repair.
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
        switch head.kind {
        case .tcp:
            table.touchTCP(
                port, BindingTable.Peer(address: server, port: head.destinationPort), head.flags, from: .v6, at: now)
        case .udp:
            table.touch(port, BindingTable.Peer(address: server, port: head.destinationPort), .udp, at: now)
        case .icmp:
            table.touch(port, BindingTable.Peer(address: server, port: 0), .icmp, at: now)
        }
        TransportRewrite.apply(
            &out, at: IPv4Header.minimumLength, head.kind, .source, port: port,
            AddressPair(
                source6: source, destination6: header.destination, source4: configuration.pool, destination4: server),
            to: .v4, icmpLength: payload.count)
        return .translated(to: .v4, packets: 1)
    }

    /// A longer IPv4 packet carries DF: its sender does path MTU discovery (RFC 7915 §5.1).
    static let longestWithoutDontFragment = 1260

    /// Only a packet that opens something makes a binding.
    private static func mayBind(_ head: TransportHead) -> Bool {
        switch head.kind {
        case .tcp: head.flags.contains(.syn)
        case .udp: true
        case .icmp: head.icmpType == ICMPHeader.V6.echoRequest
        }
    }

    /// An ICMPv6 error about a packet that the IPv4 side sent (RFC 7915 §5.2, §5.3).
    private mutating func errorToIPv4(
        _ header: IPv6Header, _ message: Span<UInt8>, _ icmp: ICMPHeader, _ server: IPv4Address, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        var received = InternetChecksum()
        received.addPseudoHeader(header.source, header.destination, .icmpv6, length: message.count)
        received.add(message)
        guard received.value == 0 else { throw .badChecksum }
        guard let error = ICMPErrorTables.toIPv4(icmp, mtu4: configuration.mtu4, mtu6: configuration.mtu6) else {
            throw .untranslatableICMP(type: icmp.type, code: icmp.code)
        }
        let quoted = message.extracting(ICMPHeader.length..<message.count)
        let inner: IPv6Header
        do { inner = try IPv6Header(quoted, isQuoted: true) } catch { throw .malformed(error) }
        guard let innerServer = configuration.prefix.extract(inner.source), !inner.isLaterFragment else { throw .noBinding }
        let transport = quoted.extracting(inner.payload)
        let head = try TransportHead(transport, inner.payloadProtocol)
        let endpoint = BindingTable.Endpoint(address: inner.destination, port: head.destinationPort)
        guard let port = table.port(of: endpoint, head.kind) else { throw .noBinding }

        // Within the 576 bytes that every host takes (RFC 1812 §4.3.2.3).
        let kept = min(transport.count, 576 - 2 * IPv4Header.minimumLength - ICMPHeader.length)
        let innerPayloadLength = IPv6Header.length + inner.payloadLength - inner.payload.lowerBound
        let innerLength = IPv4Header.minimumLength + innerPayloadLength
        guard innerPayloadLength >= 0, innerLength <= Int(UInt16.max) else {
            throw .malformed(.impossibleLength(.ipv6, inner.payloadLength))
        }
        out.appendIPv4Header(
            trafficClass: header.trafficClass, totalLength: 2 * IPv4Header.minimumLength + ICMPHeader.length + kept,
            identification: nextIdentification(), dontFragment: false, timeToLive: header.hopLimit - 1, .icmp,
            from: configuration.pool, to: server)
        out.append16(UInt16(error.type) << 8 | UInt16(error.code))
        out.append16(0)
        out.append32(error.rest)
        out.appendIPv4Header(
            trafficClass: inner.trafficClass, totalLength: innerLength,
            identification: inner.fragment.map { UInt16(truncatingIfNeeded: $0.identification) } ?? 0,
            dontFragment: inner.fragment == nil && innerLength > Self.longestWithoutDontFragment,
            moreFragments: inner.fragment?.moreFragments ?? false, timeToLive: inner.hopLimit,
            head.kind == .icmp ? .icmp : inner.payloadProtocol, from: innerServer, to: configuration.pool)
        let start = out.count
        out.append(transport.extracting(0..<kept))
        TransportRewrite.apply(
            &out, at: start, head.kind, .destination, port: port,
            AddressPair(
                source6: inner.source, destination6: inner.destination, source4: innerServer,
                destination4: configuration.pool),
            to: .v4, icmpLength: innerPayloadLength)
        var sum = InternetChecksum()
        sum.add(out.span.extracting(IPv4Header.minimumLength..<out.count))
        out.set16(sum.value, at: IPv4Header.minimumLength + 2)
        return .translated(to: .v4, packets: 1)
    }
}
