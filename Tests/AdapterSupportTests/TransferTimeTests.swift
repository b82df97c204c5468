import Foundation
import Testing

@testable import AdapterSupport

/// Dates on the clock of background transfers. The numbers are those of a clock that runs 100 times as fast and was set back
/// by an hour, 10 s after its origin.
@Suite struct TransferTimeTests {
    @Test func `a delay is added on the scaled clock`() {
        let origin = 1_700_000_000.0
        let date = TransferTime.date(
            after: .seconds(60), scale: 100, offset: -3600, origin: origin,
            now: Date(timeIntervalSince1970: origin + 10))
        #expect(date == Date(timeIntervalSince1970: origin + 1000 - 3600 + 60))
    }

    @Test func `the file has the present offset`() {
        let text = "scale=100 offset=-3600 origin=1700000000 file=/mnt/clock"
        let set = TransferTime.values(text) { $0 == "/mnt/clock" ? "offset=7200\n" : nil }
        #expect(set == ["scale": 100, "offset": 7200, "origin": 1_700_000_000])
        #expect(TransferTime.values(text) { _ in nil }["offset"] == -3600)
    }

    @Test func `without a clock the machine's is used`() {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let date = TransferTime.date(after: .seconds(60), scale: 1, offset: 0, origin: 0, now: now)
        #expect(date == now.addingTimeInterval(60))
    }
}
