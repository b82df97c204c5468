/// The running figures of the current measurement interval.
struct LinkInterval: Sendable {
    private var start: LinkTime
    private var packets: UInt64 = 0
    private var lost: UInt64 = 0
    private var delivered: UInt64 = 0
    private var deliveredBytes: UInt64 = 0
    private var late: UInt64 = 0
    private var delay = LogLinearHistogram()
    private var lateness = LogLinearHistogram()
    private var busyBytes: UInt64 = 0
    private var busyNanoseconds: Int64 = 0
    private var previousSequence: UInt64?
    private var previousRelease: Int64 = 0

    init(start: LinkTime) { self.start = start }

    var delays: LogLinearHistogram { delay }

    @inline(__always)
    mutating func countOffer(_ count: UInt64 = 1) { packets &+= count }
    @inline(__always)
    mutating func countLoss(_ count: UInt64 = 1) { lost &+= count }

    @inline(__always)
    mutating func countRelease(_ packet: InFlightPacket, segments: UInt64, wireBytes: Int, at now: Int64, isLate: Bool)
    {
        delivered &+= segments
        deliveredBytes &+= UInt64(wireBytes)
        if isLate { late &+= segments }
        delay.record(now &- packet.arrival)
        lateness.record(now &- packet.planned)
        // The gap between two back-to-back packets is the actual transmission time of the second one.
        if packet.isBackToBack, let previousSequence, previousSequence &+ 1 == packet.sequence {
            busyBytes &+= UInt64(wireBytes)
            busyNanoseconds &+= now &- previousRelease
        }
        previousSequence = packet.sequence
        previousRelease = now
    }

    mutating func finish(at now: LinkTime) -> LinkMeasurement {
        let measurement = LinkMeasurement(
            start: start, end: now, packets: packets, lost: lost, delivered: delivered, deliveredBytes: deliveredBytes,
            delay: LinkMeasurement.Spread(delay), lateness: LinkMeasurement.Spread(lateness), late: late,
            busyBitsPerSecond: busyNanoseconds > 0 ? Double(busyBytes) * 8e9 / Double(busyNanoseconds) : nil)
        start = now
        packets = 0
        lost = 0
        delivered = 0
        deliveredBytes = 0
        late = 0
        delay.reset()
        lateness.reset()
        busyBytes = 0
        busyNanoseconds = 0
        // The first release of the new interval does not have a predecessor in it.
        previousSequence = nil
        return measurement
    }
}
