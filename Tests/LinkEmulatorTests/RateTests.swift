import LinkEmulator
import Testing

/// A packet released by a link: its index, its due time, and the corrupted bit.
struct Arrival: Hashable {
    var index: UInt64
    var planned: LinkTime
    var damagedByte: Int?
}

/// Offers packets of the given lengths at the given times and releases everything.
struct LinkRun: ~Copyable {
    var link: LinkDirection
    private(set) var arrivals: [Arrival] = []
    private(set) var lateDrops: [LateDrop] = []
    private(set) var replay = ReplayedDecisions()
    private(set) var log: [String] = []

    init(_ parameters: LinkParameters, seed: UInt64 = 1) {
        link = LinkDirection(seed: seed, stream: 1, parameters: parameters)
    }

    @discardableResult
    mutating func offer(_ length: Int, at moment: LinkTime) -> PacketFate {
        let packet = [UInt8](repeating: 0x5A, count: length)
        let fate = link.offer(packet.span, at: moment)
        note(PacketDecision(fate))
        return fate
    }

    mutating func change(to parameters: LinkParameters, at moment: LinkTime) {
        for fate in link.change(to: parameters, at: moment) { note(PacketDecision(fate)) }
    }

    mutating func release(upTo moment: LinkTime) {
        var released: [Arrival] = []
        var drops: [LateDrop] = []
        link.release(upTo: moment, dropped: { _, drop in drops.append(drop) }) { bytes, info in
            let damaged = bytes.indices.first { bytes[$0] != 0x5A }
            released.append(Arrival(index: info.index, planned: info.planned, damagedByte: damaged))
        }
        arrivals += released
        lateDrops += drops
        for drop in drops { note(drop.decision) }
    }

    /// Sleeps and wakes as a caller does, until nothing is left.
    mutating func finish() {
        while let next = link.nextRelease { release(upTo: next) }
    }

    private mutating func note(_ decision: PacketDecision) {
        replay.add(decision)
        log.append(decision.line)
    }
}

/// Returns a time in microseconds.
func us(_ microseconds: Int64) -> LinkTime { LinkTime(nanoseconds: microseconds * 1000) }

// Times are computed by hand or by a second, simpler model; each must be exact to the nanosecond.
@Suite struct RateTests {
    // 8 Mbit/s are 1 µs per byte, and a bucket of 3,000 bytes fills in 3 ms.
    private static let bucket = LinkParameters(rate: .bucket(bitsPerSecond: 8_000_000, burstBytes: 3000))

    @Test func `a bucket lets its burst pass at once and then limits the rate`() {
        var run = LinkRun(Self.bucket)
        for _ in 0..<6 { run.offer(1000, at: ms(10)) }
        run.finish()
        #expect(run.arrivals.map(\.planned) == [ms(10), ms(10), ms(10), ms(11), ms(12), ms(13)])
    }

