/// The correspondence of ICMP and ICMPv6 errors (RFC 7915 §4.2 and §5.2).
enum ICMPErrorTables {
    struct Message: Hashable, Sendable {
        var type: UInt8
        var code: UInt8
        /// The second word: MTU or pointer.
        var rest: UInt32
    }

    /// Returns the ICMPv6 error for an ICMP error; nil if there is none.
    ///
    /// - Parameter quotedLength: total length of the packet that the error is about, for routers that do not report an
    ///   MTU.
    static func toIPv6(_ error: ICMPHeader, quotedLength: Int, _ networks: TranslationNetworks) -> Message? {
        typealias V6 = ICMPHeader.V6
        switch error.type {
        case ICMPHeader.V4.unreachable:
            switch error.code {
            case 0, 1, 5, 6, 7, 8, 11, 12: return Message(type: V6.unreachable, code: 0, rest: 0)
            case 2: return Message(type: V6.parameterProblem, code: 1, rest: 6)
            case 3: return Message(type: V6.unreachable, code: 4, rest: 0)
            case 4:
                var stated = Int(error.rest & 0xFFFF)
                if stated == 0 { stated = plateau(below: quotedLength) }
                // Never below 1280: the sender's next packet then allows fragmentation (RFC 7915 §4.2).
                let mtu = max(1280, min(stated + 20, networks.mtu6, networks.mtu4 + 20))
                return Message(type: V6.packetTooBig, code: 0, rest: UInt32(mtu))
            case 9, 10, 13, 15: return Message(type: V6.unreachable, code: 1, rest: 0)
            case _: return nil
            }
        case ICMPHeader.V4.timeExceeded:
            return Message(type: V6.timeExceeded, code: error.code, rest: 0)
        case ICMPHeader.V4.parameterProblem:
            guard error.code == 0 || error.code == 2, let pointer = pointerToIPv6(UInt8(error.rest >> 24)) else {
                return nil
            }
            return Message(type: V6.parameterProblem, code: 0, rest: pointer)
        case _: return nil
        }
    }

    /// Returns the ICMP error for an ICMPv6 error; nil if there is none.
    ///
    /// - Parameter hasFragmentHeader: true if the packet that the error is about had a fragment header, so that its
    ///   IPv4 packet was 28 bytes shorter.
    static func toIPv4(_ error: ICMPHeader, hasFragmentHeader: Bool, _ networks: TranslationNetworks) -> Message? {
        typealias V4 = ICMPHeader.V4
        switch error.type {
        case ICMPHeader.V6.unreachable:
            switch error.code {
            case 0, 2, 3: return Message(type: V4.unreachable, code: 1, rest: 0)
            case 1: return Message(type: V4.unreachable, code: 10, rest: 0)
            case 4: return Message(type: V4.unreachable, code: V4.portUnreachable, rest: 0)
            case _: return nil
            }
        case ICMPHeader.V6.packetTooBig:
            let growth = hasFragmentHeader ? 28 : 20
            let mtu = min(Int(error.rest) - growth, networks.mtu4, networks.mtu6 - growth)
            return Message(type: V4.unreachable, code: V4.fragmentationNeeded, rest: UInt32(max(68, min(mtu, 0xFFFF))))
        case ICMPHeader.V6.timeExceeded:
            return Message(type: V4.timeExceeded, code: error.code, rest: 0)
        case ICMPHeader.V6.parameterProblem:
            if error.code == 1 { return Message(type: V4.unreachable, code: V4.protocolUnreachable, rest: 0) }
            guard error.code == 0, let pointer = pointerToIPv4(error.rest) else { return nil }
            return Message(type: V4.parameterProblem, code: 0, rest: UInt32(pointer) << 24)
        case _: return nil
        }
    }

    /// Returns the largest common MTU below the size that did not fit (RFC 1191 §7).
    private static func plateau(below length: Int) -> Int {
        [65535, 32000, 17914, 8166, 4352, 2002, 1492, 1006, 508, 296].first { $0 < length } ?? 68
    }

    /// Translates a pointer (RFC 7915 figure 3).
    private static func pointerToIPv6(_ pointer: UInt8) -> UInt32? {
        switch pointer {
        case 0, 1: UInt32(pointer)
        case 2, 3: 4
        case 8: 7
        case 9: 6
        case 12...15: 8
        case 16...19: 24
        case _: nil
        }
    }

    /// Translates a pointer (RFC 7915 figure 6).
    private static func pointerToIPv4(_ pointer: UInt32) -> UInt8? {
        switch pointer {
        case 0, 1: UInt8(pointer)
        case 4, 5: 2
        case 6: 9
        case 7: 8
        case 8...23: 12
        case 24...39: 16
        case _: nil
        }
    }
}
