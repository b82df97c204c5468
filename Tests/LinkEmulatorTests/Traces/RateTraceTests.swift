import LinkEmulator
import Testing
import Units

@Suite struct RateTraceTests {
    @Test func `a trace is read in mahimahi's format`() throws {
        let trace = try RateTrace.parse("0\n0\n3\n3\r\n 12\t\n\n# a remark\n20\n", name: "up.trace")
        #expect(trace.name == "up.trace")
        #expect(trace.milliseconds == [0, 0, 3, 3, 12, 20])
        // Six packets of 12,000 bits in 20 ms.
        #expect(abs(trace.meanRate - 3_600_000) < 1e-6)
        #expect(try RateTrace.parse(trace.text, name: "up.trace") == trace)
    }

    @Test(arguments: [
        ("", RateTraceError.empty), ("\n# nothing\n", .empty), ("0\n0\n", .noLength),
        ("1\n2\n\n1\n", .notAscending(line: 4)), ("1\nx\n", .noNumber(line: 2, found: "x")),
        ("-1\n", .noNumber(line: 1, found: "-1")), ("+1\n", .noNumber(line: 1, found: "+1")),
        ("1.5\n", .noNumber(line: 1, found: "1.5")), ("1 2\n", .noNumber(line: 1, found: "1 2")),
        ("4294967296\n", .noNumber(line: 1, found: "4294967296")), ("٣\n", .noNumber(line: 1, found: "٣")),
    ])
    func `a text that is not a trace is refused with its line`(_ text: String, _ expected: RateTraceError) {
        #expect(throws: expected) { try RateTrace.parse(text, name: "t") }
        #expect(!expected.description.isEmpty)
    }

    @Test func `the highest stamp is read`() throws {
        #expect(try RateTrace.parse("4294967295", name: "t").milliseconds == [.max])
    }

    // For any bytes the reader returns a trace or an error, and every accepted trace satisfies the rules.
    @Test func `any text gives a valid trace or an error`() {
        var random = Wyrand(state: 11)
        let pieces = [
            "0", "7", "12", "99999999999", "\n", "\r\n", " ", "\t", "#", "-", "é", "\u{0}", "\n\n", "1\n2\n3",
        ]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            guard let trace = try? RateTrace.parse(text, name: "t") else { continue }
            #expect(trace.milliseconds == trace.milliseconds.sorted() && trace.milliseconds.last! > 0)
        }
    }
}

/// A seeded generator, so that a failure is reproducible.
private struct Wyrand: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0xA076_1D64_78BD_642F
        let product = state.multipliedFullWidth(by: state ^ 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low
    }
}

@Suite struct CellularTraceTests {
    private static let rate = BitRate(bitsPerSecond: 12_000_000)!

    private func gaps(_ trace: RateTrace, over milliseconds: UInt32) -> [UInt32] {
        zip([0] + trace.milliseconds, trace.milliseconds).map { $1 - $0 }.filter { $0 > milliseconds }
    }

    @Test(arguments: [0.0, 0.5, 0.9], [1, 2, 3] as [UInt64])
    func `the mean rate and the length are exact, including gaps`(_ variation: Double, _ seed: UInt64) throws {
        let shape = CellularShape(
            meanRate: Self.rate, variation: variation, outages: .init(every: .seconds(20), lasting: .seconds(2)),
            handovers: .init(every: .seconds(5), lasting: .milliseconds(80)))
        let trace = try #require(RateTrace.cellular(shape, seed: seed, name: "cell"))
        #expect(trace.milliseconds.last == 60_000 && trace.milliseconds.count == 60_000)
        #expect(trace.meanRate == 12_000_000)
    }

    @Test func `the same seed gives the same trace and another seed another`() {
        let shape = CellularShape(meanRate: Self.rate)
        let trace = RateTrace.cellular(shape, seed: 5, name: "cell")
        #expect(RateTrace.cellular(shape, seed: 5, name: "cell") == trace)
        #expect(RateTrace.cellular(shape, seed: 6, name: "cell") != trace)
        // The start of a trace made on another machine; a change here changes the networks of scenarios.
        #expect(trace?.milliseconds.prefix(8) == [2, 3, 5, 6, 7, 9, 10, 11])
    }

    @Test func `the rate varies as far as requested and no further`() throws {
        let trace = try #require(
            RateTrace.cellular(
                CellularShape(meanRate: Self.rate, duration: .seconds(300), variation: 0.6), seed: 9, name: "cell"))
        var perSecond = [Double](repeating: 0, count: 300)
        for stamp in trace.milliseconds { perSecond[min(299, Int(stamp) / 1000)] += 0.012 }
        // The middle of the walk is near the mean, 12 Mbit/s; its ends are 0.4 and 1.6 of the middle.
        #expect(perSecond.min()! > 12 * 0.35 && perSecond.max()! < 12 * 1.85)
        #expect(perSecond.min()! < 12 * 0.7 && perSecond.max()! > 12 * 1.3)
        // The rate changes slowly: a second is more like the next than like any other.
        let steps = zip(perSecond, perSecond.dropFirst()).map { abs($0 - $1) }.reduce(0, +) / 299
        let mean = perSecond.reduce(0, +) / 300
        let spread = perSecond.map { abs($0 - mean) }.reduce(0, +) / 300
        #expect(steps < spread)
    }

    @Test func `outages and handovers leave gaps of the requested lengths`() throws {
        let shape = CellularShape(
            meanRate: Self.rate, duration: .seconds(600), outages: .init(every: .seconds(40), lasting: .seconds(3)),
            handovers: .init(every: .seconds(10), lasting: .milliseconds(100)))
        let trace = try #require(RateTrace.cellular(shape, seed: 4, name: "cell"))
        let long = gaps(trace, over: 1000)
        let short = gaps(trace, over: 40).filter { $0 <= 1000 }
        #expect((9...22).contains(long.count) && long.allSatisfy { $0 <= 4700 })
        #expect((35...75).contains(short.count) && short.allSatisfy { $0 <= 170 })
        #expect(
            gaps(try #require(RateTrace.cellular(CellularShape(meanRate: Self.rate), seed: 4, name: "cell")), over: 20)
                .isEmpty)
    }

    @Test func `an impossible shape gives no trace`() {
        func make(_ change: (inout CellularShape) -> Void) -> RateTrace? {
            var shape = CellularShape(meanRate: Self.rate)
            change(&shape)
            return RateTrace.cellular(shape, seed: 1, name: "cell")
        }
        #expect(make { _ in } != nil)
        #expect(
            make { $0.variation = 1 } == nil && make { $0.variation = -0.1 } == nil
                && make { $0.variation = .nan } == nil)
        #expect(make { $0.duration = .zero } == nil && make { $0.duration = .seconds(3601) } == nil)
        #expect(make { $0.meanRate = BitRate(bitsPerSecond: 1)! } == nil)
        #expect(make { $0.meanRate = BitRate(bitsPerSecond: .max)! } == nil)
        #expect(make { $0.wandering = .zero } == nil)
        #expect(make { $0.outages = .init(every: .seconds(1), lasting: .seconds(1)) } == nil)
        #expect(make { $0.handovers = .init(every: .seconds(1), lasting: .zero) } == nil)
    }
}
