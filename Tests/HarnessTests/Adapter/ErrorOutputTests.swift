import Testing

@testable import Harness

/// The first mebibyte and the last 64 KiB of lines are kept; each line counts 64 bytes more in the tail.
@Suite struct ErrorOutputTests {
    @Test func `a usual amount is recorded as it arrives`() {
        var output = ErrorOutput()
        #expect(output.admit("one") == "one")
        #expect(output.admit("two") == "two")
        let (note, last) = output.finish()
        #expect(note == nil)
        #expect(last == [])
    }

    @Test func `a flood is cut in the middle, with a note of what is missing, and its last lines stay`() {
        var output = ErrorOutput()
        let line = String(repeating: "x", count: 1024)
        var recorded = 0
        for _ in 0..<10_000 where output.admit(line) != nil { recorded += 1 }
        #expect(recorded == 1024)
        #expect(output.admit("Fatal error: the reason") == nil)
        let (note, last) = output.finish()
        #expect(last.last == "Fatal error: the reason")
        let kept = last.count - 1
        #expect(kept == 60)  // 65,536 / (1024 + 64), less the room of the last line
        let cut = 10_000 - 1024 - kept
        #expect(note?.contains("\(cut * 1024) bytes in \(cut) lines are left out") == true, "\(note ?? "")")
    }

    /// The memory stays bounded for lines of one byte as well.
    @Test func `many short lines are cut too`() {
        var output = ErrorOutput()
        for _ in 0..<(ErrorOutput.headSize + 100_000) { _ = output.admit("x") }
        let (note, last) = output.finish()
        #expect(last.count <= ErrorOutput.tailSize / 64)
        #expect(note != nil)
    }
}
