package import InternetAddresses

/// The header of an IPv4 packet (RFC 791 §3.1).
package struct IPv4Header: Hashable, Sendable {
    package static let minimumLength = 20

    package var headerLength: Int
    package var trafficClass: UInt8
    package var totalLength: Int
    package var identification: UInt16
    package var dontFragment: Bool
    package var moreFragments: Bool
    /// In bytes.
    package var fragmentOffset: Int
    package var timeToLive: UInt8
    package var payloadProtocol: IPProtocol
    package var checksum: UInt16
    package var source: IPv4Address
    package var destination: IPv4Address
    /// The range of the payload in the parsed bytes.
    package var payload: Range<Int>

    /// Parses a header.
    ///
    /// - Parameter isQuoted: true for a packet inside an ICMP error, whose payload may be truncated.
    package init(_ packet: Span<UInt8>, isQuoted: Bool = false) throws(PacketError) {
        guard packet.count > 0 else { throw .empty }
        guard packet[0] >> 4 == 4 else { throw .unknownVersion(packet[0] >> 4) }
        guard packet.count >= Self.minimumLength else {
            throw .truncated(.ipv4, needed: Self.minimumLength, found: packet.count)
        }
        headerLength = Int(packet[0] & 15) * 4
        totalLength = Int(packet.word16(2))
        guard headerLength >= Self.minimumLength else { throw .impossibleLength(.ipv4, headerLength) }
        guard totalLength >= headerLength else { throw .impossibleLength(.ipv4, totalLength) }
        let needed = isQuoted ? headerLength : totalLength
        guard packet.count >= needed else { throw .truncated(.ipv4, needed: needed, found: packet.count) }
        trafficClass = packet[1]
        identification = packet.word16(4)
        dontFragment = packet[6] & 0x40 != 0
        moreFragments = packet[6] & 0x20 != 0
        fragmentOffset = Int(packet.word16(6) & 0x1FFF) * 8
        timeToLive = packet[8]
        payloadProtocol = IPProtocol(rawValue: packet[9])
        checksum = packet.word16(10)
        source = IPv4Address(packet.word32(12))
        destination = IPv4Address(packet.word32(16))
        payload = headerLength..<min(totalLength, packet.count)
    }

    package var isFragment: Bool { moreFragments || fragmentOffset > 0 }
}

extension [UInt8] {
    /// Appends a header without options and with its checksum.
    mutating func appendIPv4Header(
        trafficClass: UInt8, totalLength: Int, identification: UInt16, dontFragment: Bool, moreFragments: Bool = false,
        fragmentOffset: Int = 0, timeToLive: UInt8, _ next: IPProtocol, from source: IPv4Address,
        to destination: IPv4Address
    ) {
        let start = count
        append16(0x4500 | UInt16(trafficClass))
        append16(UInt16(totalLength))
        append16(identification)
        append16((dontFragment ? 0x4000 : 0) | (moreFragments ? 0x2000 : 0) | UInt16(fragmentOffset / 8))
        append16(UInt16(timeToLive) << 8 | UInt16(next.rawValue))
        append16(0)
        append(source)
        append(destination)
        var sum = InternetChecksum()
        sum.add(span.extracting(start..<start + IPv4Header.minimumLength))
        set16(sum.value, at: start + 10)
    }
}
