import Foundation
import Testing

@testable import Reports

/// The character U+009B starts a control sequence in one character; U+202E reverses the text after it.
@Suite struct TerminalSanitizerTests {
    @Test(arguments: [
        ("plain – ümläut 漢字", "plain – ümläut 漢字"), ("a\u{1B}[2Jb", "a\\u{1b}[2Jb"), ("a\u{9B}2Jb", "a\\u{9b}2Jb"),
        ("a\u{202E}b", "a\\u{202e}b"), ("a\rb", "a\\rb"), ("one\n\ttwo\n", "one\n\ttwo\n"), ("\u{7}", "\\u{7}"),
    ])
    func `a message keeps its lines and tabs, and nothing else that moves a cursor`(_ text: String, _ expected: String)
    {
        #expect(TerminalSanitizer.message(text) == expected)
    }

    @Test func `JSON keeps its meaning`() throws {
        let value = ["a\u{9B}b\u{202E}c": "\u{1F468}\u{200D}\u{1F469}\u{E0001}"]
        let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        let safe = TerminalSanitizer.json(text)
        #expect(safe.unicodeScalars.allSatisfy { ![0x9B, 0x202E, 0x200D, 0xE0001].contains($0.value) })
        #expect(try JSONDecoder().decode([String: String].self, from: Data(safe.utf8)) == value)
    }
}
