import InternetAddresses
import LinkEmulator

/// Creates packets that are correct, or nearly: it computes checksums with its own code, not with the code under test.
struct PacketMaker {
    /// The addresses that the tested translators are configured with, so that packets get through; other addresses are
    /// unknown to them.
    static let client6 = IPv6Address(high: 0x2001_0db8_0000_0001, low: 1)
    static let server4 = IPv4Address(0xc633_6407)
    static let pool4 = IPv4Address(0xc000_0264)
    static let client4 = IPv4Address(0xc000_0001)
    static let prefix = IPv6Address(high: 0x2001_0db8_0064_0000, low: 0)

    /// Hop limits; few of them have run out.
    private static let lives: [UInt8] = [64, 64, 64, 64, 64, 64, 255, 2, 1, 0]

    static func embedded(_ address: IPv4Address) -> IPv6Address {
        IPv6Address(high: prefix.high, low: prefix.low | UInt64(address.value))
    }

    /// Returns a packet of any kind; every fourth is damaged, and half of those get correct checksums again.
    static func packet(_ random: inout FuzzRandom) -> [UInt8] {
        var packet = random.happens(oneIn: 2) ? four(&random) : six(&random)
        if random.happens(oneIn: 4) {
            random.damage(&packet, within: 100)
            if random.happens(oneIn: 2) { seal(&packet) }
        }
        return random.happens(oneIn: 200) ? random.bytes(random.below(200)) : packet
    }

    private static func ports(_ random: inout FuzzRandom) -> [UInt8] {
        let known = [80, 443, 53, 5000, 5001, 5002]
        let from = random.happens(oneIn: 4) ? Int(random.word()) : random.pick(known)
        let to = random.happens(oneIn: 4) ? Int(random.word()) : random.pick(known)
        return two(from) + two(to)
    }

    private static func transport(_ next: UInt8, _ random: inout FuzzRandom) -> [UInt8] {
        let data = random.bytes(random.happens(oneIn: 20) ? random.below(1400) : random.below(24))
        switch next {
        case 6:
            let options = random.happens(oneIn: 4) ? random.below(11) * 4 : 0
            let flags =
                random.happens(oneIn: 3)
                ? random.byte() : random.pick([0x02, 0x12, 0x10, 0x18, 0x11, 0x04, 0x14] as [UInt8])
            return ports(&random) + random.bytes(8) + [UInt8(5 + options / 4) << 4, flags] + random.bytes(2) + [
                0, 0, 0, 0,
            ]
                + random.bytes(options) + data
        case 17: return ports(&random) + two(8 + data.count) + [0, 0] + data
        default: return data
        }
    }

    private static func echo(_ type: UInt8, _ random: inout FuzzRandom) -> [UInt8] {
        [type, 0, 0, 0] + two(random.pick([5000, 5001, 5002, 7])) + random.bytes(2 + random.below(24))
    }

    static func four(_ random: inout FuzzRandom, depth: Int = 0) -> [UInt8] {
        let next = random.pick([6, 6, 6, 17, 17, 17, 1, 1, 1, 47, 50] as [UInt8])
        let payload: [UInt8]
        if next == 1 {
            payload =
                random.happens(oneIn: 2) || depth > 0
                ? echo(random.pick([0, 8]), &random)
                : [random.pick([3, 4, 5, 11, 12, 13]), UInt8(random.below(17)), 0, 0] + random.bytes(4)
                    + quoted(four(&random, depth: depth + 1), &random)
        } else {
            payload = transport(next, &random)
        }
        let options =
            random.happens(oneIn: 8)
            ? random.pick([[1, 1, 1, 0], [131, 3, 4, 0], [7, 3, 4, 0], [0, 0, 0, 0]] as [[UInt8]]) : []
        let fragment =
            random.happens(oneIn: 6)
            ? (random.happens(oneIn: 2) ? 0x2000 : 0) | (random.happens(oneIn: 2) ? random.below(8192) : 0)
            : (random.happens(oneIn: 2) ? 0x4000 : 0)
        let addresses = addresses4(&random)
        var bytes =
            [UInt8(0x45 + options.count / 4), random.byte()] + two(20 + options.count + payload.count) + random.bytes(2)
        bytes += two(fragment) + [random.pick(lives), next, 0, 0] + addresses + options + payload
        seal(&bytes)
        return bytes
    }

    static func six(_ random: inout FuzzRandom, depth: Int = 0) -> [UInt8] {
        var next = random.pick([6, 6, 6, 17, 17, 17, 58, 58, 58, 47] as [UInt8])
        var payload: [UInt8]
        if next == 58 {
            payload =
                random.happens(oneIn: 2) || depth > 0
                ? echo(random.pick([128, 129]), &random)
                : [random.pick([1, 2, 3, 4, 135, 200]), UInt8(random.below(8)), 0, 0] + random.bytes(4)
                    + quoted(six(&random, depth: depth + 1), &random)
        } else {
            payload = transport(next, &random)
        }
        let addresses = addresses6(&random)
        var bytes = [0x60 | random.byte() & 15] + random.bytes(3) + two(payload.count) + [next, random.pick(lives)]
        bytes += addresses + payload
        seal(&bytes)
        guard random.happens(oneIn: 5) else { return bytes }
        // Extension headers in front: hop-by-hop, routing, destination options, fragment.
        payload = Array(bytes[40...])
        for _ in 0...random.below(3) {
            let kind = random.pick([0, 43, 60, 44] as [UInt8])
            if kind == 44 {
                let place = random.happens(oneIn: 2) ? 0 : random.below(8192) * 8
                payload = [next, 0] + two(place | (random.happens(oneIn: 2) ? 1 : 0)) + random.bytes(4) + payload
            } else {
                let eights = random.below(3)
                payload = [next, UInt8(eights)] + random.bytes(6 + 8 * eights) + payload
            }
            next = kind
        }
        bytes.replaceSubrange(40..., with: payload)
        bytes[6] = next
        bytes.replaceSubrange(4..<6, with: two(payload.count))
        return bytes
    }

