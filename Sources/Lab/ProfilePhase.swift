import LinkEmulator
import LinkEngines
import ScenarioLanguage

/// Packets of one length at equal intervals.
struct PacketTrain {
    var bytes: Int
    var interval: Int64
}

/// A condition of a profile with the time at which it begins.
struct ProfilePhase {
    var start: Int64
    var parameters: LinkParameters
    var rate: Double
    var swallowsEverything: Bool

    static func phases(of profile: LinkProfile, _ direction: LinkDirectionName) throws(LabError) -> [ProfilePhase] {
        func side(_ down: Condition, _ up: Condition) -> Condition {
            switch direction {
            case .downlink: down
            case .uplink: up
            }
        }
        var phases = [try ProfilePhase(side(profile.downlink, profile.uplink), start: 0)]
        for step in profile.steps {
            phases.append(try ProfilePhase(side(step.downlink, step.uplink), start: step.after.nanoseconds))
        }
        return phases
    }

    private init(_ condition: Condition, start: Int64) throws(LabError) {
        self.start = start
        parameters = try LinkParameters.make(condition, swallowsEverything: false)
        rate = condition.rate.map { Double($0.bitsPerSecond) } ?? ProfileSimulation.rateWithoutLimit
        swallowsEverything = condition.swallowsEverything
    }

    /// Returns the large packets: about a hundred per second on slow links, so that their curve is smooth.
    func fullPacketTrain(load: Double, longest: Int) -> PacketTrain {
        let bytes = min(longest, max(100, Int(rate / 800)))
        return PacketTrain(bytes: bytes, interval: Int64((Double(bytes * 8) / (rate * load) * 1e9).rounded(.up)))
    }
}
