import Foundation

/// The content of the kill sweep: task `n` transfers body `n`, which every process computes for itself.
enum SweepContent {
    /// Some servers cannot continue a download.
    static func permitsRanges(_ number: Int) -> Bool { number % 5 != 0 }
    static func isUpload(_ number: Int) -> Bool { number % 7 == 3 }

    /// A shifted, repeated or mixed part gives other bytes. One body in eight takes many packets and writes.
    static func body(_ number: Int) -> [UInt8] {
        var random = SweepRandom(seed: UInt64(number))
        let length = random.below(number % 8 == 0 ? 2_000_000 : 100_000)
        var words = [UInt64]()
        words.reserveCapacity(length / 8 + 1)
        for _ in 0...(length / 8) { words.append(random.next()) }
        return unsafe words.withUnsafeBytes { unsafe Array($0.prefix(length)) }
    }
}

/// SplitMix64.
struct SweepRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
