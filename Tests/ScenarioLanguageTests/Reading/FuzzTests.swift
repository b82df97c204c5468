@testable import Conformance
import Testing

@testable import ScenarioLanguage

/// Tests that for any content of a file the reader returns a scenario or errors with positions, and never traps.
struct FuzzTests {
    /// SplitMix64: the same seed gives the same inputs on every machine.
    struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
    }

    static let pieces = [
        "{", "}", "[", "]", ":", ",", "- ", "? ", "&a ", "*a", "!!int ", "|\n", ">\n", "'", "\"", "\\", "#", "%", "@",
        "`", "~",
        "\t", "\0",
        "\r\n", "\u{85}", "\u{2028}", "\u{FEFF}", "null", "true", "-1", "0", "9223372036854775808", "1e999", "-0",
        ".nan",
        "99999999999999999999s",
        "64ff:9b::/96", "::", "0.0.0.0", "//", "http://", "\\x00", "\"\\uD800\"", "%TAG ! x", "---\n", "...\n",
        "<<: *a", "é", "𝄞",
        "1%", "first.", ".didComplete", "size", "text", "set", "await", "expect", "{}", "[]", "''",
    ]

    static func mutated(_ seed: [UInt8], _ generator: inout Generator) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let at = Int.random(in: 0...bytes.count, using: &generator)
            switch Int.random(in: 0..<7, using: &generator) {
            case 0: bytes.insert(contentsOf: pieces.randomElement(using: &generator)!.utf8, at: at)
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: at)
            case 2: if at < bytes.count { bytes.remove(at: at) }
            case 3: if at < bytes.count { bytes[at] = UInt8.random(in: 0...255, using: &generator) }
            case 4:
                let end = min(bytes.count, at + Int.random(in: 0...40, using: &generator))
                bytes.removeSubrange(at..<end)
            case 5:
                let end = min(bytes.count, at + Int.random(in: 0...40, using: &generator))
                bytes.insert(contentsOf: Array(bytes[at..<end]), at: Int.random(in: 0...bytes.count, using: &generator))
            default:
                // Replace a word with another piece.
                var end = at
                while end < bytes.count, HTTPHeadSyntax.isAlphanumeric(bytes[end]) { end += 1 }
                bytes.replaceSubrange(at..<end, with: pieces.randomElement(using: &generator)!.utf8)
            }
        }
        return bytes
    }

    @Test func `twenty thousand damaged files give scenarios or errors with positions`() throws {
        var generator = Generator(state: 20_26)
        let everything = Array(try Sample.text("everything.yaml").utf8)
        var seeds = [
            Array(Sample.good.utf8), Array(try Sample.text("minimal.yaml").utf8),
            Array(try Sample.text("resumes.yaml").utf8),
        ]
        // The long sample in parts: its head with one section each, so that a run stays short and covers every section.
        let sections = Self.sections(of: String(decoding: everything, as: UTF8.self))
        for section in sections { seeds.append(Array((Sample.good + "\n" + section).utf8)) }
        seeds.append(everything)
        var refused = 0
        for round in 0..<20_000 {
            let seed = round % 100 == 0 ? everything : seeds[round % (seeds.count - 1)]
            let bytes = Self.mutated(seed, &generator)
            let text: String
            do {
                text = try ScenarioReader.text(of: bytes, file: "f.yaml")
            } catch {
                refused += 1
                continue
            }
            guard case .failure(let errors) = ScenarioReader.read(file: "f.yaml", text: text) else { continue }
            refused += 1
            #expect(!errors.errors.isEmpty)
            #expect(errors.errors.allSatisfy { $0.place.line >= 1 && $0.place.column >= 1 && !$0.message.isEmpty })
        }
        // Most damage is detected; a changed title is not an error.
        #expect(refused > 10_000)
    }

    /// Returns the top-level sections that `Sample.good` lacks; each can be added separately.
    static func sections(of text: String) -> [String] {
        var sections: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let first = line.first, first != " ", first != "#" { sections.append("") }
            if !sections.isEmpty { sections[sections.count - 1] += line + "\n" }
        }
        return sections.filter { section in
            ["dns:", "sessions:", "tags:", "needs:", "dependsOn:", "requestBudget:", "timeline:"].contains {
                section.hasPrefix($0)
            }
        }
    }
}
