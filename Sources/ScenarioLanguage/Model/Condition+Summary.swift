package import Units
package import LinkEmulator

/// Single figures of a condition, for tables.
extension Condition {
    /// The rate; nil when it is unlimited, or a trace, whose rate varies.
    package var rate: BitRate? {
        for case .rate(let rate) in effects {
            switch rate {
            case .constant(let rate), .bucket(let rate, burst: _): return rate
            case .trace: return nil
            }
        }
        return nil
    }

    package var delay: (amount: Duration, jitter: Duration)? {
        for case .delay(let amount, let jitter) in effects { return (amount, jitter?.amount ?? .zero) }
        return nil
    }

    /// The expected share of lost packets; nil where the model names packets or lacks a simple formula.
    package var lossShare: Double? {
        for case .loss(let loss) in effects {
            switch loss {
            case .independent(let share): return share.value
            case .gilbertElliott(let p, let r, let lossInBad, let lossInGood):
                let both = p.value + r.value
                let bad = both > 0 ? p.value / both : 0
                return bad * lossInBad.value + (1 - bad) * lossInGood.value
            case .fading(let good, let bad, let lossInBad, let lossInGood):
                let share = bad / (good + bad)
                return share * lossInBad.value + (1 - share) * lossInGood.value
            case .fourState, .packets: return nil
            }
        }
        return 0
    }

    package var hasOutages: Bool { effects.contains { if case .outages = $0 { true } else { false } } }

    /// True when every packet is dropped. A rule without criteria applies to every packet; one with criteria only to
    /// certain real traffic.
    package var swallowsEverything: Bool {
        effects.contains { effect in
            guard case .filter(let rules) = effect else { return false }
            return rules.contains { rule in
                rule == PacketRule(action: rule.action) && rule.action != .refuse
            }
        }
    }
}
