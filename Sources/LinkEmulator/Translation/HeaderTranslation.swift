import InternetAddresses

/// Header translation of RFC 7915, shared by the stateful NAT64 and the stateless CLAT. The caller decides how
/// addresses and ports are mapped.
struct HeaderTranslation: Sendable {
    let networks: TranslationNetworks
    private var identification: UInt16 = 0

    init(_ networks: TranslationNetworks) { self.networks = networks }

    /// A port or echo identifier that changes together with the addresses.
    struct PortChange: Hashable, Sendable {
        var field: TransportRewrite.PortField
        var port: UInt16
    }

    /// Returns an identification for a packet that arrives without one (RFC 7915 §5.1).
    mutating func nextIdentification() -> UInt16 {
        identification &+= 1
        return identification
    }

    // MARK: - Refusals

    /// Throws for addresses that no packet can come from or be sent to (RFC 7915 §4.1), and for those that the prefix
    /// must not represent.
    func checkLegal(_ address: IPv4Address) throws(TranslationDrop) {
        guard address.isUsableByAHost, networks.mayRepresent(address) else { throw .illegalAddress4(address) }
    }

    func checkLegal(_ address: IPv6Address) throws(TranslationDrop) {
        if address.isMulticast || address.isUnspecified || address.isLoopback || address.isLinkLocal {
            throw .illegalAddress6(address)
        }
    }

    /// Returns the reply to an IPv6 packet whose hop limit ends here or that has a source route (RFC 7915 §5.1); nil if
    /// the packet is forwarded.
    func refusal(
        of packet: Span<UInt8>, _ header: IPv6Header, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult? {
        if header.fragment?.moreFragments == true, header.carried.count % 8 != 0 {
            throw .unalignedFragment(header.carried.count)
        }
        if header.hopLimit <= 1 { return try reply6(to: packet, type: ICMPHeader.V6.timeExceeded, code: 0, into: &out) }
        if let segmentsLeft = header.segmentsLeftOffset {
            return try reply6(
                to: packet, type: ICMPHeader.V6.parameterProblem, code: 0, rest: UInt32(segmentsLeft), into: &out)
        }
        if header.hasExtensionInFragment { throw .extensionInFragment }
        return nil
    }

    /// Returns the reply to an IPv4 packet under the same conditions (RFC 7915 §4.1).
    func refusal(
        of packet: Span<UInt8>, _ header: IPv4Header, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult? {
        if header.moreFragments, header.payload.count % 8 != 0 { throw .unalignedFragment(header.payload.count) }
        if header.timeToLive <= 1 {
            return try reply4(to: packet, type: ICMPHeader.V4.timeExceeded, code: 0, into: &out)
        }
        if Self.hasUnfinishedSourceRoute(packet.extracting(IPv4Header.minimumLength..<header.headerLength)) {
            return try reply4(
                to: packet, type: ICMPHeader.V4.unreachable, code: ICMPHeader.V4.sourceRouteFailed, into: &out)
        }
        return nil
    }

    /// Returns true for a loose (131) or strict (137) source route that names hops still to visit.
    private static func hasUnfinishedSourceRoute(_ options: Span<UInt8>) -> Bool {
        var position = 0
        while position < options.count, options[position] != 0 {
            if options[position] == 1 {
                position += 1
                continue
            }
            guard position + 2 < options.count, options[position + 1] >= 2 else { return false }
            if options[position] == 131 || options[position] == 137, options[position + 2] <= options[position + 1] {
                return true
            }
            position += Int(options[position + 1])
        }
        return false
    }

    // MARK: - Replies

    func reply4(
        to packet: Span<UInt8>, type: UInt8, code: UInt8, rest: UInt32 = 0, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        guard let bytes = ICMPErrorReply.v4(for: packet, type: type, code: code, rest: rest, from: networks.router4)
        else {
            throw .unanswerable
        }
        out = bytes
        return .replied(to: .v4)
    }

    func reply6(
        to packet: Span<UInt8>, type: UInt8, code: UInt8, rest: UInt32 = 0, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        guard let bytes = ICMPErrorReply.v6(for: packet, type: type, code: code, rest: rest, from: networks.router6)
        else {
            throw .unanswerable
        }
        out = bytes
        return .replied(to: .v6)
    }
}
