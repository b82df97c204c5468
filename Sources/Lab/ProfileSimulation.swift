package import LinkEmulator
package import LinkEngines
package import ScenarioLanguage

/// A simulation of one direction of a profile with the emulator's own link, without a lab: it needs no clock and no
/// privileges, and its result is always the same.
package struct ProfileSimulation: Sendable {
    package struct Settings: Sendable {
        package var duration: Duration
        package var seed: UInt64
        /// The offered share of the link's rate; with 1 no queue builds up.
        package var load: Double
        package var bins: Int
        package init(duration: Duration = .seconds(20), seed: UInt64 = 1, load: Double = 1, bins: Int = 80) {
            self.duration = duration
            self.seed = seed
            self.load = load
            self.bins = max(1, bins)
        }
    }

    package let settings: Settings
    /// Delivered bits per second, for equal intervals of the simulated time.
    package private(set) var rates: [Double] = []
    /// One-way delays of the small packets in nanoseconds, ascending. These packets are so small and few that they
    /// never wait for each other.
    package private(set) var delays: [Int64] = []
    /// The number of small packets.
    package private(set) var sent = 0
    package private(set) var lost = 0

    /// The offered rate for a link without a rate.
    package static let rateWithoutLimit: Double = 10_000_000
    /// The length of a large packet, and that of a small one.
    private static let longest = 1500
    private static let smallest = 64
    private static let smallInterval: Int64 = 10_000_000

    package init(
        _ profile: LinkProfile, _ direction: LinkDirectionName, _ settings: Settings = Settings()
    ) throws(LabError) {
        self.settings = settings
        let phases = try ProfilePhase.phases(of: profile, direction)
        let end = settings.duration.nanoseconds
        var bits = [Double](repeating: 0, count: settings.bins)
        _ = Self.run(
            phases, settings, until: end,
            train: { phase in phase.fullPacketTrain(load: settings.load, longest: Self.longest) }
        ) {
            packet in
            guard packet.planned < end else { return }
            bits[Int(packet.planned * Int64(settings.bins) / end)] += Double(packet.length * 8)
        }
        let seconds = Double(end) / 1e9 / Double(settings.bins)
        rates = bits.map { $0 / seconds }
        var delays: [Int64] = []
        sent = Self.run(
            phases, settings, until: end,
            train: { _ in PacketTrain(bytes: Self.smallest, interval: Self.smallInterval) }
        ) {
            packet in
            if !packet.isCopy { delays.append(packet.planned - packet.arrival) }
        }
        lost = sent - delays.count
        self.delays = delays.sorted()
    }

    package var meanRate: Double { rates.reduce(0, +) / Double(rates.count) }
    package var lossShare: Double { sent == 0 ? 0 : Double(lost) / Double(sent) }
    package var meanDelay: Double? {
        delays.isEmpty ? nil : delays.map(Double.init).reduce(0, +) / Double(delays.count)
    }

    /// Divides the delays into equal ranges from the shortest to the longest, with the number of packets in each.
    package func histogram(_ count: Int) -> [(from: Int64, to: Int64, packets: Int)] {
        guard let first = delays.first, let last = delays.last, count > 0 else { return [] }
        let width = max(1_000_000, (last - first) / Int64(count) + 1)
        var packets = [Int](repeating: 0, count: count)
        for delay in delays { packets[min(count - 1, Int((delay - first) / width))] += 1 }
        let used = (packets.lastIndex { $0 > 0 } ?? 0) + 1
        return (0..<used).map {
            (from: first + Int64($0) * width, to: first + Int64($0 + 1) * width, packets: packets[$0])
        }
    }

    private struct Delivery {
        var length: Int
        var arrival: Int64
        var planned: Int64
        var isCopy: Bool
    }

    /// Runs the link and returns the number of packets offered.
    private static func run(
        _ phases: [ProfilePhase], _ settings: Settings, until end: Int64, train: (ProfilePhase) -> PacketTrain,
        _ delivered: (Delivery) -> Void
    ) -> Int {
        guard var phase = phases.first else { return 0 }
        var link = LinkDirection(seed: settings.seed, stream: 0, parameters: phase.parameters)
        var coming = phases.dropFirst()
        var steady = train(phase)
        var bytes = [UInt8](repeating: 0, count: steady.bytes)
        var now: Int64 = 0
        var count = 0
        func release(_ time: LinkTime) {
            link.release(upTo: time) { packet, info in
                delivered(
                    Delivery(
                        length: packet.count, arrival: info.arrival.nanoseconds, planned: info.planned.nanoseconds,
                        isCopy: info.isDuplicate))
            }
        }
        while now < end {
            if let next = coming.first, next.start <= now {
                coming = coming.dropFirst()
                phase = next
                release(LinkTime(nanoseconds: next.start))
                link.change(to: phase.parameters, at: LinkTime(nanoseconds: next.start))
                steady = train(phase)
                bytes = [UInt8](repeating: 0, count: steady.bytes)
                continue
            }
            let time = LinkTime(nanoseconds: now)
            release(time)
            link.offer(bytes.span, isFiltered: phase.swallowsEverything, at: time)
            count += 1
            now += steady.interval
        }
        release(LinkTime(nanoseconds: end + 3_600_000_000_000))
        return count
    }
}
