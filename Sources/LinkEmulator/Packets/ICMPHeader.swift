/// The first eight bytes of an ICMP (RFC 792) or ICMPv6 (RFC 4443) message; both have the same layout.
package struct ICMPHeader: Hashable, Sendable {
    package static let length = 8

    package var type: UInt8
    package var code: UInt8
    package var checksum: UInt16
    /// MTU, pointer, or identifier and sequence number, depending on the type.
    package var rest: UInt32

    package init(_ message: Span<UInt8>) throws(PacketError) {
        guard message.count >= Self.length else { throw .truncated(.icmp, needed: Self.length, found: message.count) }
        type = message[0]
        code = message[1]
        checksum = message.word16(2)
        rest = message.word32(4)
    }

    package var identifier: UInt16 { UInt16(rest >> 16) }
    package var sequence: UInt16 { UInt16(truncatingIfNeeded: rest) }

    /// ICMPv4 types and codes used here.
    enum V4 {
        static let echoReply: UInt8 = 0
        static let unreachable: UInt8 = 3
        static let sourceQuench: UInt8 = 4
        static let redirect: UInt8 = 5
        static let echoRequest: UInt8 = 8
        static let timeExceeded: UInt8 = 11
        static let parameterProblem: UInt8 = 12
        static let protocolUnreachable: UInt8 = 2
        static let portUnreachable: UInt8 = 3
        static let fragmentationNeeded: UInt8 = 4
        static let sourceRouteFailed: UInt8 = 5

        static func isError(_ type: UInt8) -> Bool {
            [unreachable, sourceQuench, redirect, timeExceeded, parameterProblem].contains(type)
        }
    }

    /// ICMPv6 types used here; errors are all below 128.
    enum V6 {
        static let unreachable: UInt8 = 1
        static let packetTooBig: UInt8 = 2
        static let timeExceeded: UInt8 = 3
        static let parameterProblem: UInt8 = 4
        static let echoRequest: UInt8 = 128
        static let echoReply: UInt8 = 129
        static let redirect: UInt8 = 137

        static func isError(_ type: UInt8) -> Bool { type < 128 }
    }
}
