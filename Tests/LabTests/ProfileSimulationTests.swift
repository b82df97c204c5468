import LinkEmulator
import ScenarioLanguage
import Testing

@testable import Lab

/// Every profile behaves in the emulator according to its numbers.
@Suite struct ProfileSimulationTests {
    private static let minute: Double = 60

    private struct Promise {
        /// Delivered bits per second, and the share of lost packets.
        var rate = 0.0
        var loss = 0.0
        /// The bounds of the mean delay in milliseconds, weighted by the packets that pass; nil when none does.
        var delay: ClosedRange<Double>?
    }

    /// Calculates the expectation from the profile alone, without the emulator.
    private static func promise(_ profile: LinkProfile, _ side: (Condition, Condition) -> Condition) -> Promise {
        var phases = [(start: 0.0, condition: side(profile.downlink, profile.uplink))]
        phases += profile.steps.map {
            (start: Double($0.after.nanoseconds) / 1e9, condition: side($0.downlink, $0.uplink))
        }
        var (promise, passing, least, most) = (Promise(), 0.0, 0.0, 0.0)
        for (index, phase) in phases.enumerated() {
            let end = index + 1 < phases.count ? phases[index + 1].start : minute
            let weight = (end - phase.start) / minute
            let condition = phase.condition
            let share =
                condition.swallowsEverything
                ? 0 : (1 - (condition.lossShare ?? 0)) * (1 - outageShare(condition, end - phase.start))
            let rate = condition.rate.map { Double($0.bitsPerSecond) } ?? ProfileSimulation.rateWithoutLimit
            let (delay, jitter) = condition.delay.map { ($0.amount, $0.jitter) } ?? (.zero, .zero)
            let start = Double(delay.nanoseconds) / 1e6
            // A packet that may not overtake waits for the one before it, which jitter delays.
            let slack = Double(jitter.nanoseconds) / 1e6 + 64 * 8 / rate * 1e3
            promise.rate += weight * rate * share
            promise.loss += weight * (1 - share)
            passing += weight * share
            least += weight * share * start
            most += weight * share * (start + slack)
        }
        if passing > 0 { promise.delay = (least / passing - 1)...(most / passing + 1) }
        return promise
    }

    private static func outageShare(_ condition: Condition, _ seconds: Double) -> Double {
        for case .outages(let outages) in condition.effects {
            switch outages {
            case .periodic(let every, let lasting): return Double(lasting.nanoseconds) / Double(every.nanoseconds)
            case .windows(let windows): return windows.reduce(0) { $0 + Double($1.lasting.nanoseconds) / 1e9 } / seconds
            }
        }
        return 0
    }

    @Test(arguments: ProfileCatalogue.all, LinkDirectionName.allCases)
    func `a minute has the rate, the delay and the loss of the profile`(
        _ profile: LinkProfile, _ direction: LinkDirectionName
    ) throws {
        let simulation = try ProfileSimulation(profile, direction, .init(duration: .seconds(60)))
        let promise = Self.promise(profile) { down, up in direction == .downlink ? down : up }
        #expect(
            abs(simulation.meanRate - promise.rate) <= 0.04 * promise.rate, "\(simulation.meanRate) for \(promise.rate)"
        )
        #expect(abs(simulation.lossShare - promise.loss) <= 0.015, "\(simulation.lossShare) for \(promise.loss)")
        if let bounds = promise.delay {
            let mean = try #require(simulation.meanDelay) / 1e6
            #expect(bounds.contains(mean), "\(mean) ms outside \(bounds)")
        } else {
            #expect(simulation.delays.isEmpty)
        }
    }

    /// A link that is offered more than its rate delivers exactly its rate.
    @Test(arguments: ["3g", "edge", "dsl", "cable", "lte"])
    func `the delivered rate never exceeds the link's rate`(_ name: String) throws {
        let profile = try #require(ProfileCatalogue.named(name))
        let simulation = try ProfileSimulation(profile, .downlink, .init(load: 1.5))
        let rate = Double(try #require(profile.downlink.rate).bitsPerSecond)
        #expect(simulation.meanRate <= rate * 1.01)
        #expect(simulation.meanRate >= rate * 0.95)
    }

    @Test func `outages and steps appear as intervals without delivered bits`() throws {
        let tunnel = try ProfileSimulation(.tunnel, .downlink, .init(bins: 20))
        #expect(tunnel.rates[6] == 0)
        #expect(tunnel.rates[12] > 0)
        let elevator = try ProfileSimulation(.elevator, .downlink, .init(bins: 20))
        #expect(elevator.rates[1] > 5e6)
        #expect(elevator.rates[7] == 0)
        #expect((100_000...300_000).contains(elevator.rates[13]))
        #expect(elevator.rates[18] > 5e6)
    }

    @Test func `the same seed gives the same figures, and a histogram counts every packet`() throws {
        let first = try ProfileSimulation(.flakyWifi, .uplink)
        let second = try ProfileSimulation(.flakyWifi, .uplink)
        #expect(first.rates == second.rates)
        #expect(first.delays == second.delays)
        #expect(first.histogram(12).map(\.packets).reduce(0, +) == first.delays.count)
        #expect(try ProfileSimulation(.lieFi, .downlink).histogram(12).isEmpty)
    }
}
