import AdapterProtocol
import Record
import Testing

@testable import Conformance

/// Tests that a damaged record is judged without a trap: it may come from a full disk, another version or another
/// program. The seed is fixed, so that a failure is reproducible.
@Suite struct DamagedRecordTests {
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

    @Test func `damaged files are read as far as possible and judged`() throws {
        var random = Random(state: 2)
        let run = Run.resumed()
        let scenario = try run.scenario([
            "file: { task: second, equals: /big }", "resumeOffset: { task: second, offset: sameAsOnTheWire }",
        ])
        // Without the file's pieces the lines are short, so that damage reaches every field.
        let lines = run.entries.map { $0.encodedLine() }.filter { $0.utf8.count < 2_000 }
        for _ in 0..<400 {
            var damaged = lines.map { Array($0.utf8) }
            for _ in 0...random.next(4) {
                let place = 1 + random.next(damaged.count - 1)
                damaged[place] = Self.damage(damaged[place], &random)
            }
            let file = RecordFile.read(bytes: Array(damaged.joined(separator: [UInt8(ascii: "\n")])))
            #expect(file.entries.first == run.entries.first)
            let verdict = Judge.verdict(scenario: scenario, entries: file.entries)
            #expect(verdict.mismatches.allSatisfy { $0.evidence.allSatisfy(file.entries.indices.contains) })
        }
    }
}
