import LinkEmulator
import Testing

@Suite struct LogLinearHistogramTests {
    // Magnitudes from nanoseconds to half an hour, against the exact rank of the sorted values.
    @Test func `percentiles are accurate to 0·8 percent at every magnitude`() {
        var random = TestRandom(8)
        var histogram = LogLinearHistogram()
        var values: [Int64] = []
        for _ in 0..<20_000 {
            let value = Int64(random.next() >> UInt64.random(in: 23...63, using: &random))
            values.append(value)
            histogram.record(value)
        }
        values.sort()
        for share in [0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1] {
            let exact = values[Int((share * Double(values.count)).rounded(.up)) - 1]
            let found = histogram.percentile(share) ?? -1
            #expect(abs(Double(found - exact)) <= 0.008 * Double(exact) + 0.5, "\(share): \(found), exactly \(exact)")
        }
        #expect(histogram.min == values.first && histogram.max == values.last)
    }

    @Test func `a constant is reported exactly`() {
        var histogram = LogLinearHistogram()
        for _ in 0..<10 { histogram.record(20_000_001) }
        #expect(histogram.percentile(0.5) == 20_000_001)
        #expect(histogram.percentile(0.99) == 20_000_001)
        #expect(histogram.mean == 20_000_001)
    }

    @Test func `an empty histogram returns nil, and a reset empties it`() {
        var histogram = LogLinearHistogram()
        #expect(histogram.percentile(0.5) == nil && histogram.mean == nil)
        histogram.record(.max)
        histogram.record(-5)
        #expect(histogram.max == .max && histogram.min == 0)
        histogram.reset()
        #expect(histogram.count == 0 && histogram.percentile(0.5) == nil)
    }
}
