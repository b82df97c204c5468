import NIOCore
import ScenarioLanguage

/// Writes `PatternBody` one word at a time; `PatternBody.byte` remains the definition, and the tests compare the two.
enum PatternFiller {
    static func append(key: PatternBody.Key, from offset: Int64, count: Int, to buffer: inout ByteBuffer) {
        guard count > 0 else { return }
        buffer.reserveCapacity(minimumWritableBytes: count)
        guard key.repeats > 1 else { return append(key.seed, offset, count, &buffer) }
        var at = offset
        let end = offset + Int64(count)
        while at < end {
            let source = key.source(of: at)
            let piece = min(source.left, Int(end - at))
            append(key.seed, source.offset, piece, &buffer)
            at += Int64(piece)
        }
    }

    private static func append(_ key: UInt64, _ offset: Int64, _ count: Int, _ buffer: inout ByteBuffer) {
        var at = offset
        let end = offset + Int64(count)
        while at < end, at & 7 != 0 { byte() }
        var index = UInt64(bitPattern: at) >> 3
        while end - at >= 64 {
            buffer.writeMultipleIntegers(
                word(key, index), word(key, index &+ 1), word(key, index &+ 2), word(key, index &+ 3),
                word(key, index &+ 4),
                word(key, index &+ 5), word(key, index &+ 6), word(key, index &+ 7), endianness: .little)
            index &+= 8
            at += 64
        }
        while end - at >= 8 {
            buffer.writeInteger(word(key, index), endianness: .little)
            index &+= 1
            at += 8
        }
        while at < end { byte() }

        func byte() {
            buffer.writeInteger(PatternBody.byte(key: PatternBody.Key(seed: key), at: at))
            at += 1
        }
    }

    /// SplitMix64 (Steele, Lea, Flood 2014), as `PatternBody` uses it.
    @inline(__always)
    private static func word(_ key: UInt64, _ index: UInt64) -> UInt64 {
        var z = key &+ (index &+ 1) &* 0x9e37_79b9_7f4a_7c15
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
