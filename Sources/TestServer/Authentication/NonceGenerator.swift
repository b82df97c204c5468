/// SplitMix64: derives the server's random values from the run's seed.
struct NonceGenerator {
    var state: UInt64

    /// Returns 128 bits as text.
    mutating func next() -> String { Hexadecimal.text(bytes(16)) }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let word = word()
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        }
        return Array(bytes.prefix(count))
    }

    private mutating func word() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
