/// A position-dependent body: each byte is a function of resource, version and offset, so that a repeat, a gap or a
/// splice can be located to the byte.
package enum PatternBody {
    package struct Key: Hashable, Sendable {
        package var seed: UInt64
        /// The number of times each line is repeated in a row. 1: the bytes do not compress; more: they compress by
        /// about this factor.
        package var repeats: Int64 = 1

        package init(seed: UInt64, repeats: Int64 = 1) {
            self.seed = seed
            self.repeats = repeats
        }

        /// Returns the offset that this one repeats, and the number of bytes from there to the end of the line.
        package func source(of offset: Int64) -> (offset: Int64, left: Int) {
            let place = offset % PatternBody.line
            return (offset / PatternBody.line / repeats * PatternBody.line + place, Int(PatternBody.line - place))
        }
    }

    /// The number of bytes that are repeated together.
    package static let line: Int64 = 64

    /// Returns the FNV-1a hash of the path, salted with the version.
    package static func key(path: String, version: UInt64, repeats: Int64 = 1) -> Key {
        Key(seed: UInt64(fnv1a: path, salt: version &* 0x9e37_79b9_7f4a_7c15), repeats: repeats)
    }
    /// Returns one byte. Each aligned group of eight bytes is one mixed counter (SplitMix64), little-endian.
    package static func byte(key: Key, at offset: Int64) -> UInt8 {
        let offset = key.repeats == 1 ? offset : key.source(of: offset).offset
        return UInt8(
            truncatingIfNeeded: word(key: key.seed, index: UInt64(bitPattern: offset) >> 3)
                >> ((UInt64(bitPattern: offset) & 7) << 3))
    }
    package static func bytes(key: Key, from offset: Int64, count: Int) -> [UInt8] {
        guard key.repeats == 1 else { return (0..<Int64(count)).map { byte(key: key, at: offset + $0) } }
        // A word is mixed once for its eight bytes: downloads are judged byte by byte.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var left: UInt64 = 0
        for at in (0..<Int64(count)).lazy.map({ UInt64(bitPattern: offset + $0) }) {
            if at & 7 == 0 || bytes.isEmpty { left = word(key: key.seed, index: at >> 3) >> ((at & 7) << 3) }
            bytes.append(UInt8(truncatingIfNeeded: left))
            left >>= 8
        }
        return bytes
    }
    private static func word(key: UInt64, index: UInt64) -> UInt64 {
        var z = key &+ (index &+ 1) &* 0x9e37_79b9_7f4a_7c15
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
