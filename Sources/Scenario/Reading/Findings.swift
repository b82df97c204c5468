/// What is wrong in a file, collected while its model is built.
struct Findings {
    private(set) var errors: [ScenarioError] = []

    mutating func refuse(_ place: Place, _ message: String) {
        errors.append(ScenarioError(at: place, message))
    }

    mutating func add(_ more: [ScenarioError]) { errors += more }

    /// nil, and a finding, when `body` refuses.
    mutating func attempt<T>(_ body: () throws(ScenarioError) -> T) -> T? {
        do {
            return try body()
        } catch {
            errors.append(error)
            return nil
        }
    }

    /// A count, index or code that the shape has already bounded.
    static func int(_ value: Int64?) -> Int? { value.map { Int(clamping: $0) } }
}
