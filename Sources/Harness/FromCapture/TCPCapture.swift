import InternetAddresses
import LinkEmulator

/// A TCP segment of a capture.
struct CapturedSegment: Hashable, Sendable {
    var time: Int64
    var sequence: UInt32
    var acknowledgement: UInt32
    var flags: TCPHeader.Flags
    /// The captured part of the data.
    var data: ArraySlice<UInt8>
    /// The number of bytes of data that the segment had; more than `data` if the capture has a snap length.
    var count: Int
    /// Bytes of layer 3.
    var length: Int
    var isFromClient: Bool
}

/// The segments of one TCP connection in the order of the capture.
struct CapturedConnection: Hashable, Sendable {
    var client: SocketAddress
    var server: SocketAddress
    var segments: [CapturedSegment] = []

    /// The times of the handshake: the SYN that got a reply, the reply, and the client's acknowledgement; nil if the
    /// capture lacks one of them.
    private var handshake: (syn: Int64, reply: Int64, end: Int64)? {
        guard let reply = segments.firstIndex(where: { !$0.isFromClient && $0.flags.isSuperset(of: [.syn, .ack]) }),
            let syn = segments[..<reply].last(where: {
                $0.isFromClient && $0.flags.contains(.syn) && $0.sequence &+ 1 == segments[reply].acknowledgement
            }),
            let end = segments[reply...].first(where: { $0.isFromClient && $0.flags.contains(.ack) })
        else { return nil }
        return (syn.time, segments[reply].time, end.time)
    }

    /// The whole round trip, wherever between the two sides the capture was made.
    var roundTrip: Int64? { handshake.map { $0.end - $0.syn } }
    /// The part of the round trip between the place of the capture and the server.
    var roundTripToServer: Int64? { handshake.map { $0.reply - $0.syn } }

    /// Returns the connections of a capture; times count from its first packet.
    static func all(in packets: [CapturedPacket]) -> [CapturedConnection] {
        var connections: [CapturedConnection] = []
        var open: [Set<SocketAddress>: Int] = [:]
        let origin = packets.map(\.time).min() ?? 0
        for packet in packets.sorted(by: { $0.time < $1.time }) {
            guard let (source, destination, found) = parse(packet, since: origin) else { continue }
            var segment = found
            let pair: Set = [source, destination]
            let isSYN = segment.flags.contains(.syn) && !segment.flags.contains(.ack)
            let isReused = open[pair].map { isSYN && connections[$0].isReused(by: segment) } ?? true
            if isReused {
                open[pair] = connections.count
                let isClient = isSYN || (!segment.flags.contains(.syn) && source.port > destination.port)
                connections.append(
                    CapturedConnection(client: isClient ? source : destination, server: isClient ? destination : source)
                )
            }
            guard let index = open[pair] else { continue }
            segment.isFromClient = source == connections[index].client
            connections[index].segments.append(segment)
        }
        return connections
    }

    /// True if a SYN begins another connection with the same ports, and is not the first one's again.
    private func isReused(by syn: CapturedSegment) -> Bool {
        segments.contains { !$0.flags.contains(.syn) } && segments.first?.sequence != syn.sequence
    }

