import NIOCore
import Scenario
import Testing

@testable import TestServer

/// All alignments of both ends and lengths over the eight-word groups: 16 × 200 ranges against the definition.
struct PatternFillerTests {
    @Test func `the filler equals PatternBody at every alignment`() {
        let key = PatternBody.key(path: "/big", version: 3)
        for from in Int64(0)..<16 {
            for count in 0..<200 {
                var buffer = ByteBuffer()
                PatternFiller.append(key: key, from: from, count: count, to: &buffer)
                #expect(Array(buffer.readableBytesView) == PatternBody.bytes(key: key, from: from, count: count))
            }
        }
    }

    @Test func `offsets beyond 32 bits are right too`() {
        let key = PatternBody.key(path: "/big", version: 1)
        let from: Int64 = 5_000_000_003
        var buffer = ByteBuffer()
        PatternFiller.append(key: key, from: from, count: 100, to: &buffer)
        #expect(Array(buffer.readableBytesView) == PatternBody.bytes(key: key, from: from, count: 100))
    }
}
