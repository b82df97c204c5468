import LinkEmulator
import Scenario

extension LinkParameters {
    /// The emulator can express every effect exactly; a new effect stops the compiler here.
    init(_ condition: Condition, swallowsEverything: Bool = false) {
        self.init()
        for effect in condition.effects {
            switch effect {
            case .rate(.constant(let rate)): rateBitsPerSecond = rate.bitsPerSecond
            case .delay(let delay, let jitter):
                delayNanoseconds = delay.nanoseconds
                self.jitter = jitter.map(JitterModel.init)
            case .loss(.independent(let share)): loss = .independent(share.value)
            case .loss(.gilbertElliott(let p, let r, let inBad, let inGood)):
                loss = .gilbertElliott(p: p.value, r: r.value, lossInBad: inBad.value, lossInGood: inGood.value)
            case .loss(.packets(let indexes)): loss = .packets(Set(indexes))
            case .duplicate(let share): duplicate = share.value
            case .reorder(let share): reorder = share.value
            case .corrupt(let share): corrupt = share.value
            case .queue(let queue):
                queueBytes = queue.bytes.map { Int($0.bytes) }
                if let packets = queue.packets { queuePackets = packets }
            case .mtu(let bytes, isAnnounced: _): mtu = bytes
            case .rate(.bucket), .rate(.trace), .promotion, .loss(.fourState), .outages(.windows), .filter: break
            case .outages(.periodic(let every, let lasting)):
                outages = OutagePattern(everyNanoseconds: every.nanoseconds, lastingNanoseconds: lasting.nanoseconds)
            }
        }
        // A black hole: what is on the way dies as well, as when the path behind the interface is gone.
        if swallowsEverything { isUp = false }
    }
}

extension JitterModel {
    fileprivate init(_ jitter: LinkEffect.Jitter) {
        let distribution: Distribution =
            switch jitter.distribution {
            case .uniform: .uniform
            case .normal: .normal
            case .pareto: .pareto
            case .table: .normal
            }
        self.init(
            amountNanoseconds: jitter.amount.nanoseconds, distribution: distribution,
            allowsReordering: jitter.allowsReordering)
    }
}
