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

/// What a translator did with a packet.
package enum TranslationResult: Hashable, Sendable {
    /// The output holds this many packets for that side, one behind the other; `IPPacketSequence.forEach` takes them apart.
    case translated(to: IPVersion, packets: Int)
    /// The output holds one ICMP error for the side that the packet came from.
    case replied(to: IPVersion)
    case dropped(TranslationDrop)
    /// Kept until what it needs is there: a later fragment its first one, a SYN from outside the one from inside.
    case held
    /// Not the translator's business; the caller passes the packet on as it is.
    case ignored(TranslationIgnore)
}

package enum TranslationIgnore: Hashable, Sendable {
    case destinationOutsidePrefix(IPv6Address)
    case destinationNotInPool(IPv4Address)
}

package enum TranslationDrop: Error, Hashable, Sendable {
    case malformed(PacketError)
    case badChecksum
    /// The well-known prefix must not stand for it (RFC 6052 §3.1), or no host can have it.
    case illegalAddress4(IPv4Address)
    /// A source inside the prefix would loop (RFC 6146 §3.5); a multicast or link-local one cannot be answered; and a stateless
    /// translator has no IPv4 address for it.
    case illegalAddress6(IPv6Address)
    case noBinding
    /// The binding is there, but its owner never sent to that address (RFC 6146 §3.5, address-dependent filtering).
    case filtered(IPv4Address)
    case portsExhausted
    case unsupportedProtocol(IPProtocol)
    /// RFC 7915 has no translation for this ICMP message.
    case untranslatableICMP(type: UInt8, code: UInt8)
    /// The ICMPv6 checksum needs the whole length, which a fragment does not tell (RFC 7915 §1.2).
    case fragmentedICMP
    /// A later fragment whose first one has not come, when no more of them can be kept.
    case fragmentWithoutFirst
    /// Only the last fragment may have a length that is no multiple of eight (RFC 791 §3.2, RFC 8200 §4.5).
    case unalignedFragment(Int)
    /// The fragments hold more extension headers, which IPv4 has not (RFC 7915 §5.1.1).
    case extensionInFragment
    /// UDP without a checksum where IPv6 needs one and it cannot be computed (RFC 7915 §4.5), or where it is forbidden.
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

/// Several IP packets one behind the other, each of the length its header states.
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
