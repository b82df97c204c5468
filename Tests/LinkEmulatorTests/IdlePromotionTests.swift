import LinkEmulator
import Testing

@Suite struct IdlePromotionTests {
    private static let promotion = LinkEffect.Promotion(delayNanoseconds: 200_000_000, tailNanoseconds: 5_000_000_000)

    @Test func `the first packet waits for the radio, later ones only until it is awake`() {
        var run = LinkRun(LinkParameters(promotion: Self.promotion, delayNanoseconds: 10_000_000))
        for moment in [0, 50, 150, 200, 300] as [Int64] { run.offer(100, at: ms(moment)) }
        run.finish()
        #expect(run.arrivals.map(\.planned) == [ms(210), ms(210), ms(210), ms(210), ms(310)])
    }

    @Test func `after the tail it sleeps again, counted from the last packet or the end of its transmission`() {
        var run = LinkRun(LinkParameters(promotion: Self.promotion))
        for moment in [0, 5199, 10_199, 15_198] as [Int64] { run.offer(100, at: ms(moment)) }
        run.finish()
        // The first leaves at 200 ms, so at 5,199 ms the radio is still awake; 5,000 ms later it has just fallen
        // asleep.
        #expect(run.arrivals.map(\.planned) == [ms(200), ms(5199), ms(10_399), ms(15_198)])
        // One packet takes a second at this rate: the tail begins at 1,200 ms.
        run = LinkRun(LinkParameters(rate: .constant(bitsPerSecond: 8000), promotion: Self.promotion))
        run.offer(1000, at: ms(0))
        run.offer(1000, at: ms(6199))
        run.offer(1000, at: ms(12_199))
        run.finish()
        #expect(run.arrivals.map(\.planned) == [ms(1200), ms(7199), ms(13_399)])
    }

    @Test func `a lost packet does not wake the radio`() {
        var run = LinkRun(LinkParameters(promotion: Self.promotion, loss: .packets([1])))
        run.offer(100, at: ms(0))
        run.offer(100, at: ms(150))
        run.finish()
        #expect(run.arrivals.map(\.planned) == [ms(350)])
    }

    @Test func `a probe neither wakes the radio nor keeps it awake, and waits only with traffic`() {
        var run = LinkRun(LinkParameters(rate: .constant(bitsPerSecond: 8_000_000), promotion: Self.promotion))
        let probe = [UInt8](repeating: 0, count: 1000)
        #expect(run.link.offerProbe(probe.span, at: ms(0)).outcome == .delivered(releaseAt: ms(1)))
        #expect(run.offer(1000, at: ms(10)).outcome == .delivered(releaseAt: ms(211)))
        #expect(run.link.offerProbe(probe.span, at: ms(20)).outcome == .delivered(releaseAt: ms(212)))
        #expect(run.link.offerProbe(probe.span, at: ms(4000)).outcome == .delivered(releaseAt: ms(4001)))
        #expect(run.offer(1000, at: ms(5211)).outcome == .delivered(releaseAt: ms(5412)))
    }

    @Test func `packets waiting for the radio fill the queue`() {
        var run = LinkRun(LinkParameters(promotion: Self.promotion, queuePackets: 3))
        let fates = (0..<5).map { run.offer(100, at: ms($0)) }
        #expect(fates.map(\.isDropped) == [false, false, false, true, true])
        #expect(!run.offer(100, at: ms(200)).isDropped)
        run = LinkRun(LinkParameters(promotion: Self.promotion, queuePackets: 3, discipline: .headDrop))
        for number in 0..<5 as Range<Int64> { run.offer(100, at: ms(number)) }
        run.finish()
        #expect(run.arrivals.map(\.index) == [3, 4, 5] && run.arrivals.allSatisfy { $0.planned == ms(200) })
    }
}
