/// The lab's position-dependent body: each byte is a function of resource, version and offset, so that a repeat, a gap or a splice
/// is located to the byte.
package enum PatternBody {
    /// FNV-1a of the path, salted with the version.
    package static func key(path: String, version: UInt64) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ (version &* 0x9e37_79b9_7f4a_7c15)
        for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return hash
    }
    /// Each aligned group of eight bytes is one mixed counter (SplitMix64), little-endian.
    package static func byte(key: UInt64, at offset: Int64) -> UInt8 {
        UInt8(truncatingIfNeeded: word(key: key, index: UInt64(bitPattern: offset) >> 3) >> ((UInt64(bitPattern: offset) & 7) << 3))
    }
    package static func bytes(key: UInt64, from offset: Int64, count: Int) -> [UInt8] {
        (0..<Int64(count)).map { byte(key: key, at: offset + $0) }
    }
    private static func word(key: UInt64, index: UInt64) -> UInt64 {
        var z = key &+ (index &+ 1) &* 0x9e37_79b9_7f4a_7c15
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
