/// The header of a UDP datagram (RFC 768).
package struct UDPHeader: Hashable, Sendable {
    package static let length = 8

    package var sourcePort: UInt16
    package var destinationPort: UInt16
    /// Length of header and data; may exceed the bytes in a first fragment.
    package var datagramLength: Int
    /// 0 means that the sender computed no checksum, which only IPv4 allows.
    package var checksum: UInt16

    package init(_ datagram: Span<UInt8>) throws(PacketError) {
        guard datagram.count >= Self.length else { throw .truncated(.udp, needed: Self.length, found: datagram.count) }
        sourcePort = datagram.word16(0)
        destinationPort = datagram.word16(2)
        datagramLength = Int(datagram.word16(4))
        checksum = datagram.word16(6)
        guard datagramLength >= Self.length else { throw .impossibleLength(.udp, datagramLength) }
    }
}
