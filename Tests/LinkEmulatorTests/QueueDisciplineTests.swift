import LinkEmulator
import Testing

@Suite struct QueueDisciplineTests {
    private static let rates: [LinkEffect.Rate?] = [
        nil, .constant(bitsPerSecond: 7_000_003), .bucket(bitsPerSecond: 8_000_000, burstBytes: 5000),
        .trace(milliseconds: [0, 1, 1, 4, 9]),
    ]

    /// Returns bursts and pauses, about as fast as the rates above.
    private static func traffic(_ count: Int, seed: UInt64) -> [(length: Int, at: LinkTime)] {
        var random = TestRandom(seed)
        var moment: Int64 = 0
        return (0..<count).map { _ in
            if Int.random(in: 0..<4, using: &random) == 0 { moment += Int64.random(in: 0...6_000_000, using: &random) }
            return (Int.random(in: 40...1500, using: &random), LinkTime(nanoseconds: moment))
        }
    }

    // A queue that never overflows drops nothing, so departures at its head must match the times that drop-tail
    // computes in advance.
    @Test(arguments: rates)
    func `without an overflow every discipline gives the same times`(_ rate: LinkEffect.Rate?) {
        func run(_ discipline: LinkEffect.Queue.Discipline) -> [Arrival] {
            var run = LinkRun(
                LinkParameters(
                    rate: rate,
                    promotion: LinkEffect.Promotion(delayNanoseconds: 3_000_000, tailNanoseconds: 4_000_000),
                    queuePackets: 100_000, discipline: discipline, delayNanoseconds: 700_000,
                    jitter: LinkEffect.Jitter(amountNanoseconds: 500_000), duplicate: 0.1, reorder: 0.1))
            for (length, moment) in Self.traffic(2000, seed: 5) { run.offer(length, at: moment) }
            run.finish()
            return run.arrivals
        }
        let plain = run(.dropTail)
        #expect(plain.count > 2000)
        let head = run(.headDrop)
        let codel = run(.codel(targetNanoseconds: 3_000_000_000_000, intervalNanoseconds: 3_000_000_000_000))
        let areSame = head == plain && codel == plain
        #expect(areSame)
    }

    // The caller may poll whenever something is due, or once at the end.
    @Test(
        arguments: [
            LinkEffect.Queue.Discipline.headDrop, .codel(targetNanoseconds: 2_000_000, intervalNanoseconds: 20_000_000),
        ],
        rates)
    func `the result does not depend on how often the caller polls`(
        _ discipline: LinkEffect.Queue.Discipline, _ rate: LinkEffect.Rate?
    ) {
        func run(looking: Bool) -> LinkRun {
            var run = LinkRun(
                LinkParameters(
                    rate: rate,
                    promotion: LinkEffect.Promotion(delayNanoseconds: 3_000_000, tailNanoseconds: 2_000_000),
                    queueBytes: 12_000, discipline: discipline, delayNanoseconds: 700_000, duplicate: 0.1))
            for (length, moment) in Self.traffic(3000, seed: 8) {
                while looking, let next = run.link.nextRelease, next <= moment { run.release(upTo: next) }
                run.offer(length, at: moment)
            }
            run.finish()
            return run
        }
        let seldom = run(looking: false)
        let often = run(looking: true)
        #expect(seldom.arrivals == often.arrivals)
        #expect(seldom.lateDrops == often.lateDrops)
        #expect(rate == nil || !seldom.lateDrops.isEmpty)
        let counters = seldom.link.counters
        #expect(counters.offered + counters.duplicated == counters.delivered + counters.dropped)
        #expect(often.link.counters.dropped == counters.dropped)
    }

    // Head drop

