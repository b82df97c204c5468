import InternetAddresses

/// A stateful NAT64 (RFC 6146) with the header translation of RFC 7915, as a value: a packet goes in, packets come out.
///
/// It has one pool address, a mapping that does not depend on the peer, configurable filtering, and hairpinning between
/// two IPv6 hosts.
package struct NAT64Translator: Sendable {
    package let configuration: NAT64Configuration
    package private(set) var counters = TranslationCounters()

    var headers: HeaderTranslation
    var table: BindingTable
    var fragments = FragmentTable()
    var unwanted = UnsolicitedSYNTable()

    package init(_ configuration: NAT64Configuration) {
        self.configuration = configuration
        headers = HeaderTranslation(configuration.networks)
        table = BindingTable(ports: configuration.ports, timeouts: configuration.timeouts)
    }

    package var bindings: Int { table.bindingCount }
    package var sessions: Int { table.sessionCount }

    /// Replaces `out` with the translation of `packet`; empty if nothing leaves the translator. Calls come in order of
    /// time.
    package mutating func translate(_ packet: Span<UInt8>, at now: LinkTime, into out: inout [UInt8])
        -> TranslationResult
    {
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
        case .v4(let header): return try fromIPv4(packet, header, at: now, into: &out)
        case .v6(let header):
            let result = try fromIPv6(packet, header, at: now, into: &out)
            // Two IPv6 hosts that address each other by the pool address (RFC 6146 §3.8).
            guard case .translated(to: .v4, packets: 1) = result, out.span.word32(16) == configuration.pool.value else {
                return result
            }
            let hairpin = out
            out.removeAll(keepingCapacity: true)
            let hairpinHeader: IPv4Header
            do { hairpinHeader = try IPv4Header(hairpin.span) } catch { throw .malformed(error) }
            return try fromIPv4(hairpin.span, hairpinHeader, at: now, into: &out)
        }
    }

    /// The time of the next work for `passTime`; only address-dependent filtering ever sets it.
    package var nextDeadline: LinkTime? { unwanted.nextExpiry }

    /// Replaces `out` with the errors about SYNs without a matching SYN from inside in time (RFC 6146 §3.5.2.2);
    /// returns their number.
    package mutating func passTime(to now: LinkTime, into out: inout [UInt8]) -> Int {
        out.removeAll(keepingCapacity: true)
        var replies = 0
        for packet in unwanted.expired(at: now) {
            var reply: [UInt8] = []
            do throws(TranslationDrop) {
                _ = try headers.reply4(
                    to: packet.span, type: ICMPHeader.V4.unreachable, code: ICMPHeader.V4.portUnreachable, into: &reply)
            } catch {
                continue
            }
            out += reply
            counters.replied += 1
            replies += 1
        }
        return replies
    }
}
