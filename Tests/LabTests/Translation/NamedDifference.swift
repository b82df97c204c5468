/// The accepted differences from tayga, each with the clause that the translator follows; everything else must be
/// equal, byte for byte.
enum NamedDifference: String, CaseIterable {
    /// RFC 7915 §5.1: a packet of up to 1,260 bytes is sent without DF and with an identification. tayga follows RFC
    /// 6145 at most and sets DF without an identification.
    case identification = "identification and DF (RFC 7915 §5.1)"
    /// RFC 1812 §4.3.2.5: ICMP errors carry precedence 6 or 7.
    case precedence = "precedence of ICMP errors (RFC 1812 §4.3.2.5)"
    /// RFC 792 lets a router quote eight bytes of the payload; tayga requires a whole TCP header.
    case shortQuotation = "errors that quote part of a TCP header (RFC 792)"
    /// RFC 1122 §3.2.2 and RFC 4443 §2.4e forbid errors about ICMP errors only; tayga generates errors about ICMP
    /// messages only for echo requests.
    case echoReply = "errors about echo replies and the like (RFC 1122 §3.2.2, RFC 4443 §2.4e)"
    /// RFC 7915 §4.2 figure 3 and §5.2 figure 6: pointers have a translation.
    case parameterProblem = "parameter problems (RFC 7915 §4.2, §5.2)"
    /// RFC 7915 §5.2: address unreachable is host unreachable.
    case addressUnreachable = "address unreachable (RFC 7915 §5.2)"
    /// RFC 7915 §4.5: a UDP datagram without a checksum gets one, unless it is a fragment.
    case datagramWithoutChecksum = "UDP without checksum (RFC 7915 §4.5)"
    /// RFC 7915 §4.5: a translator updates checksums, so damage stays visible to the receiver; tayga verifies those of
    /// ICMP echoes.
    case damagedEcho = "damaged echoes (RFC 7915 §4.5, §5.5)"
    /// RFC 7915 §5.1: a routing header with segments left is refused.
    case sourceRoute = "source routing (RFC 7915 §5.1)"
    /// RFC 7915 §5.2: the MTU takes into account that the packet in the error has a fragment header.
    case fragmentHeaderInMTU = "MTU with a fragment header (RFC 7915 §5.2)"
    /// RFC 7915 §4.3, §5.3: the packet in an error is translated like any other, so a fragment gets a fragment header;
    /// and it may be quoted in part, at any length.
    case quotedFragment = "fragments in ICMP errors (RFC 7915 §4.3, §5.3)"
    /// RFC 7915 §4: a packet with DF is not fragmented, even if it is itself a fragment.
    case uncutFragment = "fragments with DF (RFC 7915 §4)"
    /// RFC 1122 §3.2.2: errors about later fragments are not sent.
    case laterFragment = "errors about later fragments (RFC 1122 §3.2.2)"

    /// Returns nil when the difference is none of these. The caller has already found that there is one.
    init?(_ given: [UInt8], ours: [[UInt8]], theirs: [[UInt8]]) {
        let normal = ours.map(Self.withoutIdentification)
        let theirNormal = theirs.map(Self.withoutIdentification)
        if given[0] >> 4 == 6, normal == theirNormal {
            self = .identification
        } else if given[0] >> 4 == 4 {
            guard let found = Self.fromIPv4(given, ours, theirs) else { return nil }
            self = found
        } else {
            guard let found = Self.fromIPv6(given, normal, theirNormal) else { return nil }
            self = found
        }
    }

