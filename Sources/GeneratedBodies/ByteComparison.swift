extension [UInt8] {
    /// Returns the first index from `start` on at which these bytes differ from `other`, whose first byte belongs to
    /// `start`; nil if all bytes that both have are equal.
    package func firstDifference(from start: Int, against other: [UInt8]) -> Int? {
        var index = start
        for byte in other {
            guard index < count else { return nil }
            guard self[index] == byte else { return index }
            index += 1
        }
        return nil
    }

    /// Returns the first offset of `window` in these bytes; nil for an empty window.
    package func firstOffset(of window: [UInt8]) -> Int? {
        guard let first = window.first, count >= window.count else { return nil }
        return (0...(count - window.count)).first { start in
            self[start] == first && window.indices.allSatisfy { self[start + $0] == window[$0] }
        }
    }
}
