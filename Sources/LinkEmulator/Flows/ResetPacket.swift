/// Builds RST segments that appear to come from the other end of a connection.
enum ResetPacket {
    /// Returns the RST sent in reply to `segment` as if its connection did not exist (RFC 9293 §3.5.3, group 1); nil
    /// for a RST, which never gets a reply.
    static func answering(_ segment: FlowPacket.Segment, _ direction: LinkDirectionName) -> [UInt8]? {
        if segment.flags.contains(.rst) { return nil }
        let from = segment.key.sender(direction.opposite)
        let to = segment.key.sender(direction)
        if segment.flags.contains(.ack) {
            return make(from: from, to: to, sequence: segment.acknowledgement, acknowledges: nil)
        }
        return make(from: from, to: to, sequence: 0, acknowledges: segment.end)
    }

    /// Returns the RSTs that end the connection for the end that sends packets in `direction`.
    ///
    /// A receiver accepts a RST only with exactly the sequence number it expects next (RFC 5961 §3.2). That is the
    /// number it acknowledged last, unless more data has reached it since. In that case it is at most the end of the
    /// data that the other side has sent; in between, the receiver answers the second RST with an ACK of the exact
    /// number, which `answering` then uses. An end that has not acknowledged anything yet waits for a SYN-ACK, and
    /// accepts a RST that acknowledges its SYN.
    static func ending(_ flow: Flow, forSenderOf direction: LinkDirectionName) -> [[UInt8]] {
        let receiver = flow[direction]
        let from = flow.key.sender(direction.opposite)
        let to = flow.key.sender(direction)
        guard let expected = receiver.acknowledged else {
            if let own = receiver.nextSequence { return [make(from: from, to: to, sequence: 0, acknowledges: own)] }
            // The other end has sent nothing. If the SYN has reached it, its reply will meet the cut.
            guard let sent = flow[direction.opposite].nextSequence else { return [] }
            return [make(from: from, to: to, sequence: sent, acknowledges: nil)]
        }
        var packets = [make(from: from, to: to, sequence: expected, acknowledges: nil)]
        if let sent = flow[direction.opposite].nextSequence, sent.isAfter(expected) {
            packets.append(make(from: from, to: to, sequence: sent, acknowledges: nil))
        }
        return packets
    }

    private static func make(
        from source: FlowEndpoint, to destination: FlowEndpoint, sequence: UInt32, acknowledges number: UInt32?
    ) -> [UInt8] {
        let length = TCPHeader.minimumLength
        var bytes: [UInt8] = []
        bytes.reserveCapacity(IPv6Header.length + length)
        var sum = InternetChecksum()
        if let from = source.address.four, let to = destination.address.four {
            bytes.appendIPv4Header(
                trafficClass: 0, totalLength: IPv4Header.minimumLength + length, identification: 0, dontFragment: true,
                timeToLive: 64, .tcp, from: from, to: to)
            sum.addPseudoHeader(from, to, .tcp, length: length)
        } else {
            bytes.appendIPv6Header(
                trafficClass: 0, payloadLength: length, .tcp, hopLimit: 64, from: source.address.six,
                to: destination.address.six)
            sum.addPseudoHeader(source.address.six, destination.address.six, .tcp, length: length)
        }
        let start = bytes.count
        bytes.append16(source.port)
        bytes.append16(destination.port)
        bytes.append32(sequence)
        bytes.append32(number ?? 0)
        let flags: TCPHeader.Flags = number == nil ? .rst : [.rst, .ack]
        bytes.append16(5 << 12 | UInt16(flags.rawValue))
        // The window, the checksum (filled in below) and the urgent pointer.
        bytes.append32(0)
        bytes.append16(0)
        sum.add(bytes.span.extracting(start..<bytes.count))
        bytes.set16(sum.value, at: start + 16)
        return bytes
    }
}
