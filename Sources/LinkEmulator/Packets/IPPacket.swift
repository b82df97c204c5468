/// The headers of an IP packet of either version.
package enum IPPacket: Hashable, Sendable {
    case v4(IPv4Header)
    case v6(IPv6Header)

    package init(_ packet: Span<UInt8>) throws(PacketError) {
        guard packet.count > 0 else { throw .empty }
        switch packet[0] >> 4 {
        case 4: self = .v4(try IPv4Header(packet))
        case 6: self = .v6(try IPv6Header(packet))
        case let version: throw .unknownVersion(version)
        }
    }

    package var payloadProtocol: IPProtocol {
        switch self {
        case .v4(let header): header.payloadProtocol
        case .v6(let header): header.payloadProtocol
        }
    }
    package var payload: Range<Int> {
        switch self {
        case .v4(let header): header.payload
        case .v6(let header): header.payload
        }
    }
    /// True if the payload begins with the transport header.
    package var hasTransportHeader: Bool {
        switch self {
        case .v4(let header): header.fragmentOffset == 0
        case .v6(let header): !header.isLaterFragment
        }
    }
}
