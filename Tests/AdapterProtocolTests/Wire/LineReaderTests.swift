import Testing

@testable import AdapterProtocol

/// The reader must return the same lines however the pipe splits the bytes.
@Suite struct LineReaderTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `lines are the same however the bytes are split`() throws {
        let whole = Self.bytes("one\ntwo\r\n\nthree ü\nrest")
        for size in 1...whole.count {
            var reader = LineReader()
            var lines: [String] = []
            for start in stride(from: 0, to: whole.count, by: size) {
                lines += try reader.append(Array(whole[start..<min(start + size, whole.count)])).map { Golden.text($0) }
            }
            #expect(lines == ["one", "two", "three ü"])
            #expect(Golden.text(reader.partial) == "rest")
        }
    }

    @Test func `a line of exactly the limit is accepted and one more byte is refused`() throws {
        var reader = LineReader(limit: 4)
        #expect(try reader.append(Self.bytes("abcd\n")) == [Self.bytes("abcd")])
        #expect(throws: WireError.lineTooLong(limit: 4)) { try reader.append(Self.bytes("abcde")) }
        #expect(reader.partial == Self.bytes("abcde"))
    }

    @Test func `lines before and after a line that is too long are not lost`() throws {
        var reader = LineReader(limit: 4)
        #expect(try reader.append(Self.bytes("one\ntoolong\ntwo\n")) == [Self.bytes("one")])
        #expect(throws: WireError.lineTooLong(limit: 4)) { try reader.append(Self.bytes("thr")) }
        #expect(try reader.append(Self.bytes("ee\n")) == [Self.bytes("two")])
    }

    @Test func `a line that is too long and comes in pieces is one error`() throws {
        var reader = LineReader(limit: 4)
        #expect(throws: WireError.lineTooLong(limit: 4)) { try reader.append(Self.bytes("abcdef")) }
        #expect(try reader.append(Self.bytes("ghij")).isEmpty)
        #expect(try reader.append(Self.bytes("k\nnext\n")) == [Self.bytes("next")])
    }
}
