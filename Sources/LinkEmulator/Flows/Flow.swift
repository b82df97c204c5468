/// One TCP connection across the interface, as far as an observer on the path can know its state.
struct Flow {
    enum State: Hashable {
        /// From the SYN on.
        case open
        /// Both ends have sent and acknowledged a FIN, or one has sent a RST.
        case closed
        /// All its packets are dropped.
        case killed(ConnectionKill)
    }

    /// The traffic sent by one end.
    struct Side {
        /// The initial sequence number; nil until the SYN was seen.
        var initialSequence: UInt32?
        /// The number after the highest byte sent; nil before the first segment.
        var nextSequence: UInt32?
        /// The last number it has acknowledged, which is the one it expects next.
        var acknowledged: UInt32?
        /// The number after its FIN.
        var finEnd: UInt32?
        var isFinAcknowledged = false
        /// Bytes of layer 3.
        var bytes: Int64 = 0
    }

    var key: FlowKey
    /// The number of the connection in the order of the SYNs, from 1; 0 for a connection whose beginning was not seen.
    var number: Int
    var state = State.open
    var client = Side()
    var origin = Side()
    /// Neighbours in the table's list of flows in the same state.
    var previous: Int32 = -1
    var next: Int32 = -1

    subscript(_ direction: LinkDirectionName) -> Side {
        get {
            switch direction {
            case .uplink: client
            case .downlink: origin
            }
        }
        _modify {
            switch direction {
            case .uplink: yield &client
            case .downlink: yield &origin
            }
        }
    }

    /// Records a segment; returns true if it ended the connection.
    mutating func note(_ segment: FlowPacket.Segment, _ direction: LinkDirectionName, bytes: Int) -> Bool {
        self[direction].bytes += Int64(bytes)
        if segment.flags.contains(.rst) { return state == .open }
        if segment.flags.contains(.syn) { self[direction].initialSequence = segment.sequence }
        if let furthest = self[direction].nextSequence {
            if segment.end.isAfter(furthest) { self[direction].nextSequence = segment.end }
        } else {
            self[direction].nextSequence = segment.end
        }
        if segment.flags.contains(.fin) { self[direction].finEnd = segment.end }
        if segment.flags.contains(.ack) {
            let number = segment.acknowledgement
            if let last = self[direction].acknowledged {
                if number.isAfter(last) { self[direction].acknowledged = number }
            } else {
                self[direction].acknowledged = number
            }
            if let end = self[direction.opposite].finEnd, !end.isAfter(number) {
                self[direction.opposite].isFinAcknowledged = true
            }
        }
        return state == .open && client.isFinAcknowledged && origin.isFinAcknowledged
    }

    /// Returns true if this SYN begins another connection between the same two ports.
    func isSuperseded(by segment: FlowPacket.Segment, _ direction: LinkDirectionName) -> Bool {
        guard segment.flags.contains(.syn), !segment.flags.contains(.ack) else { return false }
        switch state {
        case .closed: return true
        case .open, .killed:
            // A retransmitted SYN has the number of the first. A SYN from the other end may be a simultaneous open (RFC
            // 9293 §3.5).
            guard let known = self[direction].initialSequence else { return self[direction].nextSequence != nil }
            return known != segment.sequence
        }
    }
}

extension UInt32 {
    /// Returns true if this sequence number follows `other`, modulo 2³² (RFC 9293 §3.4).
    func isAfter(_ other: UInt32) -> Bool { Int32(bitPattern: self &- other) > 0 }
}
