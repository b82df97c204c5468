/// Builds whole packets by hand, without any code under test.
enum PacketForge {
    static func two(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    static func four(_ value: Int) -> [UInt8] { two(value >> 16) + two(value) }

    static func sum(_ bytes: some Sequence<UInt8>) -> Int {
        var total = 0
        var isHigh = true
        for byte in bytes {
            total += isHigh ? Int(byte) << 8 : Int(byte)
            isHigh.toggle()
        }
        while total > 0xFFFF { total = total & 0xFFFF + total >> 16 }
        return total
    }

    /// Returns `transport` with the correct checksum of its protocol; unknown protocols are returned unchanged.
    static func sealed(_ transport: [UInt8], _ next: UInt8, pseudo addresses: [UInt8]) -> [UInt8] {
        let offset: Int
        switch next {
        case 6: offset = 16
        case 17: offset = 6
        case 1, 58: offset = 2
        case _: return transport
        }
        guard transport.count >= offset + 2 else { return transport }
        var sealed = transport
        sealed.replaceSubrange(offset..<offset + 2, with: [0, 0])
        let pseudo = next == 1 ? [] : addresses + two(transport.count) + [0, next]
        let value = 0xFFFF - sum(pseudo + sealed)
        sealed.replaceSubrange(offset..<offset + 2, with: two(value == 0 && next == 17 ? 0xFFFF : value))
        return sealed
    }

    struct Header4 {
        var source: [UInt8]
        var destination: [UInt8]
        var tos: UInt8 = 0
        var identification = 0
        /// DF, MF and offset as in the header.
        var fragment = 0
        var ttl: UInt8 = 64
        var options: [UInt8] = []
        /// The stated payload length of a quoted packet that was truncated.
        var statedPayload: Int?
    }

    static func v4(_ header: Header4, _ next: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let length = 20 + header.options.count + (header.statedPayload ?? payload.count)
        var bytes: [UInt8] =
            [UInt8(0x45 + header.options.count / 4), header.tos] + two(length) + two(header.identification)
        bytes += two(header.fragment) + [header.ttl, next, 0, 0] + header.source + header.destination + header.options
        bytes.replaceSubrange(10..<12, with: two(0xFFFF - sum(bytes)))
        return bytes + payload
    }

    struct Header6 {
        var source: [UInt8]
        var destination: [UInt8]
        var trafficClass: UInt8 = 0
        var flowLabel = 0
        var hopLimit: UInt8 = 64
        /// Extension headers, each with its own number; their "next header" fields are filled in.
        var extensions: [(number: UInt8, bytes: [UInt8])] = []
        var statedPayload: Int?
    }

    static func v6(_ header: Header6, _ next: UInt8, _ payload: [UInt8]) -> [UInt8] {
        var chain: [UInt8] = []
        for (index, header_) in header.extensions.enumerated() {
            var bytes = header_.bytes
            bytes[0] = index + 1 < header.extensions.count ? header.extensions[index + 1].number : next
            chain += bytes
        }
        let length = chain.count + (header.statedPayload ?? payload.count)
        var bytes = four(6 << 28 | Int(header.trafficClass) << 20 | header.flowLabel) + two(length)
        bytes += [header.extensions.first?.number ?? next, header.hopLimit] + header.source + header.destination
        return bytes + chain + payload
    }
}
