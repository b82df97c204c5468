import ScenarioLanguage
import Testing

@testable import TestServer

/// 8 kbit/s are one byte in a millisecond.
struct PaceTests {
    @Test func `bytes are due when their last bit would be sent`() throws {
        var pace = Pace(try #require(BitRate(bitsPerSecond: 8_000)), at: 500)
        #expect(pace.due(after: 1) == 1_000_500)
        pace.spend(9)
        #expect(pace.due(after: 1) == 10_000_500)
        #expect(pace.pieceSize == 10)
    }

    @Test func `idle time does not allow a burst, but a late timer does`() throws {
        var pace = Pace(try #require(BitRate(bitsPerSecond: 8_000)), at: 0)
        pace.forgetIdleTime(at: 110_000_000)
        #expect(pace.due(after: 10) == 10_000_000)
        pace.forgetIdleTime(at: 5_000_000_000)
        #expect(pace.due(after: 10) == 5_000_000_000)
        pace.spend(10)
        #expect(pace.due(after: 10) == 5_010_000_000)
    }

    /// One bit per second: a piece is a byte and takes 8 s, longer than the grace period.
    @Test func `a very slow line still progresses`() throws {
        var pace = Pace(try #require(BitRate(bitsPerSecond: 1)), at: 0)
        pace.forgetIdleTime(at: 8_000_000_000)
        #expect(pace.due(after: 1) == 8_000_000_000)
    }

    @Test func `pieces have at least a byte and at most 64 KiB`() throws {
        #expect(Pace(try #require(BitRate(bitsPerSecond: 1)), at: 0).pieceSize == 1)
        #expect(Pace(try #require(BitRate(bitsPerSecond: .max)), at: 0).pieceSize == 65_536)
        #expect(Pace(try #require(BitRate(bitsPerSecond: 1)), at: 0).due(after: .max / 2) > 0)
    }

    /// Pieces of three bytes, one per second: a short piece takes its whole second.
    @Test func `a dribble waits its time before each piece`() {
        var pace = Pace(pieces: 3, every: .seconds(1), at: 0)
        #expect(pace.pieceSize == 3)
        #expect(pace.due(after: 3) == 1_000_000_000)
        pace.spend(3)
        #expect(pace.due(after: 2) == 2_000_000_000)
        pace.spend(2)
        #expect(pace.due(after: 3) == 3_000_000_000)
    }
}
