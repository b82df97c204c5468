import NIOCore
import NIOEmbedded
import Testing
@testable import AdaptableSession

struct LoadAlarmsTests {
    private final class Rung { var loads: [Int] = [] }

    private let loop = EmbeddedEventLoop()
    private let rung = Rung()

    private func make() -> LoadAlarms { LoadAlarms(on: loop) { [rung] in rung.loads.append($0) } }

    private func advance(to time: Int64) { loop.advanceTime(to: .uptimeNanoseconds(UInt64(time))) }

    @Test func `an alarm rings at most two milliseconds after its deadline, and never before`() {
        let alarms = make()
        for deadline in [1, 1_999_999, 2_000_000, 2_000_001] as [Int64] {
            #expect((deadline..<deadline + 2_000_000).contains(alarms.set(Int(deadline), at: deadline)))
        }
        advance(to: 1_999_999)
        #expect(rung.loads == [])
        advance(to: 2_000_000)
        #expect(rung.loads == [1, 1_999_999, 2_000_000])
        advance(to: 4_000_000)
        #expect(rung.loads == [1, 1_999_999, 2_000_000, 2_000_001])
    }

    @Test func `a cancelled alarm does not ring, and the others of its time do`() {
        let alarms = make()
        let time = alarms.set(1, at: 5_000_000)
        #expect(alarms.set(2, at: 5_000_001) == time)
        alarms.cancel(1, at: time)
        alarms.cancel(3, at: time)
        advance(to: 6_000_000)
        #expect(rung.loads == [2])
        alarms.cancel(2, at: time)
    }

    @Test func `the time of a cancelled alarm can be set again`() {
        let alarms = make()
        alarms.cancel(1, at: alarms.set(1, at: 5_000_000))
        _ = alarms.set(2, at: 5_000_000)
        advance(to: 6_000_000)
        #expect(rung.loads == [2])
    }

    @Test func `a deadline that never comes does not trap`() {
        let alarms = make()
        #expect(alarms.set(1, at: .max) > .max - 4_000_000)
        _ = alarms.set(2, at: -5)
        advance(to: 0)
        #expect(rung.loads == [2])
    }
}
