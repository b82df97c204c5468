/// All errors in one scenario file, in the order of its lines.
package struct ScenarioErrors: Error, Hashable, CustomStringConvertible {
    /// The errors; never empty.
    package let errors: [ScenarioError]

    init(_ errors: [ScenarioError]) {
        var seen: Set<ScenarioError> = []
        self.errors = errors.filter { seen.insert($0).inserted }
            .sorted { ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column) }
    }

    package var description: String { errors.map(\.description).joined(separator: "\n") }
}
