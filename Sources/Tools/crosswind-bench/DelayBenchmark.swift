import InternetAddresses
import Lab
import LabKernel
import LinkEmulator
import LinkEngines
import NetworkMonitor

/// The error of delays, and the delay that an emulated link adds when none is configured.
enum DelayBenchmark {
    static func measure(_ options: BenchOptions) throws -> [Measurement] {
        let packets = options.isQuick ? 100 : 1_000
        let asked = LinkEffect.delay(.milliseconds(20), jitter: nil)
        var (middle, high): ([Double], [Double]) = ([], [])
        var trips: [EngineChoice: (middle: [Double], high: [Double])] = [:]
        for _ in 0..<options.repetitions(5) {
            let delayed = try BenchLab(.emulator, up: [asked], down: [asked])
            let errors = try roundTrips(delayed, count: packets, every: 1_000_000).map { $0 - 40_000 }
            delayed.stop()
            middle.append(percentile(errors, 0.5))
            high.append(percentile(errors, 0.99))
            for engine in [EngineChoice.kernel, .emulator] {
                let lab = try BenchLab(engine)
                let taken = try roundTrips(lab, count: packets, every: 200_000)
                lab.stop()
                trips[engine, default: ([], [])].middle.append(percentile(taken, 0.5))
                trips[engine, default: ([], [])].high.append(percentile(taken, 0.99))
            }
        }
        let veth = trips[.kernel] ?? ([], [])
        let emulated = trips[.emulator] ?? ([], [])
        let added = zip(emulated.middle, veth.middle).map { $0 - $1 }
        let vethMiddle = Measurement("round trip over veth (kernel engine), p50", .microseconds, veth.middle)
        let vethHigh = Measurement("round trip over veth (kernel engine), p99", .microseconds, veth.high)
        return [
            Measurement("20 ms + 20 ms, error of the round trip, p50", .microseconds, middle, target: .atMost(60)),
            Measurement("20 ms + 20 ms, error of the round trip, p99", .microseconds, high, target: .atMost(150)),
            Measurement("round trip at delay 0, emulator, p50", .microseconds, emulated.middle, against: vethMiddle),
            Measurement("round trip at delay 0, emulator, p99", .microseconds, emulated.high, against: vethHigh),
            vethMiddle, vethHigh,
            Measurement("added to the round trip at delay 0, p50", .microseconds, added, target: .atMost(40)),
        ]
    }

    /// Returns the microseconds from before each send until the echo was read; the echo runs on its own thread. Sends
    /// at even intervals without waiting for earlier replies.
    private static func roundTrips(_ lab: borrowing BenchLab, count: Int, every interval: Int64) throws -> [Double] {
        let (near, far) = (SocketAddress(lab.near, port: 7_001), SocketAddress(lab.far, port: 7_002))
        let echo = Echo(socket: try lab.internet.connectUDP(to: near, from: far))
        let client = try lab.client.connectUDP(to: far, from: near)
        let raw = client.withRaw { $0 }
        try Poller.minimizeTimerSlack()
        let begun = MonotonicClock.now()
        let end = begun + Int64(count) * interval + 2_000_000_000
        let thread = try DedicatedThread(name: "bench-echo") { echo.run(until: end) }
        var departures: [Int64] = []
        var trips: [Double] = []
        var buffer = [UInt8](repeating: 0, count: 64)
        while trips.count < count, MonotonicClock.now() < end {
            while let length = try client.receive(into: &buffer), length == 4 {
                let number = buffer[0..<4].reduce(0) { $0 << 8 | Int($1) }
                trips.append(Double(MonotonicClock.now() - departures[number]) / 1_000)
            }
            let next = begun + Int64(departures.count) * interval
            if departures.count < count, MonotonicClock.now() >= next {
                let number = departures.count
                let payload = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
                departures.append(MonotonicClock.now())
                _ = try client.send(payload)
                continue
            }
            _ = try Poller.wait(for: raw, .readable, until: min(end, departures.count < count ? next : end))
        }
        _ = try client.send([0])  // The echo's end.
        withExtendedLifetime(thread) {}
        return trips
    }

    private final class Echo: Sendable {
        private let socket: OwnedDescriptor
        init(socket: consuming OwnedDescriptor) { self.socket = socket }

        func run(until end: Int64) {
            var buffer = [UInt8](repeating: 0, count: 64)
            let raw = socket.withRaw { $0 }
            do throws(SystemCallError) {
                try Poller.minimizeTimerSlack()
                while MonotonicClock.now() < end {
                    guard let length = try socket.receive(into: &buffer) else {
                        _ = try Poller.wait(for: raw, .readable, until: end)
                        continue
                    }
                    if length == 1 { return }
                    _ = try socket.send(Array(buffer[0..<length]))
                }
            } catch {
                // The other end then gets fewer replies than it expects, which is visible in the result.
            }
        }
    }

    private static func percentile(_ values: [Double], _ share: Double) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? .nan : sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)]
    }
}
