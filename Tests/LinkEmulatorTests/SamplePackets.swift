import InternetAddresses
import LinkEmulator

/// Packets and their verification, written without the code under test.
enum SamplePackets {
    static func sum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var total: UInt32 = 0
        var isHigh = true
        for byte in bytes {
            total += isHigh ? UInt32(byte) << 8 : UInt32(byte)
            total = (total & 0xFFFF) + total >> 16
            isHigh.toggle()
        }
        return total
    }
    static func two(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    static func four(_ address: IPv4Address) -> [UInt8] {
        (0..<4).map { UInt8(address.value >> UInt32(24 - 8 * $0) & 255) }
    }
    static func sixteen(_ address: IPv6Address) -> [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? address.high : address.low) >> UInt64(56 - 8 * ($0 % 8))) }
    }
    static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.filter(\.isHexDigit)
        return stride(from: 0, to: digits.count, by: 2).map { position in
            let start = digits.index(digits.startIndex, offsetBy: position)
            return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)!
        }
    }

    /// Returns `transport` with a correct checksum at `offset` for the pseudo-header.
    private static func sealed(_ transport: [UInt8], at offset: Int, _ pseudo: [UInt8]) -> [UInt8] {
        var sealed = transport
        sealed.replaceSubrange(offset..<offset + 2, with: [0, 0])
        let value = 0xFFFF - sum(pseudo + sealed)
        sealed.replaceSubrange(offset..<offset + 2, with: two(Int(value == 0 ? 0xFFFF : value)))
        return sealed
    }
    private static func checksumOffset(_ next: UInt8) -> Int { next == 6 ? 16 : next == 17 ? 6 : 2 }

    static func tcp(_ from: Int, _ to: Int, _ flags: TCPHeader.Flags, _ data: [UInt8] = []) -> [UInt8] {
        two(from) + two(to) + [0, 0, 0, 1, 0, 0, 0, 2, 0x50, flags.rawValue] + two(64240) + [0, 0, 0, 0] + data
    }
    static func udp(_ from: Int, _ to: Int, _ data: [UInt8]) -> [UInt8] {
        two(from) + two(to) + two(8 + data.count) + [0, 0] + data
    }
    static func icmp(_ type: UInt8, _ code: UInt8 = 0, rest: [UInt8], _ data: [UInt8] = []) -> [UInt8] {
        [type, code, 0, 0] + rest + data
    }
    static func echo(_ type: UInt8, id: Int, sequence: Int = 1, _ data: [UInt8] = [1, 2, 3]) -> [UInt8] {
        icmp(type, rest: two(id) + two(sequence), data)
    }

    static func v4(
        _ source: IPv4Address, _ destination: IPv4Address, _ next: UInt8, _ transport: [UInt8], ttl: UInt8 = 64,
        dontFragment: Bool = true, moreFragments: Bool = false, offset: Int = 0, id: Int = 0x1234, tos: UInt8 = 0,
        options: [UInt8] = [], isSealed: Bool = true
    ) -> [UInt8] {
        var payload = transport
        if isSealed, offset == 0 {
            let pseudo = next == 1 ? [] : four(source) + four(destination) + [0, next] + two(transport.count)
            payload = sealed(transport, at: checksumOffset(next), pseudo)
        }
        let flags = (dontFragment ? 0x4000 : 0) | (moreFragments ? 0x2000 : 0) | offset / 8
        var header =
            [UInt8(0x45 + options.count / 4), tos] + two(20 + options.count + payload.count) + two(id) + two(flags)
        header += [ttl, next, 0, 0] + four(source) + four(destination) + options
        header.replaceSubrange(10..<12, with: two(Int(0xFFFF - sum(header))))
        return header + payload
    }

    static func v6(
        _ source: IPv6Address, _ destination: IPv6Address, _ next: UInt8, _ transport: [UInt8], hopLimit: UInt8 = 64,
        trafficClass: UInt8 = 0, fragment: (offset: Int, more: Bool, id: Int)? = nil, isSealed: Bool = true
    ) -> [UInt8] {
        var payload = transport
        if isSealed, (fragment?.offset ?? 0) == 0 {
            let pseudo = sixteen(source) + sixteen(destination) + two(0) + two(transport.count) + [0, next]
            payload = sealed(transport, at: checksumOffset(next), pseudo)
        }
        var first = next
        if let fragment {
            payload =
                [next, 0] + two(fragment.offset | (fragment.more ? 1 : 0)) + two(fragment.id >> 16)
                + two(fragment.id & 0xFFFF) + payload
            first = 44
        }
        return [0x60 | trafficClass >> 4, trafficClass << 4 & 0xF0, 0, 0] + two(payload.count) + [first, hopLimit]
            + sixteen(source) + sixteen(destination) + payload
    }

    /// Returns true if all checksums and lengths of an unfragmented packet without extension headers are correct.
    static func isIntact(_ packet: [UInt8]) -> Bool {
        let transport: ArraySlice<UInt8>
        let next: UInt8
        var pseudo: [UInt8]
        if packet[0] >> 4 == 4 {
            let length = Int(packet[0] & 15) * 4
            guard sum(packet[..<length]) == 0xFFFF, Int(packet[2]) << 8 | Int(packet[3]) == packet.count else {
                return false
            }
            next = packet[9]
            transport = packet[length...]
            pseudo = next == 1 ? [] : packet[12..<20] + [0, next] + two(transport.count)
        } else {
            guard Int(packet[4]) << 8 | Int(packet[5]) == packet.count - 40 else { return false }
            next = packet[6]
            transport = packet[40...]
            pseudo = packet[8..<40] + two(0) + two(transport.count) + [0, next]
        }
        return sum(pseudo + transport) == 0xFFFF
    }
}
