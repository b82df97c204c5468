import LinkEmulator
import ScenarioLanguage

/// One run of a sweep: a scenario with one fault, or with several drawn at random.
package struct SweepCase: Hashable, Sendable {
    /// The name of its file, which is the same in every shard.
    package let id: String
    /// The id of the scenario.
    package let scenario: String
    package let injections: [Injection]
}

/// The choice of cases: which faults at which points, how many, and which part of them.
package struct SweepPlan: Hashable, Sendable {
    package var faults: [SweepFault]
    /// nil: all phases.
    package var phases: [InjectionPoint.Phase]?
    package var everyByte = false
    /// The most cases; they are drawn evenly from every fault and phase.
    package var limit: Int?
    package var seed: UInt64
    /// The number of cases with several faults each, instead of one fault at every point.
    package var random: Int?
    /// The part that runs here, of how many.
    package var part = 1
    package var of = 1

    package init(faults: [SweepFault], seed: UInt64) {
        self.faults = faults
        self.seed = seed
    }

    /// Reads the phases of the command line; no word stands for all of them.
    package static func phases(_ words: [String]) throws(SweepError) -> [InjectionPoint.Phase]? {
        var phases: [InjectionPoint.Phase] = []
        for word in words {
            guard let phase = InjectionPoint.Phase(rawValue: word) else {
                throw .unknownPhase(word, known: InjectionPoint.Phase.allCases.map(\.rawValue))
            }
            phases.append(phase)
        }
        return phases.isEmpty ? nil : phases
    }

    /// Returns the cases of this part. Every part of the same plan gets other cases, whatever the number of points that
    /// its own run found: the part follows from the name of a case, not from its position.
    package func cases(of found: [(base: SweepBase, points: [InjectionPoint])]) -> [SweepCase] {
        let pairs = found.map { base, points in (base, injections(base, points)) }
        let all =
            random.map { draw($0, from: pairs) }
            ?? limited(
                pairs.flatMap { base, injections in
                    SweepPlan.named(injections.map { [$0] }, base)
                })
        return all.filter { of <= 1 || SweepPlan.hash($0.id, 0) % UInt64(of) == UInt64(part - 1) }
    }

    private func injections(_ base: SweepBase, _ points: [InjectionPoint]) -> [Injection] {
        let wanted = points.filter { phases?.contains($0.phase) ?? true }
        return faults.flatMap { fault in
            wanted.filter { fault.applies(to: $0, of: base.scenario) }.map { Injection(fault, $0) }
        }
    }

    // MARK: - Several faults

    private func draw(_ count: Int, from pairs: [(base: SweepBase, injections: [Injection])]) -> [SweepCase] {
        let usable = pairs.filter { !$0.injections.isEmpty }
        guard !usable.isEmpty else { return [] }
        return (0..<count).map { number in
            let (base, injections) = usable[number % usable.count]
            var state = SweepPlan.hash("\(base.name) \(number)", seed)
            let chosen = (0..<2 + Int(SweepPlan.next(&state) % 2)).map { _ in
                injections[Int(SweepPlan.next(&state) % UInt64(injections.count))]
            }
            let digits = String(number + 1)
            let id = "\(base.name)-random-\(String(repeating: "0", count: max(0, 5 - digits.count)))\(digits)"
            // In the order of the run, each once.
            let ordered = injections.filter(chosen.contains)
            return SweepCase(id: id, scenario: base.scenario.id, injections: ordered)
        }
    }

    // MARK: - A limit

    /// Returns at most `limit` cases, one in turn from each scenario, fault and phase. Which cases of a group come first
    /// depends on the seed alone.
    private func limited(_ cases: [SweepCase]) -> [SweepCase] {
        guard let limit, cases.count > limit else { return cases }
        struct Group: Hashable {
            var scenario: String
            var fault: SweepFault?
            var phase: InjectionPoint.Phase?
        }
        var groups: [Group] = []
        var members: [Group: [(rank: UInt64, index: Int)]] = [:]
        for (index, item) in cases.enumerated() {
            let group = Group(
                scenario: item.scenario, fault: item.injections.first?.fault, phase: item.injections.first?.point.phase)
            if members[group] == nil { groups.append(group) }
            members[group, default: []].append((SweepPlan.hash(item.id, seed), index))
        }
        for group in groups { members[group]?.sort { ($0.rank, $0.index) < ($1.rank, $1.index) } }
        var chosen: Set<Int> = []
        for round in 0..<cases.count where chosen.count < limit {
            for group in groups where chosen.count < limit {
                if let list = members[group], round < list.count { chosen.insert(list[round].index) }
            }
        }
        return cases.indices.filter(chosen.contains).map { cases[$0] }
    }

    // MARK: - Names and numbers

    private static func named(_ lists: [[Injection]], _ base: SweepBase) -> [SweepCase] {
        var used: [String: Int] = [:]
        return lists.map { injections in
            var id = "\(base.name)-\(slug(injections.map(\.description).joined(separator: "-and-")))"
            used[id, default: 0] += 1
            if let number = used[id], number > 1 { id += "-\(number)" }
            return SweepCase(id: id, scenario: base.scenario.id, injections: injections)
        }
    }

    /// Returns the letters and digits of the text with hyphens between its words.
    private static func slug(_ text: String) -> String {
        text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
    }

    private static func hash(_ text: String, _ seed: UInt64) -> UInt64 {
        var state = UInt64(fnv1a: text, salt: seed)
        // FNV alone leaves the low bits of similar names alike.
        return next(&state)
    }

    /// SplitMix64.
    private static func next(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return CounterRandom.mix(state)
    }
}
