import NIOCore

/// The bytes of one direction through a proxy: counted, stopped at exact positions, slowed down, and ended in order.
struct ProxyFlow {
    enum Next: Equatable {
        case nothing
        /// These bytes are forwarded now.
        case carry(ByteBuffer)
        /// This many bytes have been forwarded, and faults may happen here.
        case stop(Int64)
        /// Everything has been forwarded, and then the side ended.
        case end
        /// Nothing may be forwarded before this time.
        case wait(until: Int64)
    }

    private(set) var carried: Int64 = 0
    var waiting = ByteBuffer()
    /// True once the side that sends in this direction has ended.
    var hasEnded = false
    var isStalled = false
    /// True while it waits to be resumed.
    private(set) var isPaused = false
    var pausedUntil: Int64?
    var pace: Pace?
    /// Ascending.
    private var stops: [Int64]
    private var isEndReported = false

    init(stops: [Int64]) { self.stops = stops.sorted() }

    /// Replaces the stops; positions already passed are dropped.
    mutating func replace(stops: [Int64]) { self.stops = stops.filter { $0 >= carried }.sorted() }

    /// Pauses at this byte. After resuming, faults due at the same byte still apply.
    mutating func pause() {
        isPaused = true
        stops.insert(carried, at: 0)
    }

    mutating func resume() { isPaused = false }

    mutating func append(_ bytes: ByteBuffer) {
        if waiting.readableBytes == 0 {
            waiting = bytes
        } else {
            var bytes = bytes
            waiting.discardReadBytes()
            waiting.writeBuffer(&bytes)
        }
    }

    mutating func next(at now: Int64) -> Next {
        if isStalled || isPaused { return .nothing }
        if let until = pausedUntil {
            if now < until { return .wait(until: until) }
            pausedUntil = nil
        }
        if let stop = stops.first, stop <= carried {
            stops.removeAll { $0 == stop }
            return .stop(stop)
        }
        guard waiting.readableBytes > 0 else {
            guard hasEnded, !isEndReported else { return .nothing }
            isEndReported = true
            return .end
        }
        var count = waiting.readableBytes
        if let stop = stops.first { count = Int(min(Int64(count), stop - carried)) }
        if var pace {
            pace.forgetIdleTime(at: now)
            count = min(count, pace.pieceSize)
            let due = pace.due(after: count)
            self.pace = pace
            if now < due { return .wait(until: due) }
            self.pace?.spend(count)
        }
        guard let piece = waiting.readSlice(length: count) else { return .nothing }
        carried += Int64(count)
        return .carry(piece)
    }
}