    @Test func `head drop keeps the newest packets`() {
        // 1 ms for each packet; one is being sent, three wait.
        var run = LinkRun(
            LinkParameters(rate: .constant(bitsPerSecond: 8_000_000), queuePackets: 4, discipline: .headDrop))
        let fates = (0..<7).map { _ in run.offer(1000, at: ms(0)) }
        #expect(fates.allSatisfy { $0.outcome == .queued })
        run.finish()
        #expect(run.arrivals.map(\.index) == [1, 5, 6, 7])
        #expect(run.arrivals.map(\.planned) == [ms(1), ms(2), ms(3), ms(4)])
        #expect(run.lateDrops.map(\.index) == [2, 3, 4])
        #expect(run.lateDrops.allSatisfy { $0.reason == .queueFull && $0.arrival == ms(0) && $0.dropped == ms(0) })
        #expect(run.link.counters.droppedQueueFull == 3)
        #expect(run.link.finishMeasurement(at: ms(10)).lost == 3)
    }

    @Test func `head drop in bytes drops as many packets as the new one needs`() {
        var run = LinkRun(
            LinkParameters(rate: .constant(bitsPerSecond: 8_000_000), queueBytes: 3000, discipline: .headDrop))
        for length in [1000, 500, 500, 500, 1500] { run.offer(length, at: ms(0)) }
        // Even an empty queue cannot hold the packet behind the one being sent.
        #expect(run.offer(2001, at: ms(0)).outcome == .dropped(.queueFull))
        run.finish()
        #expect(run.lateDrops.map(\.index) == [2, 3])
        #expect(run.arrivals.map(\.index) == [1, 4, 5])
    }

    @Test func `waiting packets leave at the new rate when it changes, and are lost when the link goes down`() {
        let slow = LinkParameters(rate: .constant(bitsPerSecond: 8000), discipline: .headDrop)
        var run = LinkRun(slow)
        for _ in 0..<3 { run.offer(1000, at: ms(0)) }
        run.change(to: LinkParameters(rate: .constant(bitsPerSecond: 8_000_000)), at: ms(10))
        // The queue is drained in order although the new discipline would not require it.
        run.offer(1000, at: ms(10))
        run.finish()
        #expect(run.arrivals.map(\.planned) == [ms(1000), ms(1001), ms(1002), ms(1003)])
        run.change(to: slow, at: ms(2000))
        for _ in 0..<3 { run.offer(1000, at: ms(2000)) }
        #expect(run.link.inFlight == 3)
        let lost = run.link.change(to: .down, at: ms(2500))
        #expect(lost.map(\.index) == [5, 6, 7] && lost.allSatisfy { $0.outcome == .dropped(.down) })
        #expect(run.link.inFlight == 0 && run.link.nextRelease == nil)
        run.change(to: LinkParameters(discipline: .headDrop), at: ms(2600))
        #expect(run.offer(1000, at: ms(2600)).outcome == .delivered(releaseAt: ms(2600)))
    }

    @Test func `a queue that loses its rate empties at once`() {
        var run = LinkRun(LinkParameters(rate: .trace(milliseconds: [50]), discipline: .headDrop))
        for _ in 0..<3 { run.offer(1500, at: ms(0)) }
        run.change(to: .perfect, at: ms(60))
        run.finish()
        #expect(run.arrivals.map(\.planned) == [ms(50), ms(60), ms(60)])
    }

    @Test func `the depth counts packets that wait and those being sent`() {
        for discipline in [LinkEffect.Queue.Discipline.dropTail, .headDrop] {
            var run = LinkRun(LinkParameters(rate: .constant(bitsPerSecond: 8_000_000), discipline: discipline))
            for _ in 0..<5 { run.offer(1000, at: ms(0)) }
            #expect(run.link.queueDepth(at: us(2500)) == (3, 3000))
            #expect(run.link.queueDepth(at: ms(5)) == (0, 0))
        }
    }

    // CoDel: 1,000 packets per second, which should not wait much longer than 5 ms.

    private struct Waits {
        var sorted: [Int64] = []
        var dropShare = 0.0
        var median: Int64 { sorted[sorted.count / 2] }
        var upper: Int64 { sorted[sorted.count * 9 / 10] }
    }

