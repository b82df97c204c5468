/// The fields of a packet that filters and the flow table examine.
struct FlowPacket {
    struct Segment {
        var key: FlowKey
        var flags: TCPHeader.Flags
        var sequence: UInt32
        var acknowledgement: UInt32
        var payloadLength: Int

        /// The sequence number after this segment; SYN and FIN take one each (RFC 9293 §3.4).
        var end: UInt32 {
            sequence &+ UInt32(truncatingIfNeeded: payloadLength) &+ (flags.contains(.syn) ? 1 : 0)
                &+ (flags.contains(.fin) ? 1 : 0)
        }
    }

    var length: Int
    var payloadProtocol: IPProtocol
    var originAddress: FlowAddress
    /// nil for protocols without ports, and for later fragments.
    var originPort: UInt16?
    /// nil for everything but TCP, and for later fragments.
    var segment: Segment?

    /// Parses a packet; nil if the bytes are not an IP packet.
    init?(_ bytes: Span<UInt8>, _ direction: LinkDirectionName) {
        guard let packet = try? IPPacket(bytes) else { return nil }
        length = bytes.count
        payloadProtocol = packet.payloadProtocol
        let (source, destination): (FlowAddress, FlowAddress) =
            switch packet {
            case .v4(let header): (FlowAddress(header.source), FlowAddress(header.destination))
            case .v6(let header): (FlowAddress(header.source), FlowAddress(header.destination))
            }
        let isUp = direction == .uplink
        originAddress = isUp ? destination : source
        guard packet.hasTransportHeader else { return }
        let payload = bytes.extracting(packet.payload)
        if packet.payloadProtocol == .tcp, let tcp = try? TCPHeader(payload) {
            let from = FlowEndpoint(address: source, port: tcp.sourcePort)
            let to = FlowEndpoint(address: destination, port: tcp.destinationPort)
            originPort = isUp ? tcp.destinationPort : tcp.sourcePort
            segment = Segment(
                key: isUp ? FlowKey(client: from, origin: to) : FlowKey(client: to, origin: from), flags: tcp.flags,
                sequence: tcp.sequence, acknowledgement: tcp.acknowledgement,
                payloadLength: payload.count - tcp.headerLength)
        } else if packet.payloadProtocol == .udp, let udp = try? UDPHeader(payload) {
            originPort = isUp ? udp.destinationPort : udp.sourcePort
        }
    }
}
