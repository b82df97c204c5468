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
        /// The scenario on which this one depends did not pass.
        case skip(Item, after: String)
        /// Nothing can start until a running scenario has ended.
        case wait
        case done
    }

    private enum Ended { case passed, otherwise }
    private let scenarios: [Scenario]
    private var pending: [Item]
    private var remaining: [String: Int]
    private var failed: Set<String> = []
    /// For each scenario the ids of those on which it depends. Those outside this run (filtered out, or in another
    /// shard) are ignored.
    private let dependencies: [[String]]

    /// - Parameter keepsOrder: true to run the scenarios in the given order.
    package init(scenarios: [Scenario], repetitions: Int, keepsOrder: Bool = false) {
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
        self.pending = (1...max(1, repetitions)).flatMap { repetition in
            order.map { Item(scenario: $0, repetition: repetition) }
        }
    }

    package mutating func next() -> Next {
        if pending.isEmpty { return .done }
        for (index, item) in pending.enumerated() {
            let dependencies = dependencies[item.scenario]
            if let after = dependencies.first(where: failed.contains) {
                return .skip(pending.remove(at: index), after: after)
            }
            if dependencies.allSatisfy({ remaining[$0] == 0 }) { return .run(pending.remove(at: index)) }
        }
        return .wait
    }

    package mutating func ended(_ item: Item, passed: Bool) {
        let id = scenarios[item.scenario].id
        remaining[id, default: 1] -= 1
        if !passed { failed.insert(id) }
    }

    /// Stops the schedule: no further run starts.
    package mutating func stop() { pending = [] }
}

extension Scenario {
    /// An approximate length for ordering: the tag `slow`, then the limit.
    fileprivate var expectedLength: Double {
        (tags.contains("slow") ? 1_000 : 0) + Double(limit.nanoseconds) / 1e9
    }
}
