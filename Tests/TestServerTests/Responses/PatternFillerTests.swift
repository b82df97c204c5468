import GeneratedBodies
import NIOCore
import ScenarioLanguage
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

    @Test(arguments: [2, 3, 1_000] as [Int64]) func `the filler repeats lines as PatternBody does`(repeats: Int64) {
        let key = PatternBody.key(path: "/big", version: 3, repeats: repeats)
        for from in [0, 1, 63, 64, 127, 128, 191, 192, 5_000_000_003] as [Int64] {
            for count in [0, 1, 63, 64, 65, 1_000] {
                var buffer = ByteBuffer()
                PatternFiller.append(key: key, from: from, count: count, to: &buffer)
                #expect(Array(buffer.readableBytesView) == PatternBody.bytes(key: key, from: from, count: count))
            }
        }
        let (once, again) = (
            PatternBody.bytes(key: PatternBody.Key(seed: key.seed), from: 0, count: 128),
            PatternBody.bytes(key: key, from: 0, count: 128)
        )
        #expect(again == Array(once[..<64] + once[..<64]))
        #expect(PatternBody.bytes(key: key, from: repeats * 64, count: 64) == Array(once[64...]))
    }

    @Test func `offsets beyond 32 bits are right too`() {
        let key = PatternBody.key(path: "/big", version: 1)
        let from: Int64 = 5_000_000_003
        var buffer = ByteBuffer()
        PatternFiller.append(key: key, from: from, count: 100, to: &buffer)
        #expect(Array(buffer.readableBytesView) == PatternBody.bytes(key: key, from: from, count: 100))
    }
}
