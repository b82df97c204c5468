import Foundation

/// The content of the kill sweep: task `n` transfers body `n`, which every process computes for itself.
enum SweepContent {
    /// Some servers cannot continue a download.
    static func permitsRanges(_ number: Int) -> Bool { number % 5 != 0 }
    static func isUpload(_ number: Int) -> Bool { number % 7 == 3 }

    /// A shifted, repeated or mixed part gives other bytes. One body in eight takes many packets and writes.
    static func body(_ number: Int) -> [UInt8] {
        var random = SplitMix(seed: UInt64(number))
        let length = random.below(number % 8 == 0 ? 2_000_000 : 100_000)
        var words = [UInt64]()
        words.reserveCapacity(length / 8 + 1)
        for _ in 0...(length / 8) { words.append(random.next()) }
        return unsafe words.withUnsafeBytes { unsafe Array($0.prefix(length)) }
    }
}