    @Test func `a bucket saves unused capacity up to its size`() {
        var run = LinkRun(Self.bucket)
        for _ in 0..<3 { run.offer(1000, at: ms(0)) }
        // 1.5 ms later 1,500 bytes have been saved; a second packet lacks 500.
        for _ in 0..<2 { run.offer(1000, at: us(1500)) }
        for _ in 0..<4 { run.offer(1000, at: ms(1000)) }
        run.finish()
        #expect(
            run.arrivals.map(\.planned) == [
                ms(0), ms(0), ms(0), us(1500), ms(2), ms(1000), ms(1000), ms(1000), ms(1001),
            ])
    }

    @Test func `a packet longer than the bucket waits for the rest`() {
        var run = LinkRun(LinkParameters(rate: .bucket(bitsPerSecond: 8_000_000, burstBytes: 400)))
        #expect(run.offer(1000, at: ms(5)).outcome == .delivered(releaseAt: us(5600)))
    }

    @Test func `a burst does not count for the measured rate`() {
        var run = LinkRun(Self.bucket)
        for _ in 0..<50 { run.offer(1000, at: ms(0)) }
        run.finish()
        #expect(run.link.finishMeasurement(at: ms(100)).busyBitsPerSecond == 8_000_000)
    }

    // mahimahi's packet-delivery traces

    @Test func `small packets share an opportunity, and a long one continues in the next`() {
        var run = LinkRun(LinkParameters(rate: .trace(milliseconds: [2, 5, 5, 9])))
        for length in [500, 500, 1000, 1500, 100] { run.offer(length, at: us(100)) }
        run.finish()
        // 2 ms: 500 + 500 + 500 of 1000; 5 ms: the other 500 + 1000 of 1500; 5 ms: 500 + 100.
        #expect(run.arrivals.map(\.planned) == [ms(2), ms(2), ms(5), ms(5), ms(5)])
    }

    @Test func `an opportunity without a packet is lost, including one at the time of arrival`() {
        var run = LinkRun(LinkParameters(rate: .trace(milliseconds: [1, 4, 10])))
        run.offer(100, at: us(1500))
        run.offer(100, at: ms(4))
        run.offer(100, at: ms(25))
        run.offer(100, at: ms(1_000_000))
        run.finish()
        #expect(run.arrivals.map(\.planned) == [ms(4), ms(10), ms(30), ms(1_000_001)])
    }

    @Test func `a change of another parameter keeps the position in the trace, a new trace starts at its beginning`() {
        let trace = LinkEffect.Rate.trace(milliseconds: [3, 10])
        var run = LinkRun(LinkParameters(rate: trace))
        run.change(to: LinkParameters(rate: trace, delayNanoseconds: 1_000_000), at: ms(11))
        #expect(run.offer(1500, at: ms(11)).outcome == .delivered(releaseAt: ms(14)))
        run.change(to: LinkParameters(rate: .trace(milliseconds: [6])), at: ms(15))
        #expect(run.offer(1500, at: ms(15)).outcome == .delivered(releaseAt: ms(21)))
    }

    @Test func `packets of an earlier rate leave before the first of a trace`() {
        var run = LinkRun(LinkParameters(rate: .constant(bitsPerSecond: 8000)))
        run.offer(10, at: ms(0))
        run.change(to: LinkParameters(rate: .trace(milliseconds: [1])), at: ms(2))
        #expect(run.offer(10, at: ms(2)).outcome == .delivered(releaseAt: ms(11)))
    }

    @Test func `a link that goes down frees the opportunities of its lost packets`() {
        let parameters = LinkParameters(rate: .trace(milliseconds: [1]))
        var run = LinkRun(parameters)
        for _ in 0..<500 { run.offer(1500, at: ms(0)) }
        var unplugged = parameters
        unplugged.isUp = false
        run.change(to: unplugged, at: ms(10))
        run.change(to: parameters, at: ms(11))
        #expect(run.offer(1500, at: us(11_500)).outcome == .delivered(releaseAt: ms(12)))
    }

    /// mahimahi's link queue, one opportunity at a time.
    private static func plainModel(_ stamps: [UInt32], _ packets: [(length: Int, at: Int64)]) -> [Int64] {
        var finished: [Int64] = []
        var waiting: [(length: Int, at: Int64)] = []
        var coming = packets[...]
        var round: Int64 = 0
        while true {
            for stamp in stamps {
                let moment = (round + Int64(stamp)) * 1_000_000
                while let next = coming.first, next.at < moment { waiting.append(coming.removeFirst()) }
                var left = 1500
                while left > 0, !waiting.isEmpty {
                    let sent = min(left, waiting[0].length)
                    left -= sent
                    waiting[0].length -= sent
                    if waiting[0].length == 0 {
                        waiting.removeFirst()
                        finished.append(moment)
                    }
                }
                if coming.isEmpty, waiting.isEmpty { return finished }
            }
            round += Int64(stamps[stamps.count - 1])
        }
    }

    @Test(arguments: [LinkEffect.Queue.Discipline.dropTail, .headDrop])
    func `a trace carries packets as mahimahi does`(_ discipline: LinkEffect.Queue.Discipline) {
        var random = TestRandom(77)
        for _ in 0..<60 {
            var stamp: UInt32 = 0
            let stamps = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                stamp += UInt32.random(in: 0...6, using: &random)
                return stamp
            }
            guard stamp > 0 else { continue }
            var moment: Int64 = 0
            let packets = (0..<80).map { _ in
                moment += Int64.random(in: 0...4, using: &random) * 500_000
                return (length: Int.random(in: 1...2000, using: &random), at: moment)
            }
            var run = LinkRun(LinkParameters(rate: .trace(milliseconds: stamps), discipline: discipline))
            for packet in packets { run.offer(packet.length, at: LinkTime(nanoseconds: packet.at)) }
            run.finish()
            let isSame = run.arrivals.map(\.planned.nanoseconds) == Self.plainModel(stamps, packets)
            #expect(isSame, "\(stamps)")
        }
    }

    @Test func `over a long time a trace gives its mean rate`() {
        // 7 opportunities in 10 ms are 8.4 Mbit/s; a backlog of 1,400 packets takes two seconds.
        var run = LinkRun(LinkParameters(rate: .trace(milliseconds: [1, 1, 2, 5, 5, 8, 10]), queuePackets: 2000))
        for _ in 0..<1400 { run.offer(1500, at: ms(0)) }
        run.finish()
        #expect(run.arrivals.last?.planned == ms(2000))
    }
}
