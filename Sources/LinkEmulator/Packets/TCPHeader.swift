/// The header of a TCP segment (RFC 9293 §3.1).
package struct TCPHeader: Hashable, Sendable {
    package static let minimumLength = 20

    package struct Flags: OptionSet, Hashable, Sendable, CustomStringConvertible {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let fin = Flags(rawValue: 1)
        package static let syn = Flags(rawValue: 2)
        package static let rst = Flags(rawValue: 4)
        package static let psh = Flags(rawValue: 8)
        package static let ack = Flags(rawValue: 16)
        package static let urg = Flags(rawValue: 32)
        package static let ece = Flags(rawValue: 64)
        package static let cwr = Flags(rawValue: 128)

        package var description: String {
            let names: [(Flags, String)] = [
                (.syn, "SYN"), (.fin, "FIN"), (.rst, "RST"), (.psh, "PSH"), (.ack, "ACK"), (.urg, "URG"), (.ece, "ECE"),
                (.cwr, "CWR"),
            ]
            return names.filter { contains($0.0) }.map(\.1).joined(separator: " ")
        }
    }

    package var sourcePort: UInt16
    package var destinationPort: UInt16
    package var sequence: UInt32
    package var acknowledgement: UInt32
    package var headerLength: Int
    package var flags: Flags
    package var window: UInt16
    package var checksum: UInt16

    package init(_ segment: Span<UInt8>) throws(PacketError) {
        guard segment.count >= Self.minimumLength else {
            throw .truncated(.tcp, needed: Self.minimumLength, found: segment.count)
        }
        sourcePort = segment.word16(0)
        destinationPort = segment.word16(2)
        sequence = segment.word32(4)
        acknowledgement = segment.word32(8)
        headerLength = Int(segment[12] >> 4) * 4
        flags = Flags(rawValue: segment[13])
        window = segment.word16(14)
        checksum = segment.word16(16)
        guard headerLength >= Self.minimumLength else { throw .impossibleLength(.tcp, headerLength) }
        guard headerLength <= segment.count else { throw .truncated(.tcp, needed: headerLength, found: segment.count) }
    }
}
