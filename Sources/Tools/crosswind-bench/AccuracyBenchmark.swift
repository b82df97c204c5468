import Lab
import ScenarioLanguage
import Foundation
import Harness
import LabKernel
import LinkEmulator
import LinkEngines
import NetworkMonitor

/// The accuracy of conditions. Shares are compared with their 99 % interval: the figure is the error of the share in
/// half-widths of that interval, so 1 is its edge.
enum AccuracyBenchmark {
    static func measure(_ options: BenchOptions) throws -> [Measurement] {
        let bench = LinkAccuracy(
            engine: options.measuresKernel ? .kernel : .emulator, packets: options.isQuick ? 500 : 10_000)
        let words = options.measuresKernel ? "kernel engine" : "emulator"
        let count = options.repetitions(3)
        var measurements: [Measurement] = []
        func add(_ names: [(String, Measurement.Unit, Measurement.Target?)], _ measure: () throws -> [Double]) rethrows
        {
            var samples = [[Double]](repeating: [], count: names.count)
            for _ in 0..<count { for (place, value) in try measure().enumerated() { samples[place].append(value) } }
            for (place, name) in names.enumerated() {
                measurements.append(Measurement("\(words), \(name.0)", name.1, samples[place], target: name.2))
            }
        }
        try add([
            ("20 ms: error one way, p50", .microseconds, .atMost(60)),
            ("20 ms: error one way, p99", .microseconds, .atMost(150)),
        ]) {
            try bench.delay()
        }
        try add([("loss 1 %: off, of its 99 % interval", .count, .atMost(1))]) { [try bench.independentLoss(0.01)] }
        try add([
            ("bursty loss (1 %, 30 %): share off, of its 99 % interval", .count, .atMost(1)),
            ("bursty loss: mean burst off, of its 99 % interval", .count, .atMost(1)),
        ]) { try bench.burstyLoss(p: 0.01, r: 0.3) }
        try add([("reordered 20 %: off, of its 99 % interval", .count, .atMost(1))]) { [try bench.reordering(0.2)] }
        try add([("rate 20 Mbit/s: off", .percent, .atMost(1))]) { [try bench.rate(20_000_000)] }
        try add([("normal jitter 5 ms: Kolmogorov-Smirnov distance, of its 99 % bound", .count, .atMost(1))]) {
            [try bench.jitter(.normal)]
        }
        try add([("uniform jitter 5 ms: Kolmogorov-Smirnov distance, of its 99 % bound", .count, .atMost(1))]) {
            [try bench.jitter(.uniform)]
        }
        return measurements
    }

    /// Measures the kernel engine in a separate process under a kernel with netem; its table follows ours.
    static func measureUnderNetemKernel(_ options: BenchOptions) throws {
        let home = try InstallLayout.find()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: home.folder + "/scripts/under-netem-kernel")
        process.arguments =
            [home.programFolder + "/crosswind-bench", "truth", "--kernel"] + (options.isQuick ? ["--quick"] : [])
        let heading = "\nunder a user-mode kernel with netem (one processor, slower timers than this machine's):\n"
        try FileHandle.standardOutput.write(contentsOf: Data(heading.utf8))
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 {
            print("not measured: scripts/under-netem-kernel ended with \(process.terminationStatus)")
        }
    }
}

/// The link of one engine under one condition at a time, and its packets.
private struct LinkAccuracy {
    let engine: EngineChoice
    let packets: Int

    private func run(_ effects: [LinkEffect], _ train: LinkProbe.Train) throws -> LinkProbe.Measurement {
        // A random seed each time: for a fixed seed, one in a hundred lies outside its interval, and would do so in
        // every run.
        let lab = try BenchLab(engine, up: effects, seed: .random(in: 0 ... .max))
        defer { lab.stop() }
        let probe = try LinkProbe.make(
            from: lab.client, source: lab.near, device: lab.nearName, to: lab.internet, destination: lab.far)
        let length = Int64(train.packets) * train.interval
        return try probe.measure(train, until: MonotonicClock.deadline(after: length + 10_000_000_000))
    }

    private func train(every interval: Int64) -> LinkProbe.Train {
        .init(packets: packets, payloadBytes: 64, interval: interval)
    }

