/// A stateful NAT64 (RFC 6146) with the header translation of RFC 7915, as a value: a packet goes in, packets come out.
///
/// One pool address; mapping and filtering independent of the peer; hairpinning between two IPv6 hosts included.
package struct NAT64Translator: Sendable {
    package let configuration: NAT64Configuration
    package private(set) var counters = TranslationCounters()

    var table: BindingTable
    var fragments = FragmentTable()
    private var identification: UInt16 = 0

    package init(_ configuration: NAT64Configuration) {
        self.configuration = configuration
        table = BindingTable(ports: configuration.ports, timeouts: configuration.timeouts)
    }

    package var bindings: Int { table.bindingCount }
    package var sessions: Int { table.sessionCount }

    /// Replaces `out` by what leaves the translator for `packet`, if anything does. Calls come in order of time.
    package mutating func translate(_ packet: Span<UInt8>, at now: LinkTime, into out: inout [UInt8]) -> TranslationResult {
        out.removeAll(keepingCapacity: true)
        table.expire(at: now)
        let result: TranslationResult
        do throws(TranslationDrop) {
            result = try dispatch(packet, at: now, into: &out)
        } catch {
            out.removeAll(keepingCapacity: true)
            result = .dropped(error)
        }
        counters.count(result)
        return result
    }

    private mutating func dispatch(
        _ packet: Span<UInt8>, at now: LinkTime, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        let parsed: IPPacket
        do { parsed = try IPPacket(packet) } catch { throw .malformed(error) }
        switch parsed {
        case .v4(let header): return try toIPv6(packet, header, at: now, into: &out)
        case .v6(let header):
            let result = try toIPv4(packet, header, at: now, into: &out)
            // Two IPv6 hosts that know each other by the pool address (RFC 6146 §3.8).
            guard case .translated(to: .v4, packets: 1) = result, out.span.word32(16) == configuration.pool.value else {
                return result
            }
            let hairpin = out
            out.removeAll(keepingCapacity: true)
            let hairpinHeader: IPv4Header
            do { hairpinHeader = try IPv4Header(hairpin.span) } catch { throw .malformed(error) }
            return try toIPv6(hairpin.span, hairpinHeader, at: now, into: &out)
        }
    }

    mutating func nextIdentification() -> UInt16 {
        identification &+= 1
        return identification
    }

    /// Hosts that no packet can come from or go to; and those that the prefix must not stand for.
    func checkLegal(_ address: IPv4Address) throws(TranslationDrop) {
        guard !address.isUnspecified, !address.isMulticast, !address.isLoopback, !address.isBroadcast,
            configuration.prefix.mayRepresent(address)
        else { throw .illegalAddress4(address) }
    }

    func reply4(
        to packet: Span<UInt8>, type: UInt8, code: UInt8, rest: UInt32 = 0, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        guard let bytes = ICMPErrorReply.v4(for: packet, type: type, code: code, rest: rest, from: configuration.pool) else {
            throw .unanswerable
        }
        out = bytes
        return .replied(to: .v4)
    }

    func reply6(
        to packet: Span<UInt8>, type: UInt8, code: UInt8, rest: UInt32 = 0, into out: inout [UInt8]
    ) throws(TranslationDrop) -> TranslationResult {
        guard let bytes = ICMPErrorReply.v6(for: packet, type: type, code: code, rest: rest, from: configuration.router6) else {
            throw .unanswerable
        }
        out = bytes
        return .replied(to: .v6)
    }
}
