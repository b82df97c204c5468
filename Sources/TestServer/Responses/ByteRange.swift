/// The part of a representation of known length that a Range field requests (RFC 9110 §14.1.2, §14.2).
enum ByteRange: Hashable {
    /// The whole representation: without a range, with one this server may ignore (too many, another unit), or with a
    /// malformed one.
    case whole
    case part(Range<Int64>)
    /// Several ranges as requested: in this order, including overlaps.
    case parts([Range<Int64>])
    case unsatisfiable

    init(_ field: String?, length: Int64) {
        self = ByteRange.read(field, length)
    }

    private static func read(_ field: String?, _ length: Int64) -> ByteRange {
        guard let field, let equals = field.firstIndex(of: "="), field[..<equals].equalsIgnoringCase("bytes") else {
            return .whole
        }
        let specs = field[field.index(after: equals)...].split(separator: ",").map(\.trimmedOfBlanks).filter {
            !$0.isEmpty
        }
        // More ranges than this are treated as an attack (§17.15).
        guard (1...mostParts).contains(specs.count) else { return .whole }
        var parts: [Range<Int64>] = []
        for spec in specs {
            switch one(spec, length) {
            case .whole, .parts: return .whole
            case .part(let range): parts.append(range)
            case .unsatisfiable: break
            }
        }
        if parts.isEmpty { return .unsatisfiable }
        return parts.count == 1 ? .part(parts[0]) : .parts(parts)
    }

    private static let mostParts = 100

    private static func one(_ spec: String, _ length: Int64) -> ByteRange {
        let ends = spec.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return .whole }
        switch (number(ends[0]), number(ends[1])) {
        case (.some(let first), .some(let last)):
            if last < first { return .whole }
            return first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
        case (.some(let first), .none):
            guard ends[1].isEmpty else { return .whole }
            return first < length ? .part(first..<length) : .unsatisfiable
        case (.none, .some(let suffix)):
            guard ends[0].isEmpty else { return .whole }
            if suffix == 0 { return .unsatisfiable }
            // Satisfiable, but an empty part has no Content-Range.
            return length == 0 ? .whole : .part(max(0, length - suffix)..<length)
        case (.none, .none):
            return .whole
        }
    }

    /// Parses digits only; a number too large for an Int64 is far beyond the end anyway.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text) ?? Int64.max - 1
    }
}
