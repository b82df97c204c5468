/// The digest of NTLM's passwords (RFC 1320). OpenSSL 3 provides it only in its legacy provider, a file that some
/// distributions package separately from the library, so NTLM would fail there.
package enum MD4 {
    package static func digest(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        let bits = UInt64(message.count) &* 8
        padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
        for start in stride(from: 0, to: padded.count, by: 64) {
            let words = (0..<16).map { index in
                (0..<4).reduce(UInt32(0)) { $0 | UInt32(padded[start + index * 4 + $1]) << ($1 * 8) }
            }
            mix(words, into: &state)
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    private static func mix(_ words: [UInt32], into state: inout [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        func turn(_ value: UInt32, _ by: UInt32) -> UInt32 { value << by | value >> (32 - by) }
        for step in 0..<48 {
            let mixed: UInt32
            let shift: UInt32
            let column = step % 4
            switch step / 16 {
            case 0:
                mixed = (b & c | ~b & d) &+ words[step]
                shift = [3, 7, 11, 19][column]
            case 1:
                mixed = (b & c | b & d | c & d) &+ words[column * 4 + step % 16 / 4] &+ 0x5a82_7999
                shift = [3, 5, 9, 13][column]
            default:
                mixed =
                    (b ^ c ^ d) &+ words[[0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15][step % 16]]
                    &+ 0x6ed9_eba1
                shift = [3, 9, 11, 15][column]
            }
            (a, b, c, d) = (d, turn(a &+ mixed, shift), b, c)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
    }
}
