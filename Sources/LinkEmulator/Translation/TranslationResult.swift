package import InternetAddresses

package enum IPVersion: UInt8, Hashable, Sendable {
    case v4 = 4
    case v6 = 6

    var icmp: IPProtocol {
        switch self {
        case .v4: .icmp
        case .v6: .icmpv6
        }
    }
}

/// The result of translating a packet.
package enum TranslationResult: Hashable, Sendable {
    /// The output contains this many packets for that side, one after the other; `IPPacketSequence.forEach` splits
    /// them.
    case translated(to: IPVersion, packets: Int)
    /// The output contains one ICMP error for the side that the packet came from.
    case replied(to: IPVersion)
    case dropped(TranslationDrop)
    /// Kept until a required packet arrives: for a later fragment its first one, for a SYN from outside the one from
    /// inside.
    case held
    /// The packet is not for the translator; the caller forwards it unchanged.
    case ignored(TranslationIgnore)
}

package enum TranslationIgnore: Hashable, Sendable {
    case destinationOutsidePrefix(IPv6Address)
    case destinationNotInPool(IPv4Address)
}

package enum TranslationDrop: Error, Hashable, Sendable {
    case malformed(PacketError)
    case badChecksum
    /// The well-known prefix must not represent it (RFC 6052 §3.1), or no host can have it.
    case illegalAddress4(IPv4Address)
    /// A source inside the prefix would loop (RFC 6146 §3.5), no reply can be sent to a multicast or link-local one,
    /// and a stateless translator may not have an IPv4 address for it.
    case illegalAddress6(IPv6Address)
    case noBinding
    /// The binding exists, but its owner never sent to that address (RFC 6146 §3.5, address-dependent filtering).
    case filtered(IPv4Address)
    case portsExhausted
    case unsupportedProtocol(IPProtocol)
    /// RFC 7915 does not translate this ICMP message.
    case untranslatableICMP(type: UInt8, code: UInt8)
    /// The ICMPv6 checksum covers the whole length, which a fragment does not contain (RFC 7915 §1.2).
    case fragmentedICMP
    /// A later fragment whose first one has not arrived, when no more of them can be kept.
    case fragmentWithoutFirst
    /// Only the last fragment may have a length that is not a multiple of eight (RFC 791 §3.2, RFC 8200 §4.5).
    case unalignedFragment(Int)
    /// The fragments contain further extension headers, which IPv4 does not have (RFC 7915 §5.1.1).
    case extensionInFragment
    /// UDP without a checksum where IPv6 requires one that cannot be computed (RFC 7915 §4.5), or where zero is
    /// forbidden.
    case missingChecksum
    /// An error is due, but must not be sent about this packet.
    case unanswerable
}

package struct TranslationCounters: Hashable, Sendable {
    package var toIPv4: UInt64 = 0
    package var toIPv6: UInt64 = 0
    package var replied: UInt64 = 0
    package var dropped: UInt64 = 0
    package var droppedForPorts: UInt64 = 0
    package var ignored: UInt64 = 0
    package var held: UInt64 = 0
    package init() {}

    mutating func count(_ result: TranslationResult) {
        switch result {
        case .translated(to: .v4, let packets): toIPv4 += UInt64(packets)
        case .translated(to: .v6, let packets): toIPv6 += UInt64(packets)
        case .replied: replied += 1
        case .dropped(let reason):
            dropped += 1
            if reason == .portsExhausted { droppedForPorts += 1 }
        case .ignored: ignored += 1
        case .held: held += 1
        }
    }
}

/// Several IP packets one after the other, each of the length that its header states.
package enum IPPacketSequence {
    package static func forEach(in bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
        var start = 0
        while start < bytes.count {
            let rest = bytes.extracting(start..<bytes.count)
            let length: Int
            switch rest[0] >> 4 {
            case 4 where rest.count >= IPv4Header.minimumLength: length = Int(rest.word16(2))
            case 6 where rest.count >= IPv6Header.length: length = IPv6Header.length + Int(rest.word16(4))
            case _: return
            }
            guard length >= IPv4Header.minimumLength, length <= rest.count else { return }
            body(rest.extracting(0..<length))
            start += length
        }
    }
}
