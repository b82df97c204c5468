import Testing

@testable import AdapterProtocol

@Suite struct CommandReaderTests {
    private static func line(_ number: UInt64, _ command: AdapterCommand) -> [UInt8] {
        command.encodedLine(sequence: number) + [UInt8(ascii: "\n")]
    }

    @Test func `commands are read in order, also from pieces of lines`() {
        var reader = CommandReader()
        let bytes = Self.line(1, .resume("first")) + Self.line(2, .cancel("first")) + Self.line(3, .end)
        var inputs: [CommandReader.Input] = []
        for byte in bytes { inputs += reader.append([byte]) }
        #expect(inputs == [.command(.resume("first")), .command(.cancel("first")), .command(.end)])
    }

    @Test func `a command of a later version is counted, and the next one is read`() throws {
        var reader = CommandReader()
        let later = String(decoding: Self.line(1, .end), as: UTF8.self).replacing("\"end\"", with: "\"fly\"")
        #expect(reader.append(Array(later.utf8)) == [.unknown(word: "fly")])
        #expect(reader.append(Self.line(2, .end)) == [.command(.end)])
    }

    @Test func `after a missing number nothing is read`() {
        var reader = CommandReader()
        let inputs = reader.append(Self.line(1, .resume("first")) + Self.line(3, .end) + Self.line(4, .end))
        #expect(inputs.count == 2 && inputs.first == .command(.resume("first")))
        guard case .unreadable(let reason)? = inputs.last else {
            Issue.record("\(inputs)")
            return
        }
        #expect(reason.contains(", in: "))
    }
}
