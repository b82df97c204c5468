/// An error in a scenario file, with its position and a correction.
package struct ScenarioError: Error, Hashable, CustomStringConvertible {
    package var place: Place
    /// One sentence: the text found, the allowed values, the nearest correct spelling.
    package var message: String
    package init(at place: Place, _ message: String) {
        self.place = place
        self.message = message
    }
    /// `FILE:LINE:COLUMN: message`
    package var description: String { "\(place.file):\(place.line):\(place.column): \(message)" }
}

package struct Place: Hashable, Sendable {
    package var file: String
    /// The line, counted from 1.
    package var line: Int
    package var column: Int
    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }
}

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
