package import InternetAddresses

/// The settings of a client-side translator (RFC 6877 §6).
package struct CLATConfiguration: Hashable, Sendable {
    /// The prefix of the network's NAT64.
    package var prefix: NAT64Prefix
    /// The IPv6 address reserved for the translator; not one of the host's own addresses.
    package var client6: IPv6Address
    /// The IPv4 address that programs on the host use as their own.
    package var client4: IPv4Address
    /// The source of errors sent to the host's programs, including those of IPv6 routers without an IPv4 address.
    package var router4: IPv4Address
    /// The source of errors sent to the network. Default: `client6`.
    package var router6: IPv6Address
    package var allowsNonGlobal: Bool
    package var mtu4: Int
    package var mtu6: Int
    package var lowestMTU6: Int

    /// The first address of RFC 7335's block.
    package static let usualClient4 = IPv4Address(0xC000_0001)
    /// The "IPv4 dummy address" reserved for this purpose (RFC 7600 §4.8).
    package static let usualRouter4 = IPv4Address(0xC000_0008)

    package init(
        prefix: NAT64Prefix, client6: IPv6Address, client4: IPv4Address = usualClient4,
        router4: IPv4Address = usualRouter4,
        router6: IPv6Address? = nil, allowsNonGlobal: Bool = false, mtu4: Int = 1500, mtu6: Int = 1500,
        lowestMTU6: Int = 1280
    ) {
        self.prefix = prefix
        self.client6 = client6
        self.client4 = client4
        self.router4 = router4
        self.router6 = router6 ?? client6
        self.allowsNonGlobal = allowsNonGlobal
        self.mtu4 = mtu4
        self.mtu6 = mtu6
        self.lowestMTU6 = lowestMTU6
    }

    var networks: TranslationNetworks {
        TranslationNetworks(
            prefix: prefix, allowsNonGlobal: allowsNonGlobal, router4: router4, router6: router6, mtu4: mtu4,
            mtu6: mtu6,
            lowestMTU6: lowestMTU6)
    }
}

/// The client's half of 464XLAT (RFC 6877): a stateless translator (RFC 7915) between the host's IPv4 programs and its
/// IPv6-only network, as a value. Every protocol passes; ports never change.
package struct CLATTranslator: Sendable {
    package let configuration: CLATConfiguration
    package private(set) var counters = TranslationCounters()
    private var headers: HeaderTranslation

    package init(_ configuration: CLATConfiguration) {
        self.configuration = configuration
        headers = HeaderTranslation(configuration.networks)
    }

    /// Changes the configuration after the host has received another address; the counters are kept.
    package mutating func move(to configuration: CLATConfiguration) {
        let counted = counters
        self = CLATTranslator(configuration)
        counters = counted
    }

    /// Replaces `out` with the translation of `packet`; empty if nothing leaves the translator.
    package mutating func translate(_ packet: Span<UInt8>, into out: inout [UInt8]) -> TranslationResult {
        out.removeAll(keepingCapacity: true)
        let result: TranslationResult
        do throws(TranslationDrop) {
            let parsed: IPPacket
            do { parsed = try IPPacket(packet) } catch { throw .malformed(error) }
            switch parsed {
            case .v4(let header): result = try fromHost(packet, header, into: &out)
            case .v6(let header): result = try fromNetwork(packet, header, into: &out)
            }
        } catch {
            out.removeAll(keepingCapacity: true)
            result = .dropped(error)
        }
        counters.count(result)
        return result
    }

    // MARK: - Addresses

    private func ipv6(_ address: IPv4Address) throws(TranslationDrop) -> IPv6Address {
        if address == configuration.client4 { return configuration.client6 }
        try headers.checkLegal(address)
        return configuration.prefix.embed(address)
    }

    private func ipv4(_ address: IPv6Address) throws(TranslationDrop) -> IPv4Address {
        if address == configuration.client6 { return configuration.client4 }
        guard let found = configuration.prefix.extract(address) else { throw .illegalAddress6(address) }
        try headers.checkLegal(found)
        return found
    }

    // MARK: - Packets

    private mutating func fromHost(
        _ packet: Span<UInt8>, _ header: IPv4Header, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        guard header.source == configuration.client4, header.destination != configuration.client4 else {
            throw .illegalAddress4(header.source)
        }
        guard header.hasRightChecksum(packet) else { throw .badChecksum }
        let destination = try ipv6(header.destination)
        if let refusal = try headers.refusal(of: packet, header, into: &out) { return refusal }
        let payload = packet.extracting(header.payload)
        if header.payloadProtocol == .icmp {
            if header.isFragment { throw .fragmentedICMP }
            if ICMPHeader.V4.isError(try ICMPHeader(reading: payload).type) {
                let quoted = try EmbeddedDatagram<IPv4Header>(packet, header, headers.networks)
                let inner = quoted.inner
                return try headers.errorToIPv6(
                    packet, header, quoted, from: configuration.client6, to: destination,
                    AddressPair(
                        source6: try ipv6(inner.source), destination6: try ipv6(inner.destination),
                        source4: inner.source,
                        destination4: inner.destination), nil, into: &out)
            }
        }
        let head =
            header.fragmentOffset > 0 ? nil : try TransportHead.ofPacket(payload, header.payloadProtocol, of: .v4)
        return try headers.toIPv6(
            packet, header,
            AddressPair(
                source6: configuration.client6, destination6: destination, source4: header.source,
                destination4: header.destination), head, nil, into: &out)
    }

    private mutating func fromNetwork(
        _ packet: Span<UInt8>, _ header: IPv6Header, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        guard header.destination == configuration.client6 else {
            return .ignored(.destinationOutsidePrefix(header.destination))
        }
        try headers.checkLegal(header.source)
        let payload = packet.extracting(header.carried)
        let isICMP = header.carriedProtocol == .icmpv6
        if isICMP, let fragment = header.fragment, fragment.offset > 0 || fragment.moreFragments {
            throw .fragmentedICMP
        }
        let isError = isICMP ? ICMPHeader.V6.isError(try ICMPHeader(reading: payload).type) : false
        // A router on the path may report from its own address, which is outside the IPv4 internet (RFC 6791).
        let source =
            isError && !configuration.prefix.contains(header.source) ? configuration.router4 : try ipv4(header.source)
        if let refusal = try headers.refusal(of: packet, header, into: &out) { return refusal }
        if isError {
            let quoted = try EmbeddedDatagram<IPv6Header>(packet, header, headers.networks)
            let inner = quoted.inner
            return try headers.errorToIPv4(
                packet, header, quoted, from: source, to: configuration.client4,
                AddressPair(
                    source6: inner.source, destination6: inner.destination, source4: try ipv4(inner.source),
                    destination4: try ipv4(inner.destination)), nil, into: &out)
        }
        let head = header.isLaterFragment ? nil : try TransportHead.ofPacket(payload, header.carriedProtocol, of: .v6)
        return try headers.toIPv4(
            packet, header,
            AddressPair(
                source6: header.source, destination6: header.destination, source4: source,
                destination4: configuration.client4), head, nil, into: &out)
    }
}
