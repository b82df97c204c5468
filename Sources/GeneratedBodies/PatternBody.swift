import Units

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

    /// Returns the bytes from `offset` on. Each aligned group of eight is one mixed counter (SplitMix64), little-endian.
    package static func bytes(key: Key, from offset: Int64, count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            unsafe fill(UnsafeMutableRawBufferPointer(buffer.extracting(0..<count)), key: key, from: offset)
            filled = count
        }
    }

    /// Writes the bytes from `offset` on until the target is full.
    package static func fill(_ target: UnsafeMutableRawBufferPointer, key: Key, from offset: Int64) {
        guard key.repeats > 1 else { return unsafe fill(target, seed: key.seed, from: offset) }
        var place = 0
        while place < target.count {
            let source = key.source(of: offset + Int64(place))
            let end = min(place + source.left, target.count)
            unsafe fill(
                UnsafeMutableRawBufferPointer(rebasing: target[place..<end]), seed: key.seed, from: source.offset)
            place = end
        }
    }

    /// Mixes a word once for its eight bytes.
    private static func fill(_ target: UnsafeMutableRawBufferPointer, seed: UInt64, from offset: Int64) {
        var place = 0
        while place < target.count {
            let at = UInt64(bitPattern: offset + Int64(place))
            let bytes = word(key: seed, index: at >> 3)
            if at & 7 == 0, target.count - place >= 8 {
                unsafe target.storeBytes(of: bytes.littleEndian, toByteOffset: place, as: UInt64.self)
                place += 8
            } else {
                unsafe target[place] = UInt8(truncatingIfNeeded: bytes >> ((at & 7) << 3))
                place += 1
            }
        }
    }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    private static func word(key: UInt64, index: UInt64) -> UInt64 {
        var z = key &+ (index &+ 1) &* 0x9e37_79b9_7f4a_7c15
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
