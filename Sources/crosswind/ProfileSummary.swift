import AdapterProtocol
import Foundation
import LinkEmulator
import ScenarioLanguage

/// A profile's figures, short enough for a table.
enum ProfileSummary {
    static func rate(_ condition: Condition) -> String {
        condition.rate.map { rate(Double($0.bitsPerSecond)) } ?? "any"
    }

    static func rate(_ bitsPerSecond: Double) -> String {
        bitsPerSecond >= 1e6 ? "\(number(bitsPerSecond / 1e6)) Mbit/s" : "\(number(bitsPerSecond / 1e3)) kbit/s"
    }

    /// One-way delay, for both directions where they differ.
    static func delay(_ profile: LinkProfile) -> String { joined(delay(profile.downlink), delay(profile.uplink)) }

    static func loss(_ profile: LinkProfile) -> String {
        let words = joined(loss(profile.downlink), loss(profile.uplink))
        return profile.steps.isEmpty ? words : "\(words), then \(profile.steps.count) steps"
    }

    static func milliseconds(_ nanoseconds: Double) -> String { "\(number(nanoseconds / 1e6)) ms" }

    static func percent(_ share: Double) -> String { "\(number(share * 100)) %" }

    /// At most one decimal.
    static func number(_ value: Double) -> String {
        let tenths = (value * 10).rounded()
        return tenths.truncatingRemainder(dividingBy: 10) == 0 ? "\(Int(tenths / 10))" : "\(tenths / 10)"
    }

    static func json(_ profile: LinkProfile) -> JSONValue {
        .object([
            "name": .text(profile.name), "summary": .text(profile.summary), "source": .text(profile.source),
            "downlink": json(profile.downlink), "uplink": json(profile.uplink),
            "dns": .list(profile.dnsRules.map { .text($0.summary) }),
            "steps": .list(
                profile.steps.map { step in
                    .object([
                        "afterSeconds": .number(Double(step.after.nanoseconds) / 1e9), "downlink": json(step.downlink),
                        "uplink": json(step.uplink),
                    ])
                }),
        ])
    }

    private static func json(_ condition: Condition) -> JSONValue {
        .object([
            "rate": condition.rate.map { .integer(Int64(clamping: $0.bitsPerSecond)) } ?? .null,
            "delayMilliseconds": .number(Double(condition.delay?.amount.nanoseconds ?? 0) / 1e6),
            "jitterMilliseconds": .number(Double(condition.delay?.jitter.nanoseconds ?? 0) / 1e6),
            "lossShare": condition.swallowsEverything ? .number(1) : condition.lossShare.map { .number($0) } ?? .null,
            "effects": .text(condition.summary),
        ])
    }

    private static func delay(_ condition: Condition) -> String {
        guard let (amount, jitter) = condition.delay else { return "none" }
        let words = milliseconds(Double(amount.nanoseconds))
        return jitter == .zero ? words : "\(words) ± \(number(Double(jitter.nanoseconds) / 1e6))"
    }

    private static func loss(_ condition: Condition) -> String {
        if condition.swallowsEverything { return "all" }
        let share = condition.lossShare.map { $0 == 0 ? "none" : percent($0) } ?? "by model"
        return condition.hasOutages ? (share == "none" ? "outages" : "\(share), outages") : share
    }

    private static func joined(_ down: String, _ up: String) -> String { down == up ? down : "\(down) / \(up)" }
}
