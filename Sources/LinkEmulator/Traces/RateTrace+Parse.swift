extension RateTrace {
    /// The largest number of stamps; more are treated as a mistake. Ten million packets are four hours at 8 Mbit/s.
    package static let mostStamps = 10_000_000

    /// Parses one stamp per line; empty lines and lines that begin with `#` are skipped.
    package static func parse(_ text: String, name: String) throws(RateTraceError) -> RateTrace {
        var stamps: [UInt32] = []
        var line = 0
        for part in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            line += 1
            var word = part[...]
            while let first = word.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
                word.removeFirst()
            }
            while let last = word.last,
                last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") || last == UInt8(ascii: "\r")
            {
                word.removeLast()
            }
            guard let first = word.first, first != UInt8(ascii: "#") else { continue }
            let text = String(Substring(word))
            guard word.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let stamp = UInt32(text)
            else {
                throw .noNumber(line: line, found: String(text.prefix(40)))
            }
            if let last = stamps.last, stamp < last { throw .notAscending(line: line) }
            guard stamps.count < mostStamps else { throw .tooLong(limit: mostStamps) }
            stamps.append(stamp)
        }
        guard !stamps.isEmpty else { throw .empty }
        guard let trace = RateTrace(name: name, milliseconds: stamps) else { throw .noLength }
        return trace
    }
}
