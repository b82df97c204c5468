import LinkEmulator
import Testing

@Suite struct OutageScheduleTests {
    private static func windows(_ pairs: (Int64, Int64)...) -> LinkEffect.Outages {
        .windows(
            pairs.map {
                LinkEffect.Outages.Window(fromNanoseconds: $0.0 * 1_000_000, lastingNanoseconds: $0.1 * 1_000_000)
            })
    }

    @Test func `windows drop exactly the packets within them, counted from the start of the pattern`() {
        var run = LinkRun(.perfect)
        let windows = Self.windows((0, 2), (5, 1), (6, 1), (20, 10))
        run.change(to: LinkParameters(outages: windows), at: ms(100))
        let out = (0..<40 as Range<Int64>).filter { run.offer(10, at: ms(100 + $0)).outcome == .dropped(.outage) }
        #expect(out == [0, 1, 5, 6] + Array(20..<30))
        #expect(run.link.counters.droppedOutage == 14)
        // A change of another parameter does not restart them.
        run.change(to: LinkParameters(delayNanoseconds: 1, outages: windows), at: ms(200))
        #expect(!run.offer(10, at: ms(200)).isDropped)
    }

    @Test func `many windows are evaluated as correctly as one`() {
        let pairs = (0..<1000 as Range<Int64>).map {
            LinkEffect.Outages.Window(fromNanoseconds: $0 * 10_000_000 + 3_000_000, lastingNanoseconds: 2_000_000)
        }
        var run = LinkRun(LinkParameters(outages: .windows(pairs)))
        let wrong = (0..<10_000 as Range<Int64>).count { moment in
            run.offer(1, at: ms(moment)).isDropped != ((3..<5).contains(moment % 10))
        }
        #expect(wrong == 0)
    }
}
