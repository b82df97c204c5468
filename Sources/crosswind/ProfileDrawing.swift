import AdapterProtocol
import Lab
import LinkEmulator
import LinkEngines
import ScenarioLanguage

/// Twenty simulated seconds of a profile, for a terminal, a picture or a program.
struct ProfileDrawing {
    /// One direction of the link.
    struct Side {
        let name: LinkDirectionName
        let simulation: ProfileSimulation
    }

    let profile: LinkProfile
    let sides: [Side]

    init(_ profile: LinkProfile) throws(LabError) {
        self.profile = profile
        sides = [
            Side(name: .downlink, simulation: try ProfileSimulation(profile, .downlink)),
            Side(name: .uplink, simulation: try ProfileSimulation(profile, .uplink, .init(seed: 2))),
        ]
    }

    /// The drawing as text lines; the rate scale starts at 0, so an outage is a gap.
    func lines(width: Int) -> [String] {
        var lines = ["\(profile.name): \(profile.summary)"]
        for side in sides { lines += [""] + Self.lines(side, width: width) }
        if !profile.dnsRules.isEmpty {
            lines += ["", "names: \(profile.dnsRules.map(\.summary).joined(separator: ", "))"]
        }
        return lines + ["", "Source: \(profile.source)"]
    }

    private static func lines(_ side: Side, width: Int) -> [String] {
        let simulation = side.simulation
        let top = simulation.rates.max() ?? 0
        let columns = max(20, min(simulation.rates.count, width - 2))
        let rates = squeezed(simulation.rates, into: columns)
        var lines = [
            "\(side.name.rawValue): \(ProfileSummary.rate(simulation.meanRate)) on average, at most \(ProfileSummary.rate(top)); "
                + "\(ProfileSummary.percent(simulation.lossShare)) of small packets lost"
        ]
        for row in [2, 1, 0] {
            lines.append("  " + rates.map { block(top > 0 ? $0 / top * 3 - Double(row) : 0) }.joined())
        }
        lines.append("  0 s" + String(repeating: " ", count: max(1, columns - 7)) + "20 s")
        let histogram = simulation.histogram(10)
        let most = histogram.map(\.packets).max() ?? 0
        lines.append(histogram.isEmpty ? "  no delay to show, because no packet arrived" : "  one-way delay")
        for bar in histogram {
            let range =
                "\(ProfileSummary.number(Double(bar.from) / 1e6))–\(ProfileSummary.number(Double(bar.to) / 1e6)) ms"
            let length = bar.packets == 0 ? 0 : max(1, bar.packets * 40 / max(1, most))
            let padding = String(repeating: " ", count: max(0, 18 - range.count))
            lines.append("  \(padding)\(range)  \(String(repeating: "█", count: length)) \(bar.packets)")
        }
        return lines
    }

    /// Terminals show steps of an eighth of a block; any value above 0 is visible.
    private static func block(_ height: Double) -> String {
        let blocks = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        guard height > 0 else { return blocks[0] }
        return blocks[min(8, max(1, Int((height * 8).rounded())))]
    }

    private static func squeezed(_ rates: [Double], into columns: Int) -> [Double] {
        guard columns < rates.count else { return rates }
        return (0..<columns).map { column in
            let part = rates[(column * rates.count / columns)..<((column + 1) * rates.count / columns)]
            return part.reduce(0, +) / Double(max(1, part.count))
        }
    }

    var json: JSONValue {
        guard case .object(var object) = ProfileSummary.json(profile) else { return .null }
        for side in sides {
            let simulation = side.simulation
            object["simulated\(side.name == .downlink ? "Down" : "Up")"] = .object([
                "seconds": .number(Double(simulation.settings.duration.nanoseconds) / 1e9),
                "meanRate": .number(simulation.meanRate), "rates": .list(simulation.rates.map { .number($0) }),
                "sent": .integer(Int64(simulation.sent)), "lost": .integer(Int64(simulation.lost)),
                "meanDelayMilliseconds": simulation.meanDelay.map { .number($0 / 1e6) } ?? .null,
                "delays": .list(
                    simulation.histogram(20).map { bar in
                        .object([
                            "fromMilliseconds": .number(Double(bar.from) / 1e6),
                            "toMilliseconds": .number(Double(bar.to) / 1e6),
                            "packets": .integer(Int64(bar.packets)),
                        ])
                    }),
            ])
        }
        return .object(object)
    }
}
