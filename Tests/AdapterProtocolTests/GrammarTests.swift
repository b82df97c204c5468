import AdapterProtocol
import Foundation
import Testing

/// An adapter's author reads the grammar; a word missing from it cannot be used.
@Suite struct GrammarTests {
    private static func grammar() throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = "../Sources/AdapterProtocol/AdapterProtocol.docc/adapter-protocol.md"
        return try String(contentsOf: tests.appendingPathComponent(file), encoding: .utf8)
    }

    @Test func `every command, event and capability is in the grammar`() throws {
        let text = try Self.grammar()
        let words =
            AdapterCommandName.allCases.map(\.rawValue) + TaskEventName.allCases.map(\.rawValue)
            + Examples.sessionEvents.keys
            + Capability.allCases.map(\.rawValue)
        for word in words { #expect(text.contains("`\(word)`"), "\(word)") }
    }

    @Test func `every field of every golden line is in the grammar`() throws {
        let text = try Self.grammar()
        let files =
            AdapterCommandName.allCases.map { "command-\($0.rawValue)" }
            + TaskEventName.allCases.map { "event-\($0.rawValue)" }
            + Examples.sessionEvents.keys.map { "event-\($0)" }
        for file in files {
            for line in try Golden.lines(file) {
                let fields = try #require(JSONValue.parse(Array(line.utf8))?.object)
                for name in fields.keys { #expect(text.contains("`\(name)`"), "\(name) of \(file)") }
            }
        }
    }
}
