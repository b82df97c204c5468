import Testing

@testable import ScenarioLanguage
@testable import Conformance
import GeneratedBodies

/// Tests of every kind of damage that a resume can cause in a file: the description must name the first wrong byte and
/// its source.
@Suite struct WrongBytesTests {
    private static func pattern(_ path: String, version: UInt64 = 1, size: Int64 = 200_000) -> Representation {
        Representation(
            path: path, version: version,
            content: .pattern(key: PatternBody.key(path: path, version: version), length: size))
    }
    private static let big = pattern("/big")
    private static let others = [big, pattern("/big", version: 2), pattern("/other", size: 1000)]

    private static func words(_ bytes: [UInt8]) -> String? { WrongBytes(bytes, instead: big, others: others)?.text }
    private static func bytes(_ range: Range<Int64>, _ source: Representation = big) -> [UInt8] {
        source.bytes(from: range.lowerBound, count: range.count)
    }

    @Test func `correct bytes do not differ`() {
        #expect(Self.words(Self.bytes(0..<200_000)) == nil)
    }

    @Test func `a missing end is reported`() {
        #expect(Self.words(Self.bytes(0..<150_000)) == "ends after 150000 of 200000 bytes, all of them correct")
        #expect(Self.words([]) == "ends after 0 of 200000 bytes, all of them correct")
    }

    @Test func `a gap is reported`() {
        let bytes = Self.bytes(0..<70_001) + Self.bytes(70_101..<200_000)
        #expect(
            Self.words(bytes)
                == "from byte 70001 on it continues with byte 70101 (offset by +100): 100 bytes are missing")
    }

    @Test func `a repeat is reported`() {
        let bytes = Self.bytes(0..<70_001) + Self.bytes(65_536..<200_000)
        #expect(Self.words(bytes) == "from byte 70001 on it repeats from byte 65536 (offset by -4465)")
    }

    @Test func `a restart after the first part is reported`() {
        let bytes = Self.bytes(0..<65_536) + Self.bytes(0..<200_000)
        #expect(Self.words(bytes) == "from byte 65536 on it repeats from byte 0 (offset by -65536)")
    }

    @Test func `a splice with another version is reported`() {
        let bytes = Self.bytes(0..<65_536) + Self.bytes(65_536..<200_000, Self.others[1])
        #expect(Self.words(bytes) == "from byte 65536 on it belongs to version 2 of /big")
        let shifted = Self.bytes(0..<65_536) + Self.bytes(0..<100_000, Self.others[1])
        #expect(Self.words(shifted) == "from byte 65536 on it belongs to version 2 of /big, from its byte 0 on")
    }

    @Test func `bytes of another path are reported with their length`() {
        let bytes = Self.bytes(0..<65_536) + Self.bytes(100..<1000, Self.others[2]) + Self.bytes(66_436..<200_000)
        #expect(Self.words(bytes) == "from byte 65536 on it belongs to /other, from its byte 100 on, up to byte 66436")
    }

    @Test func `zeros are reported`() {
        #expect(
            Self.words(Self.bytes(0..<65_536) + [UInt8](repeating: 0, count: 100))
                == "from byte 65536 on there are zeros")
    }

    @Test func `a flipped bit is not attributed to another source`() {
        var bytes = Self.bytes(0..<200_000)
        let right = bytes[77]
        bytes[77] ^= 0x10
        #expect(Self.words(bytes)?.hasPrefix("from byte 77 on the content is not from the origin: ") == true)
        bytes = Array(bytes.prefix(79))
        #expect(Self.words(bytes) == "byte 77 is wrong, followed by 1 more")
        bytes[77] = right
        #expect(Self.words(bytes)?.hasPrefix("ends after 79") == true)
    }

    @Test func `bytes after the end are reported with their source`() {
        let bytes = Self.bytes(0..<200_000) + Self.bytes(0..<100)
        #expect(
            Self.words(bytes)
                == "continues for 100 bytes after its end; from byte 200000 on it repeats from byte 0 (offset by -200000)"
        )
    }

    /// Differences exactly at the borders of the blocks in which bytes are compared and searched.
    @Test(arguments: [65_535, 65_536, 65_537, 131_072] as [Int64])
    func `an offset at a border of blocks is found`(place: Int64) {
        let bytes = Self.bytes(0..<1000) + Self.bytes(place..<place + 1000)
        #expect(
            Self.words(bytes)
                == "from byte 1000 on it continues with byte \(place) (offset by +\(place - 1000)): \(place - 1000) bytes are missing"
        )
    }
}
