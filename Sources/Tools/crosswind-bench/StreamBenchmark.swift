import ScenarioLanguage
import InternetAddresses
import Lab
import LabKernel
import LinkEmulator
import LinkEngines
import NetworkMonitor
import Synchronization

/// The throughput of one TCP connection from the client to the internet.
enum StreamBenchmark {
    static func measure(_ options: BenchOptions) throws -> [Measurement] {
        guard let rare = Probability(0.000_001) else { preconditionFailure("a share") }
        // Drawn for every packet, but too rare to slow down TCP itself.
        let decided: [LinkEffect] = [.loss(.independent(rare)), .delay(.zero, jitter: .init(amount: .microseconds(1)))]
        let arms: [(name: String, lab: () throws -> BenchLab)] = [
            ("veth, GSO packets whole: TCP", { try BenchLab(plainCable: ()) }),
            ("veth, single packets (kernel engine): TCP", { try BenchLab(.kernel) }),
            ("emulator: TCP", { try BenchLab(.emulator) }),
            ("emulator, loss and jitter drawn per packet: TCP", { try BenchLab(.emulator, up: decided) }),
        ]
        var samples = [[Double]](repeating: [], count: arms.count)
        for _ in 0..<options.repetitions(5) {
            for (place, arm) in arms.enumerated() {
                let lab = try arm.lab()
                samples[place].append(try carried(lab, for: options.isQuick ? 100_000_000 : 1_000_000_000))
                lab.stop()
            }
        }
        let plain = Measurement(arms[0].name, .gigabits, samples[0])
        let single = Measurement(arms[1].name, .gigabits, samples[1], against: plain)
        let emulated = Measurement(arms[2].name, .gigabits, samples[2], target: .atLeast(10), against: single)
        return [
            emulated, Measurement(arms[3].name, .gigabits, samples[3], target: .atLeast(1.5), against: single), single,
            plain,
        ]
    }

    /// Returns the payload throughput in Gbit/s, measured after a tenth of the time, which is left to slow start.
    static func carried(_ lab: borrowing BenchLab, for nanoseconds: Int64) throws -> Double {
        let listener = try lab.internet.listenTCP(on: SocketAddress(lab.far, port: 0))
        let connection = try lab.client.connectTCP(to: try listener.localAddress())
        try listener.withRaw { raw throws(SystemCallError) in
            _ = try Poller.wait(for: raw, .readable, until: MonotonicClock.deadline(after: 5_000_000_000))
        }
        guard let accepted = try listener.accept() else { throw NoConnection() }
        let sender = Sender(connection: connection)
        let end = MonotonicClock.now() + nanoseconds
        let thread = try DedicatedThread(name: "bench-sender") { sender.run(until: end) }
        let rate = try received(by: accepted, until: end, nanoseconds)
        withExtendedLifetime(thread) {}
        return rate
    }

    /// Reads until `end`, counts from a tenth of `nanoseconds` on, then closes the connection.
    static func received(by accepted: borrowing OwnedDescriptor, until end: Int64, _ nanoseconds: Int64) throws
        -> Double
    {
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        var received = 0
        var start: (moment: Int64, bytes: Int)?
        let raw = accepted.withRaw { $0 }
        while true {
            let now = MonotonicClock.now()
            if now >= end { break }
            if start == nil, now >= end - nanoseconds * 9 / 10 { start = (now, received) }
            if let count = try accepted.receive(into: &buffer) {
                received += count
                if count == 0 { break }
            } else {
                _ = try Poller.wait(for: raw, .readable, until: end)
            }
        }
        let elapsed = MonotonicClock.now()
        try accepted.resetOnClose()
        guard let start else { throw NoConnection() }
        return Double(received - start.bytes) * 8 / Double(elapsed - start.moment)
    }

    private struct NoConnection: Error {}

    private final class Sender: Sendable {
        private let connection: OwnedDescriptor
        init(connection: consuming OwnedDescriptor) { self.connection = connection }

        func run(until end: Int64) {
            let block = [UInt8](repeating: 0x5A, count: 256 * 1024)
            let raw = connection.withRaw { $0 }
            // The other end sometimes closes first, which ends this one as well.
            do throws(SystemCallError) {
                while MonotonicClock.now() < end {
                    if try connection.send(block) == nil { _ = try Poller.wait(for: raw, .writable, until: end) }
                }
            } catch {}
        }
    }
}
