import InternetAddresses

/// The addresses of one packet on both sides of the translator.
struct AddressPair: Sendable {
    var source6: IPv6Address
    var destination6: IPv6Address
    var source4: IPv4Address
    var destination4: IPv4Address

    fileprivate func repair(_ sum: inout InternetChecksum, to version: IPVersion) {
        switch version {
        case .v4:
            sum.remove(source6)
            sum.remove(destination6)
            sum.add(source4)
            sum.add(destination4)
        case .v6:
            sum.remove(source4)
            sum.remove(destination4)
            sum.add(source6)
            sum.add(destination6)
        }
    }
}

/// The fields that a translator needs from the head of TCP, UDP or an ICMP echo.
struct TransportHead: Sendable {
    var kind: BindingTable.Kind
    /// Ports; in an echo both are the identifier.
    var sourcePort: UInt16
    var destinationPort: UInt16
    /// Only for TCP, and only if enough bytes are present.
    var flags: TCPHeader.Flags = []
    var icmpType: UInt8 = 0

    /// Reads only the first eight bytes, which every ICMP error quotes. Nil for a protocol without ports.
    init?(_ payload: Span<UInt8>, _ next: IPProtocol, of version: IPVersion) throws(TranslationDrop) {
        let layer: PacketError.Layer
        if next == .tcp {
            kind = .tcp
            layer = .tcp
        } else if next == .udp {
            kind = .udp
            layer = .udp
        } else if next == version.icmp {
            kind = .icmp
            layer = .icmp
        } else if next == .icmp || next == .icmpv6 || version == .v4 && next.isIPv6Extension {
            // The message has another meaning on the other side.
            throw .unsupportedProtocol(next)
        } else {
            return nil
        }
        guard payload.count >= 8 else { throw .malformed(.truncated(layer, needed: 8, found: payload.count)) }
        switch kind {
        case .tcp, .udp:
            sourcePort = payload.word16(0)
            destinationPort = payload.word16(2)
            if kind == .tcp, payload.count > 13 { flags = TCPHeader.Flags(rawValue: payload[13]) }
        case .icmp:
            icmpType = payload[0]
            sourcePort = payload.word16(4)
            destinationPort = sourcePort
            let echoes =
                switch version {
                case .v4: [ICMPHeader.V4.echoRequest, ICMPHeader.V4.echoReply]
                case .v6: [ICMPHeader.V6.echoRequest, ICMPHeader.V6.echoReply]
                }
            guard echoes.contains(icmpType) else { throw .untranslatableICMP(type: icmpType, code: payload[1]) }
        }
    }

    /// Reads the head of a packet that is not a quotation: its first fragment must contain the checksum, which changes.
    static func ofPacket(
        _ payload: Span<UInt8>, _ next: IPProtocol, of version: IPVersion
    ) throws(TranslationDrop) -> TransportHead? {
        if next == .tcp, payload.count < TCPHeader.minimumLength {
            throw .malformed(.truncated(.tcp, needed: TCPHeader.minimumLength, found: payload.count))
        }
        return try TransportHead(payload, next, of: version)
    }
}

/// Replaces the ports and addresses of one side in a transport header with those of the other.
///
/// The checksum is updated, not recomputed, so that damage on the way stays visible to the receiver, and so that a
/// first fragment or the truncated packet in an ICMP error can be changed at all.
enum TransportRewrite {
    enum PortField: Hashable, Sendable { case source, destination }

    /// Changes the header in place.
    ///
    /// - Parameter icmpLength: length of the whole ICMP message, which only the ICMPv6 checksum covers.
    static func apply(
        _ bytes: inout [UInt8], at start: Int, _ kind: BindingTable.Kind, _ change: HeaderTranslation.PortChange?,
        _ addresses: AddressPair, to version: IPVersion, icmpLength: Int
    ) {
        let portOffset: Int
        let checksumOffset: Int
        switch kind {
        case .tcp, .udp:
            portOffset = start + (change?.field == .destination ? 2 : 0)
            checksumOffset = start + (kind == .tcp ? 16 : 6)
        case .icmp:
            portOffset = start + 4
            checksumOffset = start + 2
        }
        let hasChecksum = checksumOffset + 2 <= bytes.count
        var sum = InternetChecksum(repairing: hasChecksum ? bytes.span.word16(checksumOffset) : 0)
        if let change {
            sum.remove(bytes.span.word16(portOffset))
            sum.add(change.port)
            bytes.set16(change.port, at: portOffset)
        }

        switch kind {
        case .tcp:
            guard hasChecksum else { return }
            addresses.repair(&sum, to: version)
            bytes.set16(sum.value, at: checksumOffset)
        case .udp:
            // 0 means that the checksum is absent; the caller decides whether that is allowed.
            guard hasChecksum, bytes.span.word16(checksumOffset) != 0 else { return }
            addresses.repair(&sum, to: version)
            bytes.set16(sum.udpValue, at: checksumOffset)
        case .icmp:
            sum.remove(bytes.span.word16(start))
            bytes[start] = echoType(bytes[start], to: version)
            sum.add(bytes.span.word16(start))
            // The pseudo-header exists on the IPv6 side only.
            var pseudo = InternetChecksum()
            pseudo.addPseudoHeader(addresses.source6, addresses.destination6, .icmpv6, length: icmpLength)
            switch version {
            case .v4: sum.remove(~pseudo.value)
            case .v6: sum.add(~pseudo.value)
            }
            // Only zeros sum to +0; every other sum of 0 is −0. An incremental update cannot distinguish them (RFC 1624
            // §3). Only an ICMPv4 message, which lacks a pseudo-header, can consist of zeros alone.
            let isEmpty =
                version == .v4 && sum.value == 0 && isAllZeros(bytes.span, from: start, except: checksumOffset)
            bytes.set16(isEmpty ? 0xFFFF : sum.value, at: checksumOffset)
        }
    }

    private static func isAllZeros(_ bytes: Span<UInt8>, from start: Int, except checksum: Int) -> Bool {
        for index in start..<bytes.count where bytes[index] != 0 && index != checksum && index != checksum + 1 {
            return false
        }
        return true
    }

    private static func echoType(_ type: UInt8, to version: IPVersion) -> UInt8 {
        switch version {
        case .v4: type == ICMPHeader.V6.echoRequest ? ICMPHeader.V4.echoRequest : ICMPHeader.V4.echoReply
        case .v6: type == ICMPHeader.V4.echoRequest ? ICMPHeader.V6.echoRequest : ICMPHeader.V6.echoReply
        }
    }
}
