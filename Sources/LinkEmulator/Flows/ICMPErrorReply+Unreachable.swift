package import InternetAddresses

extension ICMPErrorReply {
    /// Returns "destination unreachable" for a packet that is not forwarded; nil if no error may be sent, as with
    /// `tooBig`.
    package static func unreachable(
        _ reason: PacketRule.Unreachable, for original: Span<UInt8>, from router4: IPv4Address, _ router6: IPv6Address
    ) -> [UInt8]? {
        switch try? IPPacket(original) {
        case .v4:
            v4(for: original, type: ICMPHeader.V4.unreachable, code: reason.code4, rest: 0, from: router4)
        case .v6: v6(for: original, type: ICMPHeader.V6.unreachable, code: reason.code6, rest: 0, from: router6)
        case nil: nil
        }
    }
}

extension PacketRule.Unreachable {
    /// The ICMP code of "destination unreachable" (RFC 792, RFC 1812 §5.2.7.1).
    fileprivate var code4: UInt8 {
        switch self {
        case .network: 0
        case .host: 1
        case .port: 3
        case .prohibited: 13
        }
    }

    /// The ICMPv6 code of "destination unreachable" (RFC 4443 §3.1).
    fileprivate var code6: UInt8 {
        switch self {
        case .network: 0
        case .host: 3
        case .port: 4
        case .prohibited: 1
        }
    }
}