    /// Sends `perSecond` packets per second over a link of 1,000 per second; returns the waits of those released after
    /// `since`.
    private func overload(_ discipline: LinkEffect.Queue.Discipline, perSecond: Int64, seconds: Int64, since: Int64)
        -> Waits
    {
        var link = LinkDirection(
            seed: 1, stream: 1,
            parameters: LinkParameters(rate: .constant(bitsPerSecond: 400_000), discipline: discipline))
        let packet = [UInt8](repeating: 0, count: 50)
        var waits = Waits()
        for number in 0..<perSecond * seconds {
            let now = LinkTime(nanoseconds: number * 1_000_000_000 / perSecond)
            link.offer(packet.span, at: now)
            link.release(upTo: now) { _, info in
                if info.planned > ms(since * 1000) { waits.sorted.append(info.planned - info.arrival) }
            }
        }
        waits.sorted.sort()
        waits.dropShare = Double(link.counters.dropped) / Double(link.counters.offered)
        return waits
    }

    // RFC 8289 §4.4: the target is the wait that a standing queue may have. 5 % excess traffic that never slows down
    // fills a tail-drop queue completely (1,000 packets, one second); CoDel finds the drop frequency that keeps the
    // wait near 5 ms.
    @Test func `under sustained overload CoDel keeps the wait near its target`() {
        let tail = overload(.dropTail, perSecond: 1050, seconds: 30, since: 15)
        #expect(tail.median > 900_000_000)
        let codel = overload(.codel, perSecond: 1050, seconds: 30, since: 15)
        #expect(codel.median < 20_000_000, "median \(codel.median)")
        #expect(codel.upper < 60_000_000, "90 % \(codel.upper)")
        // It drops the excess and the line stays busy.
        #expect(abs(codel.dropShare - 50.0 / 1050) < 0.01, "dropped \(codel.dropShare)")
    }

    @Test func `CoDel passes a burst that drains within an interval`() {
        var run = LinkRun(LinkParameters(rate: .constant(bitsPerSecond: 8_000_000), discipline: .codel))
        for burst in 0..<20 as Range<Int64> {
            for _ in 0..<80 { run.offer(1000, at: ms(burst * 200)) }
        }
        run.finish()
        #expect(run.lateDrops.isEmpty && run.arrivals.count == 1600)
    }

    // A packet takes 125 ms, so each waits far above the target; but only one is ever behind it, and a drop would idle
    // the line.
    @Test func `on a slow line CoDel never drops the last packet behind another`() {
        var run = LinkRun(LinkParameters(rate: .constant(bitsPerSecond: 64_000), discipline: .codel))
        run.offer(1000, at: ms(0))
        for number in 0..<40 as Range<Int64> { run.offer(1000, at: ms(number * 125 + (number == 0 ? 0 : -65))) }
        run.finish()
        #expect(run.lateDrops.isEmpty && run.arrivals.count == 41)
        #expect(run.arrivals.last?.planned == ms(41 * 125))
    }

    // The first drop comes one interval after the wait first exceeded the target, the next 100 ms/√1, /√2, /√3 … later
    // (RFC 8289 §5.5), each at the next departure.
    @Test func `CoDel's drops accelerate with the square root of their number`() {
        var run = LinkRun(
            LinkParameters(rate: .constant(bitsPerSecond: 8_000_000), queuePackets: 5000, discipline: .codel))
        for _ in 0..<2000 { run.offer(1000, at: ms(0)) }
        run.finish()
        // Packet 5 is the first to have waited 5 ms.
        var expected = [105.0, 205.0]
        for count in 2...12 { expected.append(expected[expected.count - 1] + 100 / Double(count).squareRoot()) }
        for (drop, expected) in zip(run.lateDrops, expected) {
            let at = Double(drop.dropped.nanoseconds) / 1e6
            #expect(drop.reason == .codel)
            #expect(at >= expected - 0.01 && at < expected + 1.01, "at \(at), expected \(expected)")
        }
        #expect(run.lateDrops.count > 12)
        #expect(run.link.counters.droppedCodel == UInt64(run.lateDrops.count))
    }
}