    private static func parse(
        _ packet: CapturedPacket, since origin: Int64
    ) -> (SocketAddress, SocketAddress, CapturedSegment)? {
        let bytes = Array(packet.bytes)
        let payload: Range<Int>
        let length: Int
        let addresses: (IPAddress, IPAddress)
        // A snap length cuts packets like the quotation in an ICMP error.
        switch bytes.first.map({ $0 >> 4 }) {
        case 4:
            guard let header = try? IPv4Header(bytes.span, isQuoted: true), header.payloadProtocol == .tcp,
                !header.isFragment
            else { return nil }
            (payload, length, addresses) = (
                header.payload, header.totalLength, (.v4(header.source), .v4(header.destination))
            )
        case 6:
            guard let header = try? IPv6Header(bytes.span, isQuoted: true), header.payloadProtocol == .tcp,
                header.fragment == nil
            else { return nil }
            (payload, length) = (header.payload, IPv6Header.length + header.payloadLength)
            addresses = (.v6(header.source), .v6(header.destination))
        default: return nil
        }
        guard let tcp = try? TCPHeader(Array(bytes[payload]).span) else { return nil }
        let start = payload.lowerBound + tcp.headerLength
        let segment = CapturedSegment(
            time: packet.time - origin, sequence: tcp.sequence, acknowledgement: tcp.acknowledgement, flags: tcp.flags,
            data: bytes[start..<payload.upperBound], count: max(0, length - start), length: length, isFromClient: false)
        return (
            SocketAddress(addresses.0, port: tcp.sourcePort), SocketAddress(addresses.1, port: tcp.destinationPort),
            segment
        )
    }
}

/// The bytes of one direction of a connection, in order and with the times of their arrival.
struct CapturedStream: Sendable {
    private(set) var bytes: [UInt8] = []
    private var arrivals: [(end: Int, time: Int64)] = []
    /// Bytes of layer 3 of the segments with new data.
    private(set) var pieces: [CapturedTransfer.Piece] = []

    /// A segment further ahead belongs to another connection or is damaged.
    private static let window = 16 << 20

    init(_ segments: some Sequence<CapturedSegment>) {
        var next: UInt32?
        var highest: Int64 = 0
        var waiting: [Int: CapturedSegment] = [:]
        for segment in segments {
            if segment.flags.contains(.syn) {
                next = next ?? segment.sequence &+ 1
                continue
            }
            // A probe of an idle connection repeats the byte before the next one.
            guard segment.count > 0 else { continue }
            let start = next ?? segment.sequence
            next = start
            let distance = Int(Int32(bitPattern: segment.sequence &- start &- UInt32(truncatingIfNeeded: bytes.count)))
            let offset = bytes.count + distance
            guard distance < Self.window, offset + segment.count > bytes.count else { continue }
            if Int64(offset + segment.count) > highest {
                highest = Int64(offset + segment.count)
                pieces.append(CapturedTransfer.Piece(time: segment.time, bytes: Int64(segment.length)))
            }
            if distance > 0 {
                if (waiting[offset]?.count ?? 0) < segment.count { waiting[offset] = segment }
                continue
            }
            append(segment, from: -distance, at: segment.time)
            takeWaiting(&waiting, at: segment.time)
        }
        // What the capture lacks becomes zeros, so that what follows keeps its place.
        for (offset, segment) in waiting.sorted(by: { $0.key < $1.key }) {
            let missing = max(0, offset - bytes.count)
            bytes += Array(repeating: 0, count: missing)
            append(segment, from: max(0, bytes.count - offset), at: segment.time)
        }
    }

    private mutating func takeWaiting(_ waiting: inout [Int: CapturedSegment], at time: Int64) {
        while let offset = waiting.keys.filter({ $0 <= bytes.count }).min() {
            guard let segment = waiting.removeValue(forKey: offset) else { return }
            append(segment, from: bytes.count - offset, at: time)
        }
    }

    private mutating func append(_ segment: CapturedSegment, from skipped: Int, at time: Int64) {
        guard skipped < segment.count else { return }
        bytes += segment.data.dropFirst(skipped)
        bytes += Array(repeating: 0, count: segment.count - max(skipped, segment.data.count))
        arrivals.append((bytes.count, time))
    }

    /// Returns the time at which the byte at this offset had arrived.
    func time(of offset: Int) -> Int64 {
        var (low, high) = (0, arrivals.count)
        while low < high {
            let middle = (low + high) / 2
            if arrivals[middle].end > offset { high = middle } else { low = middle + 1 }
        }
        return arrivals[min(low, arrivals.count - 1)].time
    }

    /// Returns the number of bytes that had arrived before this time.
    func count(before time: Int64) -> Int { arrivals.last { $0.time < time }?.end ?? 0 }
}
