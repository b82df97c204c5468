/// The errors in a file, collected while its model is built.
package struct Findings {
    package private(set) var errors: [ScenarioError] = []

    package mutating func refuse(_ place: Place, _ message: String) {
        errors.append(ScenarioError(at: place, message))
    }

    mutating func add(_ more: [ScenarioError]) { errors += more }

    /// Runs `body`; if it throws, records the error and returns nil.
    mutating func attempt<T>(_ body: () throws(ScenarioError) -> T) -> T? {
        do {
            return try body()
        } catch {
            errors.append(error)
            return nil
        }
    }

    /// Converts a count, index or code that the shape has already bounded.
    package static func int(_ value: Int64?) -> Int? { value.map { Int(clamping: $0) } }
}
