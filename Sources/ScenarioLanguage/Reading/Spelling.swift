/// Finds the word that the author probably meant.
package enum Spelling {
    /// Returns `; did you mean …?` if an allowed word is similar, otherwise the list of allowed words.
    package static func hint(for word: String, among allowed: [String]) -> String {
        if let nearest = nearest(to: word, among: allowed) {
            return "; did you mean `\(nearest)`? Allowed: \(list(allowed))"
        }
        return allowed.isEmpty ? "" : "; allowed: \(list(allowed))"
    }

    /// Returns the allowed word with the smallest edit distance, or nil if even that one is too different.
    package static func nearest(to word: String, among allowed: [String]) -> String? {
        let typed = Array(word.lowercased().utf8.prefix(64))
        var best: (word: String, distance: Int)?
        for candidate in allowed {
            let distance = distance(typed, Array(candidate.lowercased().utf8.prefix(64)))
            guard distance <= max(1, min(typed.count, candidate.utf8.count) / 2 - 1), distance <= 5 else { continue }
            if best == nil || distance < best!.distance { best = (candidate, distance) }
        }
        return best?.word
    }

    package static func list(_ words: [String]) -> String { words.joined(separator: ", ") }

    /// Returns the edit distance: insertions, deletions, replacements and swaps of neighbours (optimal string
    /// alignment).
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for (row, typed) in left.enumerated() {
            var current = [row + 1]
            for (column, wanted) in right.enumerated() {
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (typed == wanted ? 0 : 1))
                if row > 0, column > 0, typed == right[column - 1], left[row - 1] == wanted {
                    cost = min(cost, before[column - 1] + 1)
                }
                current.append(cost)
            }
            before = last
            last = current
        }
        return last[right.count]
    }
}
