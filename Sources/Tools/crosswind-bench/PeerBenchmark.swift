import InternetAddresses
import Lab
import LabKernel
import LinkEmulator
import LinkEngines
import NetworkMonitor
import ScenarioLanguage

/// The emulator next to a veth pair and to Mahimahi's shells, in the same run.
enum PeerBenchmark {
    static func measure(_ options: BenchOptions) throws -> [Measurement] {
        let shells = MahimahiShell.all.filter { $0.refusal == nil }
        return try measureSpeed(options, shells) + (try measureDelay(options))
    }

    /// The peers that could not be measured, each with its reason.
    static var missing: [String] {
        MahimahiShell.all.compactMap { shell in shell.refusal.map { "\(shell.name) was not measured: \($0)" } }
    }

    // MARK: Speed

    private struct Speed {
        var rates: [Double] = []
        var trips: [Double] = []
        var datagrams: [Double] = []
    }

    private static func measureSpeed(_ options: BenchOptions, _ shells: [MahimahiShell]) throws -> [Measurement] {
        let nanoseconds: Int64 = options.isQuick ? 200_000_000 : 1_000_000_000
        let trips: Int64 = options.isQuick ? 100 : 1_000
        let veth = "veth, GSO packets whole"
        let peers: [(name: String, lab: () throws -> BenchLab)] =
            [(veth, { try BenchLab(plainCable: ()) })] + shells.map { shell in (shell.name, { try BenchLab(shell) }) }
        var own = Speed()
        var others = [Speed](repeating: Speed(), count: peers.count)
        func add(_ lab: BenchLab, to speed: inout Speed) throws {
            defer { lab.stop() }
            speed.rates.append(try StreamBenchmark.carried(lab, for: nanoseconds))
            let echo = try TCPPeer(in: lab.internet, at: lab.far)
            let taken = try TCPPeer.roundTrips(from: lab.client, to: echo.address, count: trips)
            echo.finish()
            speed.trips.append(taken.quantile(0.5))
            // Last: what a queue without a limit still holds would delay the others.
            speed.datagrams.append(try PacketBenchmark.carried(lab, 64, for: nanoseconds).rate)
        }
        // The measurements alternate, so that all run under the same load.
        for _ in 0..<options.repetitions(5) {
            try add(try BenchLab(.emulator), to: &own)
            for (place, peer) in peers.enumerated() { try add(try peer.lab(), to: &others[place]) }
        }
        var measurements = [
            Measurement("emulator: TCP", .gigabits, own.rates),
            Measurement("emulator: TCP round trip, p50", .microseconds, own.trips),
            Measurement("emulator: 64 B datagrams", .thousandPackets, own.datagrams),
        ]
        for (peer, other) in zip(peers, others) {
            let isVeth = peer.name == veth
            measurements += [
                Measurement("\(peer.name): TCP", .gigabits, other.rates),
                Measurement("\(peer.name): TCP round trip, p50", .microseconds, other.trips),
                Measurement("\(peer.name): 64 B datagrams", .thousandPackets, other.datagrams),
                Measurement(
                    "emulator over \(peer.name): TCP", .ratio, own.rates.divided(by: other.rates),
                    target: .atLeast(isVeth ? 0.6 : 8)),
                Measurement(
                    "emulator over \(peer.name): 64 B datagrams", .ratio, own.datagrams.divided(by: other.datagrams),
                    target: isVeth ? .atLeast(0.9) : nil),
            ]
        }
        return measurements
    }

    // MARK: Delay

    /// Datagrams per second. At the first no packet meets another; at the last the peer is busy all the time. The peer's
    /// clock counts milliseconds: at 1,000 every departure coincides with an arrival, which hides that; at 970 none does.
    private static let loads = [40, 970, 1_000, 10_000, 50_000, 100_000]

    /// The error of a delay of 20 ms, one way, in either direction of time.
    private static func measureDelay(_ options: BenchOptions) throws -> [Measurement] {
        guard MahimahiShell.delaying.refusal == nil else { return [] }
        let asked = LinkEffect.delay(.milliseconds(MahimahiShell.delay), jitter: nil)
        let arms: [(name: String, lab: () throws -> BenchLab)] = [
            ("emulator", { try BenchLab(.emulator, up: [asked]) }),
            (MahimahiShell.delaying.name, { try BenchLab(MahimahiShell.delaying) }),
        ]
        let shares = [("p50", 0.5), ("p99", 0.99)]
        var measurements: [Measurement] = []
        for load in loads {
            var errors = [[[Double]]](repeating: [[], []], count: arms.count)
            var lost = [[Double]](repeating: [], count: arms.count)
            for _ in 0..<options.repetitions(5) {
                for (arm, made) in arms.enumerated() {
                    let lab = try made.lab()
                    defer { lab.stop() }
                    let got = try delays(lab, perSecond: load, seconds: options.isQuick ? 0.2 : 1)
                    let taken = got.arrivals.map { abs(Double($0.delay) / 1_000 - Double(MahimahiShell.delay) * 1_000) }
                    for (place, share) in shares.enumerated() { errors[arm][place].append(taken.quantile(share.1)) }
                    lost[arm].append(100 * Double(got.lost) / Double(max(got.sent, 1)))
                }
            }
            let words = "\(MahimahiShell.delay) ms, \(load) datagrams/s"
            for (place, share) in shares.enumerated() {
                for (arm, made) in arms.enumerated() {
                    measurements.append(
                        Measurement("\(made.name): \(words): error, \(share.0)", .microseconds, errors[arm][place]))
                }
                measurements.append(
                    Measurement(
                        "emulator over \(arms[1].name): \(words): error, \(share.0)", .ratio,
                        errors[0][place].divided(by: errors[1][place]), target: .atMost(1)))
            }
            for (arm, made) in arms.enumerated() where lost[arm].contains(where: { $0 > 0 }) {
                measurements.append(Measurement("\(made.name): \(words): lost", .percent, lost[arm]))
            }
        }
        return measurements
    }

    private static func delays(
        _ lab: borrowing BenchLab, perSecond: Int, seconds: Double
    ) throws -> LinkProbe.Measurement {
        let probe = try LinkProbe.make(from: lab.client, to: lab.internet, destination: lab.far)
        let count = max(Int(Double(perSecond) * seconds), 8)
        let train = LinkProbe.Train(packets: count, payloadBytes: 64, interval: 1_000_000_000 / Int64(perSecond))
        return try probe.measure(train, until: MonotonicClock.deadline(after: 20_000_000_000))
    }
}

extension [Double] {
    /// Returns the quotient of each pair: both were measured one right after the other.
    fileprivate func divided(by others: [Double]) -> [Double] { zip(self, others).map { $0 / $1 } }

    fileprivate func quantile(_ share: Double) -> Double {
        isEmpty ? .nan : sorted()[Swift.min(Int(Double(count) * share), count - 1)]
    }
}
