import Testing

@testable import Record

/// Tests that a record is readable whatever happened to the program that wrote it.
@Suite struct RecordFileTests {
    private static let entries: [RecordEntry] = [
        RecordEntry(
            time: 1,
            fact: .runStarted(
                RunHeader(
                    scenario: "a", file: "a.yaml", title: "A", proves: [], adapter: "x", engine: "kernel", seed: 1,
                    repetition: 1))),
        RecordEntry(time: 2, fact: .note(.other("é"))), RecordEntry(time: 3, fact: .runEnded(.pass)),
    ]
    private static let text = entries.map { $0.encodedLine() + "\n" }.joined()

    @Test func `a record with its last line is complete`() {
        #expect(RecordFile.read(Self.text) == RecordFile(entries: Self.entries, isComplete: true))
    }

    @Test func `a record without its last line is incomplete and readable`() {
        let text = Self.entries.dropLast().map { $0.encodedLine() + "\n" }.joined()
        #expect(RecordFile.read(text) == RecordFile(entries: Array(Self.entries.dropLast()), isComplete: false))
    }

    /// Cut at every byte: every complete line is read, and nothing traps.
    @Test func `a record truncated anywhere keeps its complete lines`() {
        let bytes = Array(Self.text.utf8)
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        for length in 0..<bytes.count {
            let file = RecordFile.read(bytes: Array(bytes.prefix(length)))
            let whole = ends.count { $0 <= length }
            #expect(file.entries == Array(Self.entries.prefix(whole)), "\(length)")
            #expect(file.isComplete == (whole == 3), "\(length)")
        }
    }

    @Test func `a damaged line in the middle keeps its position`() {
        var lines = Self.entries.map { $0.encodedLine() }
        lines.insert("{\"at\":2,", at: 1)
        let file = RecordFile.read(lines.joined(separator: "\n") + "\n")
        #expect(file.entries.count == 4 && file.entries[2] == Self.entries[1])
        #expect(file.damaged.keys.sorted() == [2])
        #expect(!file.isComplete)
        guard case .note(.other(let text)) = file.entries[1].fact else {
            Issue.record("no note")
            return
        }
        #expect(text.hasPrefix("line 2 cannot be read"))
    }

    @Test(arguments: [
        ("", "not a JSON object"), ("hello\n", "not a JSON object"),
        ("{\"at\":1,\"fact\":\"note\",\"text\":\"n\"}\n", "'the first line' without a usable 'runStarted'"),
        (
            "{\"at\":1,\"fact\":\"runStarted\",\"v\":99}\n{\"at\":2,\"fact\":\"note\",\"text\":\"n\"}\n",
            "record version 99, but this program reads version 2"
        ),
    ])
    func `data that is not a record of this version is refused`(text: String, reason: String) {
        let file = RecordFile.read(text)
        #expect(file.entries.isEmpty && !file.isComplete)
        #expect(file.damaged[1]?.hasPrefix(reason) == true, "\(file.damaged)")
    }
}
