import Testing

@testable import GeneratedBodies

/// The definition, written for the tests alone: byte `n` is byte `n mod 8` of the SplitMix64 output (Steele, Lea, Flood
/// 2014) with the number `n / 8`, and a repeated line of 64 bytes has the bytes of the line that it repeats.
struct PatternBodyTests {
    private func defined(_ key: PatternBody.Key, _ offset: Int64) -> UInt8 {
        let line = offset / 64 / key.repeats
        let place = UInt64(line * 64 + offset % 64)
        var state = key.seed
        state &+= (place / 8 &+ 1) &* 0x9e37_79b9_7f4a_7c15
        state = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        state = (state ^ state >> 27) &* 0x94d0_49bb_1331_11eb
        state ^= state >> 31
        return UInt8(truncatingIfNeeded: state >> (place % 8 * 8))
    }

    private func defined(_ key: PatternBody.Key, from offset: Int64, count: Int) -> [UInt8] {
        (0..<Int64(count)).map { defined(key, offset + $0) }
    }

    /// The first outputs of the generator that its authors publish for the seed 1234567.
    @Test func `the words are those of SplitMix64`() {
        let bytes = PatternBody.bytes(key: PatternBody.Key(seed: 1_234_567), from: 0, count: 16)
        let words = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973] as [UInt64]
        #expect(bytes == words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } })
    }

    @Test func `every alignment and length is as defined`() {
        let key = PatternBody.key(path: "/big", version: 3)
        for from in Int64(0)..<16 {
            for count in 0..<200 {
                #expect(
                    PatternBody.bytes(key: key, from: from, count: count) == defined(key, from: from, count: count))
            }
        }
    }

    @Test(arguments: [2, 3, 1_000] as [Int64]) func `lines are repeated`(repeats: Int64) {
        let key = PatternBody.key(path: "/big", version: 3, repeats: repeats)
        for from in [0, 1, 63, 64, 127, 128, 191, 192, 5_000_000_003] as [Int64] {
            for count in [0, 1, 63, 64, 65, 1_000] {
                #expect(
                    PatternBody.bytes(key: key, from: from, count: count) == defined(key, from: from, count: count))
            }
        }
    }

    @Test func `offsets beyond 32 bits are as defined`() {
        let key = PatternBody.key(path: "/big", version: 1)
        #expect(
            PatternBody.bytes(key: key, from: 5_000_000_003, count: 100)
                == defined(key, from: 5_000_000_003, count: 100))
    }

    @Test func `paths and versions have different bytes`() {
        let keys = [("/a", 1), ("/a", 2), ("/b", 1)].map { PatternBody.key(path: $0.0, version: $0.1) }
        #expect(Set(keys.map { PatternBody.bytes(key: $0, from: 0, count: 8) }).count == 3)
    }
}