    private static func fromIPv4(_ given: [UInt8], _ ours: [[UInt8]], _ theirs: [[UInt8]]) -> NamedDifference? {
        let header = Int(given[0] & 15) * 4
        let fragment = Int(given[6]) << 8 | Int(given[7])
        let payload = Array(given[header...])
        if given[8] == 1 {
            if ours.map(withoutPrecedence) == theirs { return .precedence }
            if fragment & 0x1FFF != 0, ours.isEmpty { return .laterFragment }
            if given[9] == 1, theirs.isEmpty { return payload[0] == 8 ? .damagedEcho : .echoReply }
            return nil
        }
        switch given[9] {
        case 17 where fragment & 0x3FFF == 0 && Array(payload[6..<8]) == [0, 0]:
            return theirs.isEmpty && !ours.isEmpty ? .datagramWithoutChecksum : nil
        case 1 where payload[0] == 0 || payload[0] == 8:
            return theirs.isEmpty && PacketForge.sum(payload) != 0xFFFF ? .damagedEcho : nil
        case 1:
            let inner = Array(payload[8...])
            if inner[9] == 6, inner.count < 40, theirs.isEmpty { return .shortQuotation }
            if inner[9] == 1, inner[20] != 8, theirs.isEmpty { return .echoReply }
            if payload[0] == 12, theirs.isEmpty { return .parameterProblem }
            if inner[6] & 0x20 != 0, (inner.count - 20) % 8 != 0, theirs.isEmpty { return .quotedFragment }
            // Ours is longer by the fragment header, or both have the maximum length of an error.
            guard inner[6] & 0x20 != 0, ours.count == 1, theirs.count == 1, ours[0].count > 96, ours[0][54] == 44 else {
                return nil
            }
            var (our, their) = (ours[0], theirs[0])
            our.removeSubrange(88..<96)
            our[54] = their[54]
            for bytes in [4..<6, 42..<44, 52..<54] {
                our.replaceSubrange(bytes, with: [0, 0])
                their.replaceSubrange(bytes, with: [0, 0])
            }
            return their.starts(with: our) && (their.count == our.count || ours[0].count == 1280)
                ? .quotedFragment : nil
        case _:
            let isUncut = fragment & 0x4000 != 0 && fragment & 0x3FFF != 0 && ours.count == 1 && theirs.count == 2
            return isUncut ? .uncutFragment : nil
        }
    }

    private static func fromIPv6(_ given: [UInt8], _ ours: [[UInt8]], _ theirs: [[UInt8]]) -> NamedDifference? {
        var next = given[6]
        var offset = 40
        while next == 0 || next == 43 || next == 60 {
            if next == 43, given[offset + 3] != 0 {
                return ours.isEmpty || ours[0][0] >> 4 == 6 && ours[0][40] == 4 || given[7] == 1 ? .sourceRoute : nil
            }
            next = given[offset]
            offset += (Int(given[offset + 1]) + 1) * 8
        }
        if next == 44 {
            next = given[offset]
            offset += 8
        }
        guard next == 58 else { return nil }
        let payload = Array(given[offset...])
        if payload[0] >= 128 {
            if given[7] == 1, payload[0] != 128, theirs.isEmpty { return .echoReply }
            let pseudo = given[8..<40] + PacketForge.two(0) + PacketForge.two(payload.count) + [0, 58]
            return theirs.isEmpty && PacketForge.sum(pseudo + payload) != 0xFFFF ? .damagedEcho : nil
        }
        let inner = Array(payload[8...])
        let hasFragmentHeader = inner[6] == 44
        let transport = hasFragmentHeader ? 48 : 40
        let kind = hasFragmentHeader ? inner[40] : inner[6]
        if theirs.isEmpty, kind == 6, inner.count < transport + 20 { return .shortQuotation }
        if theirs.isEmpty, kind == 58, inner[transport] != 128 { return .echoReply }
        if theirs.isEmpty, payload[0] == 4, payload[1] == 0 { return .parameterProblem }
        if theirs.isEmpty, payload[0] == 1, payload[1] == 3 { return .addressUnreachable }
        if theirs.isEmpty, hasFragmentHeader, inner[43] & 1 == 1, (inner.count - 48) % 8 != 0 { return .quotedFragment }
        guard hasFragmentHeader, payload[0] == 2, ours.count == 1, theirs.count == 1 else { return nil }
        // The MTU, and the checksum over it.
        let same = zip(ours[0], theirs[0]).enumerated().allSatisfy {
            (22..<24).contains($0) || (26..<28).contains($0) || $1.0 == $1.1
        }
        return same && ours[0].count == theirs[0].count ? .fragmentHeaderInMTU : nil
    }

    private static func withoutPrecedence(_ packet: [UInt8]) -> [UInt8] {
        var packet = packet
        packet[1] = 0
        packet.replaceSubrange(10..<12, with: [0, 0])
        packet.replaceSubrange(10..<12, with: PacketForge.two(0xFFFF - PacketForge.sum(packet[..<20])))
        return packet
    }

    /// Removes the identification from the headers of an IPv4 packet, both in an error and in the packet it quotes;
    /// fragments keep it, because it belongs to their reassembly.
    private static func withoutIdentification(_ packet: [UInt8]) -> [UInt8] {
        guard packet[0] >> 4 == 4 else { return packet }
        var packet = packet
        func clear(at start: Int) {
            guard packet.count >= start + 20, packet[start + 6] & 0x3F == 0, packet[start + 7] == 0 else { return }
            packet.replaceSubrange(start + 4..<start + 8, with: [0, 0, 0, 0])
            packet.replaceSubrange(start + 10..<start + 12, with: [0, 0])
        }
        clear(at: 0)
        if packet[9] == 1, packet.count >= 48, [3, 11, 12].contains(packet[20]) { clear(at: 28) }
        return packet
    }
}
