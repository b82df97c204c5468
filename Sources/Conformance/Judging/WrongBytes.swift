import GeneratedBodies

/// The first difference between delivered and expected bytes, and the source of the wrong bytes.
struct WrongBytes: Hashable {
    /// The first offset that differs; the shorter length if one only ends too early.
    var offset: Int64
    /// A description that begins with the offset.
    var text: String

    private static let step = 64 * 1024
    /// The number of bytes that prove a source: the eight bytes of a pattern's group occur nowhere else, and fewer
    /// prove nothing.
    private static let proof = 8
    private static let window = 16

    /// Returns nil if `found` is exactly `expected`. `others` are the other possible sources.
    init?(_ found: [UInt8], instead expected: Representation, others: [Representation]) {
        let length = Int64(found.count)
        guard let offset = WrongBytes.divergence(of: found, from: 0, against: expected, at: 0) else {
            guard length != expected.length else { return nil }
            // Too short: the difference is the missing end.
            self.offset = length
            text = "ends after \(length) of \(expected.length) bytes, all of them correct"
            return
        }
        self.offset = Int64(offset)
        let surplus =
            Int64(offset) == expected.length ? "continues for \(length - expected.length) bytes after its end; " : ""
        text = surplus + WrongBytes.source(of: found, from: offset, expected, others)
    }

    /// Returns the first index of `found` from `start` on that differs from the representation's bytes from `origin`
    /// on; nil if none does.
    private static func divergence(of found: [UInt8], from start: Int, against source: Representation, at origin: Int64)
        -> Int?
    {
        var index = start
        while index < found.count {
            let wanted = source.bytes(from: origin + Int64(index - start), count: min(step, found.count - index))
            if let place = found.firstDifference(from: index, against: wanted) { return place }
            index += wanted.count
            if wanted.isEmpty { return index }
        }
        return nil
    }

    private static func source(
        of found: [UInt8], from offset: Int, _ expected: Representation, _ others: [Representation]
    ) -> String {
        let window = Array(found[offset..<min(offset + window, found.count)])
        guard window.count >= proof else { return "byte \(offset) is wrong, followed by \(window.count - 1) more" }
        var candidates: [(source: Representation, at: Int64)] = []
        for other in others where other != expected && other.bytes(from: Int64(offset), count: window.count) == window {
            candidates.append((other, Int64(offset)))
        }
        for source in [expected] + others where candidates.isEmpty {
            if let place = place(of: window, in: source) { candidates.append((source, place)) }
        }
        if let (source, place) = candidates.first {
            let end = divergence(of: found, from: offset, against: source, at: place)
            return description(offset, source, place, expected) + (end.map { ", up to byte \($0)" } ?? "")
        }
        if window.allSatisfy({ $0 == 0 }) { return "from byte \(offset) on there are zeros" }
        let wanted = expected.bytes(from: Int64(offset), count: 4)
        return "from byte \(offset) on the content is not from the origin: \(hexadecimal(window.prefix(4)))"
            + (wanted.isEmpty ? "" : " instead of \(hexadecimal(wanted[...]))")
    }

    private static func description(_ offset: Int, _ source: Representation, _ place: Int64, _ expected: Representation)
        -> String
    {
        let shift = place - Int64(offset)
        if source == expected {
            return shift < 0
                ? "from byte \(offset) on it repeats from byte \(place) (offset by \(shift))"
                : "from byte \(offset) on it continues with byte \(place) (offset by +\(shift)): \(shift) bytes are missing"
        }
        return "from byte \(offset) on it belongs to \(source.description)"
            + (shift == 0 ? "" : ", from its byte \(place) on")
    }

    /// Returns the offset of these bytes in the representation.
    private static func place(of window: [UInt8], in source: Representation) -> Int64? {
        var offset: Int64 = 0
        while offset < source.length {
            // Blocks overlap, so that a window across their border is found.
            let piece = source.bytes(from: offset, count: step + window.count - 1)
            guard piece.count >= window.count else { return nil }
            if let start = piece.firstOffset(of: window) { return offset + Int64(start) }
            offset += Int64(step)
        }
        return nil
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
}
