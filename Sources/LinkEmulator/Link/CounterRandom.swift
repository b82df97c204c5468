/// A random number generator without state: each draw is a function of seed, stream, packet index and purpose.
///
/// A packet that needs no jitter draw, or a probe between two packets, therefore never shifts the decision about a
/// later packet.
package struct CounterRandom: Hashable, Sendable {
    /// The decision that a draw is for; two purposes never share a number.
    package enum Purpose: UInt64, Hashable, Sendable, CaseIterable {
        case loss = 1
        case lossState, duplicate, reorder, corrupt, corruptPosition, jitter, filter
    }

    private let first: UInt64
    private let second: UInt64

    package init(seed: UInt64, stream: UInt64) {
        first = Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
        second = Self.mix(first ^ Self.mix(stream &+ 0xD1B5_4A32_D192_ED03))
    }

    /// Returns 64 uniformly distributed bits.
    @inline(__always)
    package func bits(_ purpose: Purpose, _ index: UInt64) -> UInt64 {
        // Two full mixes: the first spreads the index over the word, the second separates purposes and streams.
        let spread = Self.mix(second &+ index &* 0x9E37_79B9_7F4A_7C15)
        return Self.mix(spread ^ (first &+ purpose.rawValue &* 0xC2B2_AE3D_27D4_EB4F))
    }

    /// Returns a uniformly distributed number in 0 ..< 1, in steps of 2⁻⁵³.
    @inline(__always)
    package func unit(_ purpose: Purpose, _ index: UInt64) -> Double {
        Double(bits(purpose, index) >> 11) * 0x1p-53
    }

    /// Returns true for this share of all packets; 0 means never and 1 always.
    @inline(__always)
    package func happens(_ share: Double, _ purpose: Purpose, _ index: UInt64) -> Bool {
        share > 0 && unit(purpose, index) < share
    }

    /// The finaliser of SplitMix64 (Stafford's variant 13): each input bit flips each output bit about half the time.
    @inline(__always)
    package static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
