/// SplitMix64: the input with a given number is the same on every machine.
struct FuzzRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64, number: UInt64) {
        state = seed &* 0x9e37_79b9_7f4a_7c15 ^ number &* 0xd1b5_4a32_d192_ed03
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(bound)) >> 32) }
    mutating func happens(oneIn share: Int) -> Bool { below(share) == 0 }
    mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }
    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 32) }
    mutating func word() -> UInt16 { UInt16(truncatingIfNeeded: next() >> 32) }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var left: UInt64 = 0
        return (0..<count).map { index in
            if index & 7 == 0 { left = next() }
            defer { left >>= 8 }
            return UInt8(truncatingIfNeeded: left)
        }
    }

    /// Changes, inserts, removes or truncates a few bytes: nearly correct input reaches more code than noise.
    mutating func damage(_ bytes: inout [UInt8], within reach: Int = .max) {
        for _ in 0...below(4) {
            guard !bytes.isEmpty else { return }
            let place = below(min(bytes.count, reach))
            switch below(8) {
            case 0: bytes[place] = byte()
            case 1: bytes[place] ^= 1 << UInt8(below(8))
            case 2: bytes[place] = pick([0, 1, 0x7f, 0x80, 0xfe, 0xff])
            case 3: bytes.removeLast(below(bytes.count) + (happens(oneIn: 4) ? 1 : 0))
            case 4: bytes.insert(byte(), at: place)
            case 5: bytes.remove(at: place)
            case 6: bytes.append(contentsOf: self.bytes(below(32)))
            case _:
                let end = min(place + 1 + below(8), bytes.count)
                bytes.replaceSubrange(place..<end, with: [UInt8](repeating: pick([0, 0xff]), count: end - place))
            }
        }
    }
}
