import LinkEmulator
import Testing

@Suite struct CounterRandomTests {
    // 100,000 draws into 256 cells: 390 expected in each, far above the 5 that χ² requires.
    @Test(arguments: CounterRandom.Purpose.allCases)
    func `each purpose is uniform`(_ purpose: CounterRandom.Purpose) {
        let random = CounterRandom(seed: 7, stream: 3)
        var cells = [Double](repeating: 0, count: 256)
        let draws = 100_000
        for index in 0..<draws { cells[Int(random.unit(purpose, UInt64(index)) * 256)] += 1 }
        let expected = Double(draws) / 256
        let chiSquare = cells.reduce(0) { $0 + ($1 - expected) * ($1 - expected) / expected }
        #expect(Bounds.chiSquare(degrees: 255).contains(chiSquare), "χ² \(chiSquare)")
    }

    // A 16 × 16 table of 40,000 pairs; 156 expected in each cell, 255 degrees of freedom as both margins are known.
    private func chiSquareOfPairs(_ pair: (UInt64) -> (Double, Double)) -> Double {
        var cells = [Double](repeating: 0, count: 256)
        let draws = 40_000
        for index in 0..<draws {
            let (left, right) = pair(UInt64(index))
            cells[Int(left * 16) * 16 + Int(right * 16)] += 1
        }
        let expected = Double(draws) / 256
        return cells.reduce(0) { $0 + ($1 - expected) * ($1 - expected) / expected }
    }

    @Test func `two purposes of one packet are independent`() {
        let random = CounterRandom(seed: 11, stream: 0)
        let purposes = CounterRandom.Purpose.allCases
        for (position, left) in purposes.enumerated() {
            for right in purposes[(position + 1)...] {
                let value = chiSquareOfPairs { (random.unit(left, $0), random.unit(right, $0)) }
                #expect(Bounds.chiSquare(degrees: 255).contains(value), "\(left) and \(right): χ² \(value)")
            }
        }
    }

    @Test func `neighbouring packets, streams and seeds are independent`() {
        let random = CounterRandom(seed: 5, stream: 0)
        let otherStream = CounterRandom(seed: 5, stream: 1)
        let otherSeed = CounterRandom(seed: 6, stream: 0)
        let probes = CounterRandom(seed: 5, stream: ~0)
        let bounds = Bounds.chiSquare(degrees: 255)
        #expect(bounds.contains(chiSquareOfPairs { (random.unit(.loss, $0), random.unit(.loss, $0 + 1)) }))
        #expect(bounds.contains(chiSquareOfPairs { (random.unit(.loss, $0), otherStream.unit(.loss, $0)) }))
        #expect(bounds.contains(chiSquareOfPairs { (random.unit(.loss, $0), otherSeed.unit(.loss, $0)) }))
        #expect(bounds.contains(chiSquareOfPairs { (random.unit(.loss, $0), probes.unit(.loss, $0)) }))
    }

    // A record contains only seed and index, so the function must never change. The numbers were computed by a second
    // implementation.
    @Test func `the numbers never change`() {
        let random = CounterRandom(seed: 1, stream: 2)
        #expect([random.bits(.loss, 0), random.bits(.loss, 1), random.bits(.jitter, 0)] == Self.golden)
    }
    private static let golden: [UInt64] = [
        1_991_925_866_540_827_924, 7_179_795_526_374_274_903, 7_359_548_451_425_982_920,
    ]

    @Test func `shares of 0 and 1 mean never and always`() {
        let random = CounterRandom(seed: 1, stream: 2)
        let indexes = 0..<10_000 as Range<UInt64>
        #expect(!indexes.contains { random.happens(0, .loss, $0) })
        #expect(indexes.allSatisfy { random.happens(1, .loss, $0) })
    }
}
