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

    @Test func `the table of obligations is that of the code`() throws {
        let lines = Set(try Self.grammar().split(separator: "\n").map(String.init))
        func cell(_ words: [String]?) -> String {
            words.map { " " + $0.map { "`\($0)`" }.joined(separator: ", ") } ?? ""
        }
        for capability in Capability.allCases {
            let (commands, events) = (Capability.commands[capability], Capability.events[capability])
            guard commands != nil || events != nil else { continue }
            let row =
                "| `\(capability.rawValue)` |\(cell(commands?.map(\.rawValue))) |\(cell(events?.map(\.rawValue))) |"
            #expect(lines.contains(row), "\(row)")
        }
    }

    @Test func `every event belongs to a capability, and every optional command`() {
        #expect(Set(Capability.events.values.joined()) == Set(TaskEventName.allCases))
        let always: Set<AdapterCommandName> = [.hello, .makeSession, .makeTask, .resume, .end]
        #expect(Set(Capability.commands.values.joined()) == Set(AdapterCommandName.allCases).subtracting(always))
    }

    @Test func `the tables of codes and classes are those of the code`() throws {
        let text = try Self.grammar()
        for code in FailureCode.allCases {
            let row = "| `\(code.name)` | \(code.rawValue) | `\(code.class.rawValue)` |"
            #expect(text.contains(row), "\(row)")
        }
        for kind in FailureClass.allCases { #expect(text.contains("| `\(kind.rawValue)` | "), "\(kind)") }
    }

    @Test func `the phases of a timeout and the whole imply each other`() {
        #expect(Capability.implied(by: [.requestTimeout]) == Capability.timeouts.union([.requestTimeout]))
        #expect(Capability.implied(by: Capability.timeouts) == Capability.timeouts.union([.requestTimeout]))
        #expect(Capability.implied(by: [.connectTimeout, .idleTimeout]) == [.connectTimeout, .idleTimeout])
    }
}
