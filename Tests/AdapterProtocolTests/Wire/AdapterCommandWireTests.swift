import Testing

@testable import AdapterProtocol

/// Golden lines hold every field of every command; equality both ways shows that nothing is lost, renamed or reordered.
@Suite struct AdapterCommandWireTests {
    @Test(arguments: AdapterCommandName.allCases)
    func `a command is encoded as its golden line and decoded from it`(_ name: AdapterCommandName) throws {
        let commands = try #require(Examples.commands[name], "no example of \(name)")
        let lines = try Golden.lines("command-\(name.rawValue)")
        #expect(lines.count == commands.count)
        for (index, (line, command)) in zip(lines, commands).enumerated() {
            #expect(command.name == name)
            #expect(Golden.text(command.encodedLine(sequence: UInt64(index + 1))) == line)
            let read = try AdapterCommand.decode(line: Array(line.utf8))
            #expect(read.sequence == UInt64(index + 1))
            #expect(read.command == command)
        }
    }

    @Test func `an unknown command is refused and the known ones are listed`() {
        let line = #"{"v":2,"seq":1,"command":"dance"}"#
        #expect {
            try AdapterCommand.decode(line: Array(line.utf8))
        } throws: { error in
            guard case .unknownValue("dance", field: "command", let allowed) = error as? WireError else { return false }
            return allowed.contains("makeTask") && allowed.count == AdapterCommandName.allCases.count
        }
    }

    @Test func `a challenge decision, a redirect decision and a kind outside their sets are refused`() {
        let start = #"{"v":2,"seq":1,"command":"makeTask","task":"a","session":"main","url":"u","delivery":"delegate""#
        let words = [
            #","kind":"socket"}"#: "kind", #","kind":"data","redirect":"maybe"}"#: "redirect",
            #","kind":"data","response":"becomeStream"}"#: "response",
            #","kind":"data","challenges":[{"decision":"shrug"}]}"#: "decision",
        ]
        for (end, field) in words {
            #expect {
                try AdapterCommand.decode(line: Array((start + end).utf8))
            } throws: { error in
                if case .unknownValue(_, field: field, _) = error as? WireError { true } else { false }
            }
        }
    }

    @Test func `a duration that is negative, too long or not a number is refused`() {
        for timeout in ["-1", "1e300", "\"2.5\""] {
            let line =
                #"{"v":2,"seq":1,"command":"makeTask","task":"a","session":"main","url":"u","delivery":"delegate","#
                + #""kind":"data","timeout":\#(timeout)}"#
            #expect(throws: WireError.wrongType("timeout", in: "makeTask", expected: "number of seconds")) {
                try AdapterCommand.decode(line: Array(line.utf8))
            }
        }
    }
}
