package import Record
package import ScenarioLanguage

/// Selects the next run: longest first unless an order is given, and a dependent scenario only after the one it names
/// has passed.
package struct SuiteSchedule {
    package struct Item: Hashable, Sendable {
        package var scenario: Int
        /// The number of the repetition, from 1.
        package var repetition: Int
    }

    package enum Next: Hashable {
        case run(Item)
        /// Repeat the run while no other is running: the machine was too slow for it.
        case runAlone(Item)
        /// The scenario on which this one depends did not pass, which is the outcome of this one.
        case skip(Item, Outcome)
        /// Nothing can start until a running scenario has ended.
        case wait
        case done
    }

    private let scenarios: [Scenario]
    private var pending: [Item]
    private var remaining: [String: Int]
    /// For each scenario the ids of those on which it depends. Those outside this run (filtered out, or in another
    /// shard) are ignored.
    private let dependencies: [[String]]
    /// The outcomes of dependents of the scenarios that did not pass.
    private var failed: [String: Outcome] = [:]
    /// The items that were handed out and have not ended.
    private var active = 0
    private var tooSlow: [Item] = []
    private var isAlone = false
    private var isStopped = false

    /// - Parameters:
    ///   - first: the number of the first repetition.
    ///   - keepsOrder: true to run the scenarios in the given order.
    package init(scenarios: [Scenario], repetitions: Int, from first: Int = 1, keepsOrder: Bool = false) {
        self.scenarios = scenarios
        let known = scenarios.map(\.variant)
        self.dependencies = scenarios.map { scenario in
            scenario.after.map { scenario.variant.resolving($0, among: known).map(\.description) } ?? []
        }
        self.remaining = Dictionary(scenarios.map { ($0.id, repetitions) }, uniquingKeysWith: +)
        // Slow ones first: with many at once, the suite then takes about as long as its longest scenario.
        let order = scenarios.indices.sorted {
            let (left, right) = (scenarios[$0].expectedLength, scenarios[$1].expectedLength)
            return left != right && !keepsOrder ? left > right : $0 < $1
        }
        self.pending = (first..<first + max(1, repetitions)).flatMap { repetition in
            order.map { Item(scenario: $0, repetition: repetition) }
        }
    }

    package mutating func next() -> Next {
        for (index, item) in pending.enumerated() where !isAlone {
            let dependencies = dependencies[item.scenario]
            if let after = dependencies.first(where: { failed[$0] != nil }), let outcome = failed[after] {
                return .skip(take(index), outcome)
            }
            if dependencies.allSatisfy({ remaining[$0] == 0 }) { return .run(take(index)) }
        }
        if active == 0, !tooSlow.isEmpty {
            (active, isAlone) = (1, true)
            return .runAlone(tooSlow.removeFirst())
        }
        return pending.isEmpty && tooSlow.isEmpty ? .done : .wait
    }

    private mutating func take(_ index: Int) -> Item {
        active += 1
        return pending.remove(at: index)
    }

    package mutating func ended(_ item: Item, _ outcome: Outcome) {
        (active, isAlone) = (active - 1, false)
        let id = scenarios[item.scenario].id
        remaining[id, default: 1] -= 1
        switch outcome {
        case .pass: break
        case .unsupported(let feature):
            failed[id] = failed[id] ?? .unsupported("\(id), on which it depends, is unsupported: \(feature)")
        case .fail, .skipped, .error: failed[id] = .skipped(after: id)
        }
    }

    /// Ends a run for which the machine was too slow, and schedules its only repetition after all others. Returns false
    /// if this was the repetition: then its outcome decides.
    package mutating func postpone(_ item: Item) -> Bool {
        guard !isAlone, !isStopped else { return false }
        active -= 1
        tooSlow.append(item)
        return true
    }

    /// Stops the schedule: no further run starts.
    package mutating func stop() {
        (pending, tooSlow) = ([], [])
        isStopped = true
    }
}

extension Scenario {
    /// An approximate length for ordering: the tag `slow`, then the limit.
    fileprivate var expectedLength: Double {
        (tags.contains("slow") ? 1_000 : 0) + Double(limit.nanoseconds) / 1e9
    }
}
