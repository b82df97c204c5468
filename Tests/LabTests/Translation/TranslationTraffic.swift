/// Random traffic of one host through a translator, in both directions, from a seed.
struct TranslationTraffic {
    /// The host on both sides of the translator, and the servers with which it communicates.
    let host4: [UInt8]
    let host6: [UInt8]
    let server6: @Sendable ([UInt8]) -> [UInt8]
    private var state: UInt64

    init(seed: UInt64, host4: [UInt8], host6: [UInt8], server6: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.host4 = host4
        self.host6 = host6
        self.server6 = server6
        state = seed
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
    private mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }
    private mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0...values.count - 1)] }
    private mutating func data(_ range: ClosedRange<Int>) -> [UInt8] {
        (0..<number(range)).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
    private mutating func chance(_ oneIn: Int) -> Bool { number(1...oneIn) == 1 }
    private mutating func server4() -> [UInt8] { [198, 51, 100, UInt8(number(1...250))] }

    /// Returns the payload of an IP packet, before its checksum is calculated.
    private mutating func transport(_ icmp: (request: UInt8, reply: UInt8), _ icmpNumber: UInt8, _ most: Int) -> (
        UInt8, [UInt8]
    ) {
        switch number(0...9) {
        case 0...3:
            let options = [UInt8](repeating: 1, count: 4 * number(0...10))
            var header = PacketForge.two(number(1...65535)) + PacketForge.two(number(1...65535))
            header += PacketForge.four(number(0...Int(UInt32.max))) + PacketForge.four(number(0...Int(UInt32.max)))
            header +=
                [UInt8((5 + options.count / 4) << 4), UInt8(number(0...255))] + PacketForge.two(number(0...65535))
            return (6, header + [0, 0] + PacketForge.two(number(0...65535)) + options + data(0...most - 60))
        case 4...6:
            let body = data(0...most - 8)
            return (
                17,
                PacketForge.two(number(1...65535)) + PacketForge.two(number(1...65535))
                    + PacketForge.two(8 + body.count) + [0, 0] + body
            )
        case 7, 8:
            let type = pick([icmp.request, icmp.reply])
            return (icmpNumber, [type, 0, 0, 0] + PacketForge.four(number(0...Int(UInt32.max))) + data(0...most - 8))
        case _: return (pick([47, 50, 132, 33, 136]), data(8...most))
        }
    }

    // MARK: - From the IPv4 side

    mutating func packet4() -> [UInt8] {
        if chance(4) { return error4() }
        var header = PacketForge.Header4(source: host4, destination: server4())
        header.tos = chance(2) ? 0 : UInt8(number(0...255))
        header.identification = number(0...65535)
        header.ttl = chance(20) ? 2 : UInt8(number(3...255))
        header.fragment = chance(2) ? 0x4000 : 0
        if chance(8) { header.options = [UInt8](repeating: 1, count: 4 * number(1...5)) }
        var (number_, payload) = transport((8, 0), 1, header.fragment == 0 ? 1440 : 1400)
        payload = PacketForge.sealed(payload, number_, pseudo: header.source + header.destination)
        if number_ == 17, chance(6) { payload.replaceSubrange(6..<8, with: [0, 0]) }
        if chance(12) { payload[payload.count - 1] ^= 0x55 }
        if number_ == 1, chance(6) { payload[0] = pick([13, 15, 17, 10]) }
        if number_ != 1, chance(4) {
            // The first, a middle or the last of several fragments.
            header.fragment |= pick([0x2000, 0x2000 | number(8...4000), number(8...4000)])
            if header.fragment & 0x2000 != 0, !chance(8) { payload.removeLast(payload.count % 8) }
        }
        return PacketForge.v4(header, number_, payload)
    }

    private mutating func error4() -> [UInt8] {
        var header = PacketForge.Header4(source: host4, destination: server4())
        header.ttl = chance(20) ? 2 : UInt8(number(3...255))
        header.identification = number(0...65535)
        header.tos = pick([0, 0xC0])
        // The packet that the error is about came from the server.
        var inner = PacketForge.Header4(source: header.destination, destination: host4)
        inner.ttl = UInt8(number(1...255))
        inner.identification = number(0...65535)
        inner.fragment = pick([0, 0x4000, 0x2000])
        let (kind, body) = transport((8, 0), 1, 1400)
        let payload = PacketForge.sealed(body, kind, pseudo: inner.source + inner.destination)
        if kind == 1 { inner.fragment &= 0x4000 }
        let cut = Array(payload.prefix(chance(2) ? 8 : number(8...payload.count)))
        inner.statedPayload = payload.count
        let quoted = PacketForge.v4(inner, kind, cut)
        let (type, code, rest): (UInt8, UInt8, Int)
        switch number(0...4) {
        case 0, 1: (type, code, rest) = (3, UInt8(number(0...15)), 0)
        case 2: (type, code, rest) = (3, 4, pick([0, 68, 576, 1000, 1280, 1400, 1492, 1500, 9000]))
        case 3: (type, code, rest) = (11, UInt8(number(0...1)), 0)
        case _: (type, code, rest) = (12, UInt8(number(0...2)), number(0...20) << 24)
        }
        let message = PacketForge.sealed([type, code, 0, 0] + PacketForge.four(rest) + quoted, 1, pseudo: [])
        return PacketForge.v4(header, 1, message)
    }

    // MARK: - From the IPv6 side

    mutating func packet6() -> [UInt8] {
        if chance(4) { return error6() }
        var header = PacketForge.Header6(source: server6(server4()), destination: host6)
        header.trafficClass = chance(2) ? 0 : UInt8(number(0...255))
        header.flowLabel = chance(2) ? 0 : number(0...0xFFFFF)
        header.hopLimit = chance(20) ? 2 : UInt8(number(3...255))
        var (kind, payload) = transport((128, 129), 58, 1380)
        payload = PacketForge.sealed(payload, kind, pseudo: header.source + header.destination + [0, 0])
        if chance(12) { payload[payload.count - 1] ^= 0x55 }
        if kind == 58, chance(6) { payload[0] = pick([130, 138, 139, 200]) }
        if chance(8) { header.extensions.append((0, [0, 0, 1, 4, 0, 0, 0, 0])) }
        if chance(10) { header.extensions.append((43, [0, 2, 0, chance(2) ? 0 : 1, 0, 0, 0, 0] + host6)) }
        if chance(4) {
            var offset = pick([0, number(1...4000)])
            if kind == 58 { offset = 0 }
            let more = kind == 58 ? 0 : number(0...1)
            if more == 1, !chance(8) { payload.removeLast(payload.count % 8) }
            header.extensions.append(
                (44, [0, 0] + PacketForge.two(offset << 3 | more) + PacketForge.four(number(0...Int(UInt32.max)))))
        }
        if chance(10), header.extensions.last?.number != 44 {
            header.extensions.append((60, [0, 0, 1, 4, 0, 0, 0, 0]))
        }
        return PacketForge.v6(header, kind, payload)
    }

    private mutating func error6() -> [UInt8] {
        var header = PacketForge.Header6(source: server6(server4()), destination: host6)
        header.hopLimit = chance(20) ? 2 : UInt8(number(3...255))
        var inner = PacketForge.Header6(source: host6, destination: header.source)
        inner.hopLimit = UInt8(number(1...255))
        inner.trafficClass = pick([0, 0x2E])
        let (kind, body) = transport((128, 129), 58, 1100)
        let payload = PacketForge.sealed(body, kind, pseudo: inner.source + inner.destination + [0, 0])
        if kind != 58, chance(5) {
            inner.extensions.append(
                (44, [0, 0] + PacketForge.two(number(0...1)) + PacketForge.four(number(0...Int(UInt32.max)))))
        }
        let cut = Array(payload.prefix(chance(2) ? 8 : number(8...payload.count)))
        inner.statedPayload = payload.count
        // RFC 4443 §2.4c: no error exceeds 1,280 bytes.
        let quoted = Array(PacketForge.v6(inner, kind, cut).prefix(1280 - 48))
        let (type, code, rest): (UInt8, UInt8, Int)
        switch number(0...4) {
        case 0: (type, code, rest) = (1, UInt8(number(0...6)), 0)
        case 1, 2: (type, code, rest) = (2, 0, pick([1280, 1300, 1400, 1492, 1500, 9000]))
        case 3: (type, code, rest) = (3, UInt8(number(0...1)), 0)
        case _: (type, code, rest) = (4, UInt8(number(0...2)), number(0...40))
        }
        let message = PacketForge.sealed(
            [type, code, 0, 0] + PacketForge.four(rest) + quoted, 58,
            pseudo: header.source + header.destination + [0, 0])
        return PacketForge.v6(header, 58, message)
    }

    /// Returns a small datagram that every translator passes, recognisable by its last bytes.
    func marker(_ index: Int, from version: Int) -> [UInt8] {
        let payload =
            PacketForge.two(9) + PacketForge.two(9) + PacketForge.two(20) + [0, 0] + Self.magic
            + PacketForge.four(index)
        if version == 4 {
            let header = PacketForge.Header4(source: host4, destination: [198, 51, 100, 251], fragment: 0x4000)
            return PacketForge.v4(
                header, 17, PacketForge.sealed(payload, 17, pseudo: header.source + header.destination))
        }
        let header = PacketForge.Header6(source: server6([198, 51, 100, 251]), destination: host6)
        return PacketForge.v6(
            header, 17, PacketForge.sealed(payload, 17, pseudo: header.source + header.destination + [0, 0]))
    }
    static let magic = Array("crosswnd".utf8)
}
