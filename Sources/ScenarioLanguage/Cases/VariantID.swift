/// The id of a run: the scenario's own, the row of its parameters and the network, as in `resume/reset[at-4096]@lte`.
package struct VariantID: Hashable, Sendable, CustomStringConvertible {
    /// The id of the scenario's file.
    package var base: String
    package var row: String?
    package var network: String?

    package init(base: String, row: String? = nil, network: String? = nil) {
        self.base = base
        self.row = row
        self.network = network
    }

    /// Splits an id; a text without the marks is the base alone.
    package init(_ id: String) {
        base = id
        if let (before, name) = Self.split(base, at: "@") { (base, network) = (before, name) }
        if base.hasSuffix("]"), let (before, name) = Self.split(String(base.dropLast()), at: "[") {
            (base, row) = (before, name)
        }
    }

    package var description: String { base + (row.map { "[\($0)]" } ?? "") + (network.map { "@\($0)" } ?? "") }

    /// Letters, digits, dots, hyphens and underscores, so that a name is part of a path and of an id.
    static func isName(_ text: String) -> Bool {
        HTTPHeadSyntax.isName(text.replacing(".", with: "-")) && !text.hasPrefix(".")
    }

    private static func split(_ text: String, at mark: Character) -> (String, String)? {
        guard let index = text.lastIndex(of: mark), index > text.startIndex else { return nil }
        let name = String(text[text.index(after: index)...])
        return isName(name) ? (String(text[..<index]), name) : nil
    }
}

extension VariantID {
    /// Returns the ids, among `known`, of the runs that `dependency` names for this run: those on the same network,
    /// or else those without a network; every row unless one is named.
    package func resolving(_ dependency: String, among known: [VariantID]) -> [VariantID] {
        if let exact = known.first(where: { $0.description == dependency }), exact.network == network { return [exact] }
        let wanted = VariantID(dependency)
        let named = known.filter {
            $0.base == wanted.base && (wanted.row == nil || $0.row == wanted.row)
                && (wanted.network == nil || $0.network == wanted.network)
        }
        let same = named.filter { $0.network == (wanted.network ?? network) }
        return same.isEmpty ? named.filter { $0.network == nil } : same
    }
}