    /// Returns the packet that an ICMP error quotes, whole or truncated.
    private static func quoted(_ packet: [UInt8], _ random: inout FuzzRandom) -> [UInt8] {
        random.happens(oneIn: 3) ? Array(packet.prefix(random.below(packet.count + 1))) : packet
    }

    /// Returns source and destination; mostly those of a translated flow.
    private static func addresses4(_ random: inout FuzzRandom) -> [UInt8] {
        let ends = random.pick([
            (server4, pool4), (server4, pool4), (client4, server4), (server4, client4), (pool4, server4),
        ])
        return bytes(of: ends.0, &random) + bytes(of: ends.1, &random)
    }

    private static func bytes(of address: IPv4Address, _ random: inout FuzzRandom) -> [UInt8] {
        let value = random.happens(oneIn: 20) ? UInt32(truncatingIfNeeded: random.next()) : address.value
        return two(Int(value >> 16)) + two(Int(value & 0xffff))
    }

    private static func addresses6(_ random: inout FuzzRandom) -> [UInt8] {
        let server6 = embedded(server4)
        let ends = random.pick([
            (client6, server6), (client6, server6), (server6, client6), (client6, embedded(pool4)),
            (client6, embedded(client4)),
        ])
        return bytes(of: ends.0, &random) + bytes(of: ends.1, &random)
    }

    private static func bytes(of address: IPv6Address, _ random: inout FuzzRandom) -> [UInt8] {
        if random.happens(oneIn: 20) { return random.bytes(16) }
        var bytes: [UInt8] = []
        for half in [address.high, address.low] {
            for shift in [48, 32, 16, 0] as [UInt64] { bytes += two(Int(half >> shift & 0xffff)) }
        }
        return bytes
    }

    static func two(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }

    static func sum(_ bytes: ArraySlice<UInt8>) -> Int {
        var (total, isHigh) = (0, true)
        for byte in bytes {
            total += isHigh ? Int(byte) << 8 : Int(byte)
            isHigh.toggle()
        }
        while total > 0xffff { total = (total & 0xffff) + total >> 16 }
        return total
    }

    /// Returns the start of a packet's transport header, its protocol, and the sum of its pseudo-header; nil if it has
    /// no checksummed transport.
    private static func transport(of packet: [UInt8]) -> (begin: Int, next: UInt8, pseudo: Int)? {
        guard let first = packet.first else { return nil }
        if first >> 4 == 4, packet.count >= 20 {
            let header = Int(first & 15) * 4
            guard header >= 20, packet.count > header else { return nil }
            let next = packet[9]
            return (header, next, next == 1 ? 0 : sum(packet[12..<20]) + Int(next) + packet.count - header)
        }
        guard first >> 4 == 6, packet.count > 40 else { return nil }
        return (40, packet[6], sum(packet[8..<40]) + Int(packet[6]) + packet.count - 40)
    }

    /// Corrects the checksums of a packet without extension headers.
    static func seal(_ packet: inout [UInt8]) {
        if let first = packet.first, first >> 4 == 4 {
            let header = Int(first & 15) * 4
            guard header >= 20, packet.count >= header else { return }
            packet.replaceSubrange(10..<12, with: [0, 0])
            packet.replaceSubrange(10..<12, with: two(0xffff - sum(packet[..<header])))
        }
        guard let (begin, next, pseudo) = transport(of: packet) else { return }
        let place: Int
        switch next {
        case 6: place = begin + 16
        case 17: place = begin + 6
        case 1, 58: place = begin + 2
        default: return
        }
        guard packet.count >= place + 2 else { return }
        packet.replaceSubrange(place..<place + 2, with: [0, 0])
        var total = pseudo + sum(packet[begin...])
        while total > 0xffff { total = (total & 0xffff) + total >> 16 }
        packet.replaceSubrange(place..<place + 2, with: two(total == 0xffff && next == 17 ? 0xffff : 0xffff - total))
    }

    /// Protocols whose checksum is verified.
    private static let checkedProtocols: Set<UInt8> = [1, 6, 17, 58]

    /// Returns true if the packet is intact and the checksum of its transport was verified.
    static func isSealed(_ packet: [UInt8]) -> Bool {
        guard let next = transport(of: packet)?.next else { return false }
        return checkedProtocols.contains(next) && isIntact(packet)
    }

    /// Returns true if the stated length is correct and every checksum of a whole packet without extension headers is
    /// correct.
    static func isIntact(_ packet: [UInt8]) -> Bool {
        guard let (begin, next, pseudo) = transport(of: packet) else { return false }
        if begin == 40 {
            guard Int(packet[4]) << 8 | Int(packet[5]) == packet.count - 40 else { return false }
        } else {
            guard sum(packet[..<begin]) == 0xffff, Int(packet[2]) << 8 | Int(packet[3]) == packet.count else {
                return false
            }
        }
        guard checkedProtocols.contains(next) else { return true }
        var total = pseudo + sum(packet[begin...])
        while total > 0xffff { total = (total & 0xffff) + total >> 16 }
        return total == 0xffff
    }
}
