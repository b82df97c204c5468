import NIOCore
import Scenario
import Testing

@testable import TestServer

/// An upload is judged byte by byte while it arrives, whatever the pieces; the expectations come from `PatternBody` itself.
struct BodyInspectionTests {
    private func inspect(_ bytes: [UInt8], pieces: Int, echoes: Bool = false) -> BodyInspection {
        var inspection = BodyInspection(path: "/up", echoes: echoes)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            inspection.take(ByteBuffer(bytes: bytes[start..<min(start + pieces, bytes.count)]))
        }
        return inspection
    }

    private let pattern = PatternBody.bytes(key: PatternBody.key(path: "/up", version: 1), from: 0, count: 5_000)

    @Test(arguments: [1, 7, 64, 5_000])
    func `the pattern passes and one wrong byte is located`(pieces: Int) {
        #expect(inspect(pattern, pieces: pieces).differsAt == nil)
        var wrong = pattern
        wrong[4_321] ^= 1
        #expect(inspect(wrong, pieces: pieces).differsAt == 4_321)
        #expect(inspect(Array(pattern.dropFirst()), pieces: pieces).differsAt != nil)
        #expect(inspect(pattern, pieces: pieces).count == 5_000)
    }

    @Test func `a short text is kept and not compared`() {
        let inspection = inspect(Array("hällo\n".utf8), pieces: 2)
        #expect(inspection.text == "hällo\n")
        #expect(inspection.differsAt == nil)
        #expect(inspect([], pieces: 1).text == nil)
    }

    @Test func `a text of more than 4 KiB and bytes that are no text are not kept`() {
        #expect(inspect(Array(repeating: 0x61, count: 4_097), pieces: 100).text == nil)
        #expect(inspect(Array(repeating: 0x61, count: 4_096), pieces: 100).text?.utf8.count == 4_096)
        #expect(inspect([0x61, 0xFF], pieces: 1).text == nil)
        #expect(inspect([0x61, 0x00], pieces: 1).text == nil)
    }
}
