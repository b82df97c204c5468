import ScenarioLanguage

/// `65536`, or `1..65536` with both ends included.
struct NumberRange: Hashable {
    var lower: Int64
    var upper: Int64

    static let shape = Shape.either([.integer(Int64.min...Int64.max), .text])

    /// Returns nil if the field is absent.
    init?(_ name: String, of fields: Fields) throws(ScenarioError) {
        if let exact = fields.integer(name) {
            (lower, upper) = (exact, exact)
            return
        }
        guard let text = fields.text(name) else { return nil }
        let ends = text.split(separator: "..", omittingEmptySubsequences: false).map { Int64($0) }
        guard ends.count == 2, let lower = ends[0], let upper = ends[1], lower <= upper else {
            throw fields.error(
                name, "`\(text.shortened)` is not a number or range; write one such as 65536 or 1..65536")
        }
        (self.lower, self.upper) = (lower, upper)
    }

    func contains(_ value: Int64) -> Bool { (lower...upper).contains(value) }
    var description: String { lower == upper ? "\(lower)" : "\(lower) to \(upper)" }
}