    func delay() throws -> [Double] {
        let got = try run([.delay(.milliseconds(20), jitter: nil)], train(every: 200_000)).delays
        guard !got.isEmpty else { throw NothingArrived() }
        return [0.5, 0.99].map { Double(got[min(Int(Double(got.count) * $0), got.count - 1)] - 20_000_000) / 1_000 }
    }

    func independentLoss(_ share: Double) throws -> Double {
        let got = try run([.loss(.independent(try probability(share)))], train(every: 100_000))
        return off(Double(got.lost) / Double(got.sent), share, got.sent)
    }

    func burstyLoss(p: Double, r: Double) throws -> [Double] {
        let model = LinkEffect.Loss.gilbertElliott(
            p: try probability(p), r: try probability(r), lossInBad: .certain, lossInGood: try probability(0))
        let got = try run([.loss(model)], train(every: 100_000))
        let arrived = Set(got.arrivals.map(\.packet))
        var bursts: [Int] = []
        var length = 0
        for packet in 0..<got.sent {
            if !arrived.contains(packet) {
                length += 1
            } else if length > 0 {
                bursts.append(length)
                length = 0
            }
        }
        guard !bursts.isEmpty else { return [.infinity, .infinity] }
        // Consecutive packets are correlated: the variance of the share is that of independent draws times (1 + λ) / (1
        // − λ), λ = 1 − p − r.
        let alike = 1 - p - r
        let share = off(
            Double(got.lost) / Double(got.sent), p / (p + r), got.sent, inflation: (1 + alike) / (1 - alike))
        // Lengths are geometric: mean 1/r, variance (1 − r)/r².
        let mean = Double(bursts.reduce(0, +)) / Double(bursts.count)
        let halfWidth = LinkAccuracy.z99 * (1 - r).squareRoot() / r / Double(bursts.count).squareRoot()
        return [share, abs(mean - 1 / r) / halfWidth]
    }

    func reordering(_ share: Double) throws -> Double {
        let got = try run(
            [.delay(.milliseconds(20), jitter: nil), .reorder(try probability(share))], train(every: 200_000))
        let early = got.arrivals.count { $0.delay < 10_000_000 }
        return off(Double(early) / Double(got.sent), share, got.sent)
    }

    func rate(_ bitsPerSecond: UInt64) throws -> Double {
        guard let rate = BitRate(bitsPerSecond: bitsPerSecond) else { throw NothingArrived() }
        // Default: the number of packets a Linux interface queues.
        let got = try run(
            [.rate(.constant(rate))], .init(packets: min(packets, 900), payloadBytes: 1_000, interval: 0))
        guard let bytes = got.receivedBytesPerSecond(skipping: got.arrivals.count / 10) else { throw NothingArrived() }
        return abs(bytes * 8 / Double(bitsPerSecond) - 1) * 100
    }

    /// Returns the distance between the measured delays and the requested distribution, divided by its 99 % bound.
    func jitter(_ shape: LinkEffect.Jitter.Distribution) throws -> Double {
        let jitter = LinkEffect.Jitter(amount: .milliseconds(5), distribution: shape, allowsReordering: true)
        let got = try run([.delay(.milliseconds(30), jitter: jitter)], train(every: 200_000)).delays
        guard !got.isEmpty else { throw NothingArrived() }
        var distance = 0.0
        for (rank, delay) in got.enumerated() {
            let amounts = Double(delay - 30_000_000) / 5e6
            let expected =
                switch shape {
                case .uniform: min(1, max(0, (amounts + 1) / 2))
                case .normal, .pareto, .table: (1 + erf(amounts / 2.0.squareRoot())) / 2
                }
            let (below, above) = (Double(rank) / Double(got.count), Double(rank + 1) / Double(got.count))
            distance = max(distance, abs(expected - below), abs(above - expected))
        }
        return distance * Double(got.count).squareRoot() / 1.6276
    }

    private static let z99 = 2.5758

    private func off(_ got: Double, _ asked: Double, _ count: Int, inflation: Double = 1) -> Double {
        abs(got - asked) / (LinkAccuracy.z99 * (asked * (1 - asked) * inflation / Double(count)).squareRoot())
    }

    private func probability(_ value: Double) throws -> Probability {
        guard let probability = Probability(value) else { throw NothingArrived() }
        return probability
    }

    private struct NothingArrived: Error, CustomStringConvertible {
        var description: String { "nothing arrived" }
    }
}
