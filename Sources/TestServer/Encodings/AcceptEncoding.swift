import Scenario

/// A client's preferences for content codings (RFC 9110 §12.5.3). A client without the field gets no coding.
struct AcceptEncoding {
    private let weights: [String: Double]

    init(_ fields: [String]) {
        var weights: [String: Double] = [:]
        for entry in fields.joined(separator: ",").split(separator: ",") {
            let parts = entry.split(separator: ";").map(\.trimmedOfBlanks)
            guard let name = parts.first, !name.isEmpty else { continue }
            let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }
            weights[name.lowercased()] = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
        }
        self.weights = weights
    }

    func allows(_ codings: [EncodingPlan.Coding]) -> Bool {
        codings.allSatisfy { (weights[$0.token] ?? weights["*"] ?? 0) > 0 }
    }
}
