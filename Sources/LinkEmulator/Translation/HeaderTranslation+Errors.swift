import InternetAddresses

extension HeaderTranslation {
    /// Translates an ICMPv6 error (RFC 7915 §5.2) together with the packet inside it (§5.3).
    ///
    /// - Parameters:
    ///   - source: the IPv4 source of the error; `destination` is its IPv4 destination.
    ///   - quotedAddresses: both forms of the addresses of the packet inside.
    mutating func errorToIPv4(
        _ packet: Span<UInt8>, _ header: IPv6Header, _ quoted: EmbeddedDatagram<IPv6Header>,
        from source: IPv4Address, to destination: IPv4Address, _ quotedAddresses: AddressPair, _ port: PortChange?,
        into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        let inner = quoted.inner
        let payloadLength = IPv6Header.length + inner.payloadLength - inner.carried.lowerBound
        let totalLength = IPv4Header.minimumLength + payloadLength
        guard payloadLength >= 0, totalLength <= Int(UInt16.max) else {
            throw .malformed(.impossibleLength(.ipv6, inner.payloadLength))
        }
        let next = inner.carriedProtocol == .icmpv6 ? IPProtocol.icmp : inner.carriedProtocol
        var quotation: [UInt8] = []
        quotation.appendIPv4Header(
            trafficClass: inner.trafficClass, totalLength: totalLength,
            identification: inner.fragment.map { UInt16(truncatingIfNeeded: $0.identification) } ?? 0,
            dontFragment: inner.fragment == nil && totalLength > Self.longestWithoutDontFragment,
            moreFragments: inner.fragment?.moreFragments ?? false, fragmentOffset: inner.fragment?.offset ?? 0,
            timeToLive: inner.hopLimit, next, from: quotedAddresses.source4, to: quotedAddresses.destination4)
        quotation.append(packet.extracting(quoted.transport))
        if let head = quoted.head {
            TransportRewrite.apply(
                &quotation, at: IPv4Header.minimumLength, head.kind, port, quotedAddresses, to: .v4,
                icmpLength: payloadLength)
        }
        // Within the 576 bytes that every host accepts (RFC 1812 §4.3.2.3).
        var error = quoted.translated
        let body = ICMPExtensions.assemble(
            quotation, packet.extracting(quoted.extensions), room: 576 - IPv4Header.minimumLength - ICMPHeader.length,
            version: .v4, &error)
        out.appendIPv4Header(
            trafficClass: header.trafficClass, totalLength: IPv4Header.minimumLength + ICMPHeader.length + body.count,
            identification: nextIdentification(), dontFragment: false, timeToLive: header.hopLimit - 1, .icmp,
            from: source, to: destination)
        out.append(error)
        out += body
        var sum = InternetChecksum()
        sum.add(out.span.extracting(IPv4Header.minimumLength..<out.count))
        out.set16(sum.value, at: IPv4Header.minimumLength + 2)
        return .translated(to: .v4, packets: 1)
    }

    /// Translates an ICMP error (RFC 7915 §4.2) together with the packet inside it (§4.3).
    func errorToIPv6(
        _ packet: Span<UInt8>, _ header: IPv4Header, _ quoted: EmbeddedDatagram<IPv4Header>,
        from source: IPv6Address, to destination: IPv6Address, _ quotedAddresses: AddressPair, _ port: PortChange?,
        into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        let inner = quoted.inner
        let fragmentLength = inner.isFragment ? 8 : 0
        let payloadLength = inner.totalLength - inner.headerLength
        guard payloadLength + fragmentLength <= Int(UInt16.max) else {
            throw .malformed(.impossibleLength(.ipv4, inner.totalLength))
        }
        let next = inner.payloadProtocol == .icmp ? IPProtocol.icmpv6 : inner.payloadProtocol
        var quotation: [UInt8] = []
        quotation.appendIPv6Header(
            trafficClass: inner.trafficClass, payloadLength: payloadLength + fragmentLength,
            inner.isFragment ? .fragment : next, hopLimit: inner.timeToLive, from: quotedAddresses.source6,
            to: quotedAddresses.destination6)
        if inner.isFragment {
            quotation.append(
                IPv6Header.Fragment(
                    identification: UInt32(inner.identification), offset: inner.fragmentOffset,
                    moreFragments: inner.moreFragments), next)
        }
        let start = quotation.count
        quotation.append(packet.extracting(quoted.transport))
        if let head = quoted.head {
            TransportRewrite.apply(
                &quotation, at: start, head.kind, port, quotedAddresses, to: .v6, icmpLength: payloadLength)
        }
        // Within the minimum MTU (RFC 4443 §2.4c).
        var error = quoted.translated
        let body = ICMPExtensions.assemble(
            quotation, packet.extracting(quoted.extensions), room: 1280 - IPv6Header.length - ICMPHeader.length,
            version: .v6,
            &error)
        out.appendIPv6Header(
            trafficClass: header.trafficClass, payloadLength: ICMPHeader.length + body.count, .icmpv6,
            hopLimit: header.timeToLive - 1, from: source, to: destination)
        out.append(error)
        out += body
        var sum = InternetChecksum()
        sum.addPseudoHeader(source, destination, .icmpv6, length: out.count - IPv6Header.length)
        sum.add(out.span.extracting(IPv6Header.length..<out.count))
        out.set16(sum.value, at: IPv6Header.length + 2)
        return .translated(to: .v6, packets: 1)
    }
}

extension [UInt8] {
    /// Appends the head of the message with checksum 0.
    fileprivate mutating func append(_ message: ICMPErrorTables.Message) {
        append16(UInt16(message.type) << 8 | UInt16(message.code))
        append16(0)
        append32(message.rest)
    }
}
