import Record
import Lab
import LabKernel
import LinkEmulator
import NetworkMonitor
import ScenarioLanguage
import Conformance
@testable import LinkEngines
import Testing

/// The same tests for both link engines: the meaning of a condition must not depend on the engine.
///
/// Delays are never shorter than requested. They may be longer because of the machine, so only the shortest and the
/// lower quarter have a bound, wide enough for a machine whose cores are all busy. Shares are compared with the
/// 99.999 % interval of the binomial distribution over 4,000 packets, which is narrower than the 99.9 % interval over
/// 2,000 and lets netem, which cannot be seeded, fail once in 100,000 runs.
@Suite(
    .serialized,
    .enabled(if: EngineAgreementLab.canBuild, "needs network namespaces and TUN devices: see crosswind doctor"))
struct EngineAgreementTests {
    private static let millisecond: Int64 = 1_000_000
    /// The interval between packets that are only counted: at a higher rate than a debug build of the emulator can
    /// read, they are lost in its device's queue, not on the link.
    private static let pace: Int64 = 50_000

    private static func delay(_ milliseconds: Int64, jitter: LinkEffect.Jitter? = nil) -> LinkEffect {
        .delay(.milliseconds(milliseconds), jitter: jitter)
    }

    private static func share(_ value: Double) throws -> Probability { try #require(Probability(value)) }
    private static func rate(_ bitsPerSecond: UInt64) throws -> LinkEffect {
        .rate(try #require(BitRate(bitsPerSecond: bitsPerSecond)))
    }

    /// Returns the 99.999 % interval of the number of successes in `n` draws; `inflation` multiplies the variance of
    /// dependent draws.
    private static func binomial(_ share: Double, _ n: Int, inflation: Double = 1) -> ClosedRange<Double> {
        let spread = 4.4172 * (share * (1 - share) * Double(n) * inflation).squareRoot()
        return share * Double(n) - spread...share * Double(n) + spread
    }

    /// Returns bits per second as the median over many spans, each a sixth of the train, so that pauses of the machine
    /// do not change it.
    private static func steadyRate(_ got: LinkProbe.Measurement, bytes: Int, skipping: Int) throws -> Double {
        let stamps = got.arrivals.dropFirst(skipping).map(\.stamp)
        let length = stamps.count / 6
        let spans = (0..<stamps.count - length).map { stamps[$0 + length] - stamps[$0] }.sorted()
        let middle = try #require(spans.isEmpty ? nil : spans[spans.count / 2])
        return Double(length * bytes * 8) * 1e9 / Double(max(middle, 1))
    }

    // MARK: - Delay

    @Test(arguments: EngineAgreementLab.engines)
    func `each direction has its requested delay`(_ engine: EngineChoice) throws {
        guard let link = try EngineAgreementLab.make(engine, up: [Self.delay(20)], down: [Self.delay(45)]) else {
            return
        }
        for (direction, requested) in [(LinkDirectionName.uplink, Int64(20)), (.downlink, 45)] {
            for ipv6 in [false, true] {
                // Slow enough for a user-mode kernel, whose own queueing is not part of the link's delay.
                let got = try link.measure(direction, packets: 100, interval: 4 * Self.millisecond, ipv6: ipv6)
                #expect(got.lost + got.refused == 0)
                let delays = got.delays
                let shortest = try #require(delays.first)
                // The clock of the time stamps may be slewed by 0.05 %.
                #expect(shortest >= requested * Self.millisecond * 9995 / 10_000)
                #expect(shortest < (requested + 5) * Self.millisecond)
                // A pause of the machine makes many packets late at once, never a quarter of them early: with the
                // shortest delay exact, a link that spread its delays would be detected here.
                #expect(delays[delays.count / 4] < (requested + 20) * Self.millisecond)
                #expect(got.overtaken == 0)
            }
        }
        link.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `jitter covers its whole requested range and reorders`(_ engine: EngineChoice) throws {
        let jitter = LinkEffect.Jitter(amount: .milliseconds(20), distribution: .uniform, allowsReordering: true)
        guard let link = try EngineAgreementLab.make(engine, up: [Self.delay(40, jitter: jitter)]) else { return }
        // Slow enough for a user-mode kernel, where each packet takes a millisecond.
        let got = try link.measure(.uplink, packets: 250, interval: 4 * Self.millisecond)
        #expect(got.lost + got.refused == 0)
        let delays = got.delays
        #expect(try #require(delays.first) >= 19_900_000)
        // Uniform over 20 to 60 ms: a quarter of 250 draws is below 30 ms. Delays of the machine only increase the
        // values.
        let early = delays.count { $0 < 30 * Self.millisecond }
        #expect(early > 20)
        #expect(Double(early) < Self.binomial(0.25, 250).upperBound)
        #expect(delays[240] > 55 * Self.millisecond)
        #expect(delays[225] < 80 * Self.millisecond)
        #expect(got.overtaken > 50)
        link.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `jitter without reordering has the same range and delays packets that would overtake`(_ engine: EngineChoice)
        throws
    {
        let jitter = LinkEffect.Jitter(amount: .milliseconds(20), distribution: .uniform, allowsReordering: false)
        guard let link = try EngineAgreementLab.make(engine, up: [Self.delay(40, jitter: jitter)]) else { return }
        // Far enough apart that many packets keep the delay that they drew, and near enough that many would overtake.
        let got = try link.measure(.uplink, packets: 250, interval: 8 * Self.millisecond)
        #expect(got.lost + got.refused == 0)
        #expect(got.overtaken == 0)
        let delays = got.delays
        #expect((19_900_000..<30 * Self.millisecond).contains(try #require(delays.first)))
        #expect(delays[240] > 55 * Self.millisecond)
        // A delayed packet waits for the longest of several draws, never longer than the maximum.
        #expect(delays[225] < 80 * Self.millisecond)
        link.finish()
    }

    // MARK: - Rate and queue

    @Test(arguments: EngineAgreementLab.engines)
    func `each direction has its own rate in layer 3 bytes`(_ engine: EngineChoice) throws {
        let effects = (try Self.rate(250_000), try Self.rate(500_000))
        guard let link = try EngineAgreementLab.make(engine, up: [effects.0], down: [effects.1]) else { return }
        for (direction, requested) in [(LinkDirectionName.uplink, 250_000.0), (.downlink, 500_000)] {
            // Small packets, so that a link-layer header that counted would be 9 % of each.
            let got = try link.measure(direction, packets: 300, bytes: 150)
            #expect(got.lost + got.refused == 0)
            // A token bucket lets its burst of 3,000 bytes through at once.
            let rate = try Self.steadyRate(got, bytes: 150, skipping: 30)
            #expect(abs(rate / requested - 1) < 0.05)
        }
        link.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `TCP fills the rate`(_ engine: EngineChoice) throws {
        let effect = try Self.rate(8_000_000)
        guard let link = try EngineAgreementLab.make(engine, up: [effect], down: [effect]) else { return }
        for direction in LinkDirectionName.allCases {
            // 1,448 of 1,500 bytes are payload: IPv4, TCP and its timestamps take 52.
            let share = try link.transfer(direction, bytes: 800_000) / (8_000_000 * 1448 / 1500)
            #expect(share < 1.05)
            #expect(share > 0.9)
        }
        link.finish()
    }

    @Test(arguments: EngineAgreementLab.engines, [true, false])
    func `a full queue drops the last packets`(_ engine: EngineChoice, countsPackets: Bool) throws {
        let queue: LinkEffect =
            countsPackets ? .queue(bytes: nil, packets: 20) : .queue(bytes: ByteCount(20_000), packets: nil)
        guard let link = try EngineAgreementLab.make(engine, up: [try Self.rate(800_000), queue]) else { return }
        let got = try link.measure(.uplink, packets: 100, bytes: 1_000)
        // One packet takes 10 ms. The queue holds twenty, a token bucket's burst is three more, and some leave while
        // others still arrive.
        let departures = got.arrivals.map { $0.stamp - $0.delay }
        let sending = try #require(departures.max()) - (try #require(departures.min()))
        let arrived = got.distinctArrivals
        #expect(arrived >= 20)
        #expect(arrived <= 20 + 3 + 2 + Int(sending / 10_000_000))
        // The last one had the whole queue before it.
        let longest = try #require(got.delays.last)
        #expect(longest > 180 * Self.millisecond)
        #expect(longest < 280 * Self.millisecond)
        // Tail drop: all arrived at once, so the first twenty are the ones that were queued.
        #expect(got.arrivals.prefix(20).map(\.packet) == Array(0..<20))
        link.finish()
    }

    // MARK: - Loss and damage

    @Test(arguments: EngineAgreementLab.engines)
    func `independent loss takes its share in each direction`(_ engine: EngineChoice) throws {
        let effects = (
            LinkEffect.loss(.independent(try Self.share(0.1))), LinkEffect.loss(.independent(try Self.share(0.3)))
        )
        guard let link = try EngineAgreementLab.make(engine, up: [effects.0], down: [effects.1]) else { return }
        for (direction, requested) in [(LinkDirectionName.uplink, 0.1), (.downlink, 0.3)] {
            let got = try link.measure(direction, packets: 4_000, interval: Self.pace)
            #expect(got.refused == 0)
            #expect(Self.binomial(requested, 4_000).contains(Double(got.lost)))
        }
        link.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `Gilbert-Elliott loss has its mean and its bursts`(_ engine: EngineChoice) throws {
        let loss = LinkEffect.loss(
            .gilbertElliott(p: try Self.share(0.02), r: try Self.share(0.2), lossInBad: .certain, lossInGood: .zero))
        guard let link = try EngineAgreementLab.make(engine, down: [loss]) else { return }
        let count = 10_000
        let got = try link.measure(.downlink, packets: count, interval: Self.pace)
        #expect(got.refused == 0)
        // Mean p/(p+r) = 1/11. Neighbours are correlated: 1-p-r = 0.78 multiplies the variance by 1.78/0.22.
        #expect(Self.binomial(1 / 11, count, inflation: 1.78 / 0.22).contains(Double(got.lost)))
        // Bursts are geometric with mean 1/r = 5 and deviation √(1-r)/r = 4.47; independent losses would have mean 1.1.
        var bursts = 0
        let arrived = Set(got.arrivals.map(\.packet))
        for packet in 0..<count where !arrived.contains(packet) && (packet == 0 || arrived.contains(packet - 1)) {
            bursts += 1
        }
        let mean = Double(got.lost) / Double(bursts)
        #expect(abs(mean - 5) < 4.4172 * 4.4721 / Double(bursts).squareRoot())
        link.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `the requested share of packets arrives twice`(_ engine: EngineChoice) throws {
        guard let link = try EngineAgreementLab.make(engine, up: [.duplicate(try Self.share(0.25))]) else { return }
        let got = try link.measure(.uplink, packets: 4_000, interval: Self.pace)
        #expect(got.lost + got.refused == 0)
        // The measurement ends with the last packet, whose copy may still be in transit.
        let bounds = Self.binomial(0.25, 4_000)
        #expect((bounds.lowerBound - 1...bounds.upperBound).contains(Double(got.duplicates)))
        link.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `the requested share of packets skips the delay and overtakes`(_ engine: EngineChoice) throws {
        let effects = [Self.delay(60), LinkEffect.reorder(try Self.share(0.2))]
        guard let link = try EngineAgreementLab.make(engine, up: effects) else { return }
        let got = try link.measure(.uplink, packets: 4_000, interval: Self.pace)
        #expect(got.lost + got.refused == 0)
        let fast = got.arrivals.count { $0.delay < 59 * Self.millisecond }
        #expect(Self.binomial(0.2, 4_000).contains(Double(fast)))
        #expect(got.overtaken > 2_000)
        link.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `corrupted packets fail their checksum and never arrive`(_ engine: EngineChoice) throws {
        guard let link = try EngineAgreementLab.make(engine, up: [.corrupt(try Self.share(0.2))]) else { return }
        // Large packets: netem may corrupt the Ethernet source address, 6 of 1,014 bytes, which the receiver does not
        // verify.
        let got = try link.measure(.uplink, packets: 4_000, bytes: 1_000, interval: Self.pace)
        #expect(got.refused == 0)
        #expect(Self.binomial(0.2, 4_000).contains(Double(got.lost)))
        link.finish()
    }

    // MARK: - Up and down

    @Test(arguments: EngineAgreementLab.engines)
    func `a black hole drops both directions until it ends`(_ engine: EngineChoice) throws {
        guard let link = try EngineAgreementLab.make(engine) else { return }
        try link.lab.apply(.interfaceState(.wifi, .blackhole))
        for direction in LinkDirectionName.allCases {
            let got = try link.measure(direction, packets: 10, patience: 50)
            #expect(got.sent == 10)
            #expect(got.arrivals.isEmpty)
        }
        try link.lab.apply(.interfaceState(.wifi, .up))
        for direction in LinkDirectionName.allCases {
            #expect(try link.measure(direction, packets: 10).distinctArrivals == 10)
        }
        link.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `an interface that went down comes back with its addresses`(_ engine: EngineChoice) throws {
        guard let link = try EngineAgreementLab.make(engine) else { return }
        let netlink = try NetlinkSocket(in: link.lab.client)
        let index = try netlink.link(named: "wlan0").index
        let before = Set(try netlink.addresses(of: index).map(\.prefix))
        #expect(before.count == 2)
        let old = try link.probe(.uplink)
        try link.lab.apply(.interfaceState(.wifi, .down))
        #expect(try netlink.addresses(of: index).isEmpty)
        #expect(!(try netlink.link(index).isUp))
        let train = LinkProbe.Train(packets: 5, patience: 50 * Self.millisecond)
        #expect(try old.measure(train, until: MonotonicClock.deadline(after: 1_000_000_000)).arrivals.isEmpty)
        try link.lab.apply(.interfaceState(.wifi, .up))
        #expect(Set(try netlink.addresses(of: index).map(\.prefix)) == before)
        for direction in LinkDirectionName.allCases {
            for ipv6 in [false, true] {
                #expect(try link.measure(direction, packets: 10, ipv6: ipv6).distinctArrivals == 10)
            }
        }
        link.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `a change does not affect the delay of packets in transit`(_ engine: EngineChoice) throws {
        guard let link = try EngineAgreementLab.make(engine, up: [Self.delay(400)]) else { return }
        let flow = try EngineAgreementFlow.make(link.lab)
        try flow.send(0..<10)
        try link.lab.apply(.link(.wifi, EngineAgreementLab.link(up: [Self.delay(10)])))
        try flow.send(10..<20)
        let delays = try flow.collect(20, within: 3_000 * Self.millisecond)
        #expect(delays.map(\.packet) == Array(10..<20) + Array(0..<10))
        for (packet, delay) in delays { #expect(delay >= (packet < 10 ? 399 : 9) * Self.millisecond) }
        let shortest = try #require(delays.filter { $0.packet >= 10 }.map(\.delay).min())
        #expect(shortest < 40 * Self.millisecond)
        link.finish()
    }

    // MARK: - Measurements of the lab

    @Test(arguments: EngineAgreementLab.engines)
    func `the lab measures a condition and records both request and result`(_ engine: EngineChoice) throws {
        let up = [Self.delay(30), try Self.rate(1_000_000)]
        guard let link = try EngineAgreementLab.make(engine, up: up, down: [Self.delay(60)]) else { return }
        try link.lab.probe()
        for (direction, requested) in [(LinkDirectionName.uplink, Int64(30)), (.downlink, 60)] {
            let words = try #require(link.requested(direction).last)
            #expect(words.contains("\(requested)"))
            let got = try #require(link.measured(direction).last)
            #expect(got.means == .probe)
            #expect(got.lost == 0)
            #expect(try #require(got.delayMinimum) >= requested * Self.millisecond * 9995 / 10_000)
            #expect(try #require(got.delayMinimum) < (requested + 30) * Self.millisecond)
            #expect(got.text.hasPrefix("asked "))
            #expect(got.text.contains(", got "))
        }
        #expect(link.measured(.uplink).last?.bitsPerSecond != nil)
        link.finish()
    }

    /// A token bucket's burst passes at once, so only a longer train can measure the rate.
    @Test(arguments: EngineAgreementLab.engines, [200_000, 1_000_000, 4_000_000])
    func `the lab measures the rate behind a burst`(_ engine: EngineChoice, requested: UInt64) throws {
        guard let link = try EngineAgreementLab.make(engine, up: [try Self.rate(requested)]) else { return }
        // A pause of the machine disturbs the spacing of a short train, but hardly of two in three.
        for _ in 0..<3 { try link.lab.probe() }
        let got = link.measured(.uplink)
        #expect(got.map(\.lost) == [0, 0, 0])
        let rate = Double(try #require(got.compactMap(\.bitsPerSecond).sorted().dropFirst().first))
        #expect((Double(requested) * 0.5...Double(requested) * 2).contains(rate))
        link.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `packets are counted as the wire carries them`(_ engine: EngineChoice) throws {
        guard let link = try EngineAgreementLab.make(engine) else { return }
        try link.lab.probe()
        #expect(try link.measure(.uplink, packets: 500, bytes: 1_000).lost == 0)
        #expect(try link.measure(.downlink, packets: 300, bytes: 1_000).lost == 0)
        link.lab.report()
        for (direction, count) in [(LinkDirectionName.uplink, UInt64(500)), (.downlink, 300)] {
            let counted = try #require(link.counts(direction).last)
            // A veth also counts the few packets that the kernels at its ends exchange (RFC 826).
            #expect((count...count + 20).contains(counted.packets))
            #expect((count * 1_000...count * 1_000 + 3_000).contains(counted.bytes))
        }
        // No train of segments may pass as one packet: loss and queues would apply to all of it at once.
        _ = try link.transfer(.uplink, bytes: 2_000_000)
        link.lab.report()
        let up = try #require(link.counts(.uplink).last)
        #expect(up.bytes > 2_000_000)
        #expect(Double(up.bytes - 500_000) / Double(up.packets - 500) <= 1_500)
        #expect(up.packets >= 500 + 2_000_000 / 1_448)
        link.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `packets that the link loses count as sent`(_ engine: EngineChoice) throws {
        guard let link = try EngineAgreementLab.make(engine, up: [.loss(.independent(.certain))]) else { return }
        #expect(try link.measure(.uplink, packets: 50).lost == 50)
        link.lab.report()
        let up = try #require(link.counts(.uplink).last)
        #expect((50...70).contains(up.packets))
        link.finish()
    }

    @Test func `the kernel engine refuses by name what only the emulator supports`() throws {
        for effect in [
            LinkEffect.mtu(1_400), .outages(every: .seconds(1), lasting: .milliseconds(100)), .loss(.packets([3])),
            .reorder(try Self.share(0.1)), .queue(bytes: ByteCount(10_000), packets: 10),
        ] {
            let error = #expect(throws: LabError.self) { try EngineAgreementLab(.kernel, [effect], []) }
            guard case .cannotExpress(let condition, engine: "kernel", let reason) = error else {
                Issue.record("\(effect): \(String(describing: error))")
                continue
            }
            #expect(!condition.isEmpty)
            #expect(!reason.isEmpty)
            let link = try EngineAgreementLab(.emulator, [effect], [])
            #expect(try link.measure(.uplink, packets: 3).refused == 0)
            link.finish()
        }
    }
}
