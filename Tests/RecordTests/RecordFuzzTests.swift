import AdapterProtocol
import Testing

@testable import Record

/// Tests with damaged records. A record may come from a full disk, another version or another program: every line gives
/// an entry, a note or an error, and an entry that was read can be written and read again. The seed is fixed, so that a
/// failure is reproducible.
@Suite struct RecordFuzzTests {
    private struct Random {
        var state: UInt64
        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
    }

    private static let words: [[UInt8]] = [
        "null", "true", "-1", "1e400", "9223372036854775808", "-9223372036854775808", "\"\"", "[]", "{}", "1.5",
        "\"v\":2,", "\\u0000", "\\ud800",
        "\n", ",", "}", "[[[[",
    ].map { Array($0.utf8) }

    private static func damage(_ line: [UInt8], _ random: inout Random) -> [UInt8] {
        var bytes = line
        for _ in 0...random.next(3) {
            guard !bytes.isEmpty else { break }
            let place = random.next(bytes.count)
            switch random.next(5) {
            case 0: bytes[place] = UInt8(random.next(256))
            case 1: bytes.remove(at: place)
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + random.next(12)))
            case 3: bytes.insert(contentsOf: words[random.next(words.count)], at: place)
            default: bytes.insert(contentsOf: line.prefix(random.next(line.count)), at: place)
            }
        }
        return bytes
    }

    @Test func `twenty thousand damaged lines give entries or errors`() throws {
        var random = Random(state: 1)
        let lines = RecordLineTests.golden.map { Array($0.1.utf8) }
        var refused = 0
        for round in 0..<20_000 {
            let damaged = String(decoding: Self.damage(lines[round % lines.count], &random), as: UTF8.self)
            do throws(RecordError) {
                let entry = try RecordEntry.decode(line: damaged)
                let again = try RecordEntry.decode(line: entry.encodedLine())
                // A note with an unknown line is written as a note.
                if again != entry { Issue.record("not the same again: \(damaged)") }
            } catch {
                refused += 1
            }
        }
        // Both results must occur; otherwise the damage is too weak or too strong.
        #expect((2_000..<19_900).contains(refused), "\(refused)")
    }
}
