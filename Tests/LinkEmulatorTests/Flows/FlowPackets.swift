import InternetAddresses
import LinkEmulator

/// Segments of one connection as its two ends would send them, written without the code under test.
struct FlowPackets {
    var isSix = false
    var clientPort = 40_000
    var originPort = 443

    static let client4 = IPv4Address("192.0.2.2")!
    static let origin4 = IPv4Address("203.0.113.10")!
    static let client6 = IPv6Address("2001:db8:1::2")!
    static let origin6 = IPv6Address("2001:db8:113::10")!

    /// Returns a segment.
    ///
    /// - Parameter options: words of TCP options, a multiple of four bytes.
    func segment(
        _ direction: LinkDirectionName, _ flags: TCPHeader.Flags, seq: UInt32, ack: UInt32 = 0, data: Int = 0,
        options: [UInt8] = []
    ) -> [UInt8] {
        let ports = direction == .uplink ? (clientPort, originPort) : (originPort, clientPort)
        var bytes = SamplePackets.two(ports.0) + SamplePackets.two(ports.1)
        for number in [seq, ack] { for shift in [24, 16, 8, 0] { bytes.append(UInt8(number >> UInt32(shift) & 255)) } }
        bytes +=
            [UInt8((5 + options.count / 4) << 4), flags.rawValue] + SamplePackets.two(64_240) + [0, 0, 0, 0] + options
        bytes += [UInt8](repeating: 0x5A, count: data)
        if isSix {
            let ends = direction == .uplink ? (Self.client6, Self.origin6) : (Self.origin6, Self.client6)
            return SamplePackets.v6(ends.0, ends.1, 6, bytes)
        }
        let ends = direction == .uplink ? (Self.client4, Self.origin4) : (Self.origin4, Self.client4)
        return SamplePackets.v4(ends.0, ends.1, 6, bytes)
    }

    /// Returns a gate with the settings of a test.
    static func tracker(
        up: [PacketRule] = [], down: [PacketRule] = [], tracks: Bool = true, breakpoints: [LinkBreakpoint] = [],
        mostConnections: Int = 65_536
    ) -> ConnectionTracker {
        var tracker = ConnectionTracker(
            seed: 7, stream: 0, tracks: tracks, breakpoints: breakpoints,
            near: .init(four: IPv4Address("192.0.2.1")!, six: IPv6Address("2001:db8:1::1")!),
            far: .init(four: client4, six: client6), mostConnections: mostConnections)
        tracker.set(up: up, down: down)
        return tracker
    }
}

extension ConnectionTracker {
    mutating func verdict(_ packet: [UInt8], _ direction: LinkDirectionName = .uplink, index: UInt64 = 0) -> FlowVerdict
    {
        verdict(packet.span, direction, index: index)
    }

    /// Judges packets in order, the n-th of a direction with index n; returns the verdicts.
    mutating func judgeAll(_ packets: [(LinkDirectionName, [UInt8])]) -> [FlowVerdict] {
        var next: [LinkDirectionName: UInt64] = [:]
        return packets.map { direction, packet in
            defer { next[direction, default: 0] += 1 }
            return verdict(packet.span, direction, index: next[direction] ?? 0)
        }
    }

    /// Passes SYN, SYN-ACK and ACK through the gate.
    mutating func connect(_ flow: FlowPackets, client: UInt32 = 1000, origin: UInt32 = 5000) {
        _ = judgeAll([
            (.uplink, flow.segment(.uplink, .syn, seq: client)),
            (.downlink, flow.segment(.downlink, [.syn, .ack], seq: origin, ack: client &+ 1)),
            (.uplink, flow.segment(.uplink, .ack, seq: client &+ 1, ack: origin &+ 1)),
        ])
    }
}

/// The fields of a RST, with every checksum verified.
struct ResetSeen: Hashable {
    var from: Int
    var to: Int
    var sequence: UInt32
    var acknowledgement: UInt32?

    init?(_ packet: [UInt8]) {
        guard SamplePackets.isIntact(packet) else { return nil }
        let tcp = Array(packet[(packet[0] >> 4 == 4 ? 20 : 40)...])
        guard tcp.count == 20, tcp[13] == 4 || tcp[13] == 20 else { return nil }
        func word(_ at: Int) -> UInt32 { tcp[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        from = Int(tcp[0]) << 8 | Int(tcp[1])
        to = Int(tcp[2]) << 8 | Int(tcp[3])
        sequence = word(4)
        acknowledgement = tcp[13] == 20 ? word(8) : nil
    }
}
