extension Duration {
    /// Reads a duration as scenario files write it, such as `1.5s`; nil if the text is not one, or is zero.
    package init?(written text: String) {
        guard let duration = try? UnitParser.duration(text), duration > .zero else { return nil }
        self = duration
    }
}

/// The parser of numbers with units in scenario files. Each is parsed once, here; the model has only typed values.
enum UnitParser {
    /// The description of an error, without the text itself.
    struct Problem: Error {
        var message: String
        init(_ message: String) { self.message = message }
    }

    /// A unit and its size in the smallest unit.
    struct Unit {
        var name: String
        var size: Int64
        init(_ name: String, _ size: Int64) {
            self.name = name
            self.size = size
        }
    }

    static let durations = [
        Unit("ns", 1), Unit("us", 1000), Unit("ms", 1_000_000), Unit("s", 1_000_000_000), Unit("min", 60_000_000_000),
        Unit("h", 3_600_000_000_000), Unit("d", 86_400_000_000_000),
    ]
    static let rates = [
        Unit("bit/s", 1), Unit("kbit/s", 1000), Unit("Mbit/s", 1_000_000), Unit("Gbit/s", 1_000_000_000),
    ]
    static let byteCounts = [
        Unit("B", 1), Unit("KiB", 1 << 10), Unit("MiB", 1 << 20), Unit("GiB", 1 << 30), Unit("kB", 1000),
        Unit("MB", 1_000_000),
    ]
    /// A year: longer than any run, and far from overflow.
    static let longest: Int64 = 365 * 86_400_000_000_000
    static let fastest: Int64 = 1_000_000_000_000
    /// 1 TiB
    static let largest: Int64 = 1 << 40

    static func duration(_ text: String) throws(Problem) -> Duration {
        .nanoseconds(
            try amount(text, units: durations, what: "a duration", example: "20ms, 1.5s or 2min", most: longest))
    }

    static func bitRate(_ text: String) throws(Problem) -> BitRate {
        let bits = try amount(text, units: rates, what: "a rate", example: "240kbit/s or 1.5Mbit/s", most: fastest)
        guard let rate = BitRate(bitsPerSecond: UInt64(bits)) else {
            throw Problem("a rate must be greater than zero; for a dead link write `loss: 100%`")
        }
        return rate
    }

    static func byteCount(_ text: String) throws(Problem) -> ByteCount {
        let isBare = text.utf8.allSatisfy(isDigit)
        let bytes = try amount(
            isBare ? text + "B" : text, units: byteCounts, what: "a number of bytes", example: "500B, 64KiB or 1MiB",
            most: largest)
        guard let count = ByteCount(bytes) else { throw Problem("a number of bytes cannot be negative") }
        return count
    }

    static func probability(_ text: String) throws(Problem) -> Probability {
        let isShare = !text.hasSuffix("%")
        let digits = isShare ? text : String(text.dropLast())
        guard isDecimal(digits), let value = Double(digits) else {
            throw Problem("is not a probability; write a percentage such as `2%` or a share such as `0.02`")
        }
        guard let probability = Probability(isShare ? value : value / 100) else {
            throw Problem("a probability is between 0 and 1, or 0% and 100%; for two percent write `2%`")
        }
        return probability
    }

    /// Returns the number in the smallest unit, rounded half away from zero.
    private static func amount(
        _ text: String, units: [Unit], what: String, example: String, most: Int64
    ) throws(Problem) -> Int64 {
        let names = units.map(\.name)
        let digits = String(text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-" || $0 == "+") })
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        if digits.hasPrefix("-") { throw Problem("is negative; \(what) is not") }
        guard isDecimal(digits), let number = Double(digits) else {
            throw Problem("is not \(what); write a number with a unit, such as \(example)")
        }
        guard !unit.isEmpty else {
            throw Problem("has no unit; write \(what) with one of \(Spelling.list(names)), such as \(example)")
        }
        guard let known = units.first(where: { $0.name == unit }) else {
            throw Problem("has the unknown unit `\(unit)`\(Spelling.hint(for: String(unit), among: names))")
        }
        guard unit.startIndex == text.index(text.startIndex, offsetBy: digits.count) else {
            throw Problem("has a space before its unit; write `\(digits)\(unit)`")
        }
        let exact = (number * Double(known.size)).rounded()
        guard exact <= Double(most) else { throw Problem("is too large") }
        if exact == 0, number != 0 { throw Problem("is less than 1\(names[0])") }
        return Int64(exact)
    }

    /// Returns true for digits with at most one decimal point that has digits on both sides. Exponents are refused:
    /// `1e3ms` is not a usual form.
    private static func isDecimal(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return (1...2).contains(parts.count) && text.utf8.count <= 18
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isDigit) }
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Returns the regular expression of the form, for the JSON Schema.
    static func pattern(_ units: [Unit]) -> String {
        "^[0-9]+(\\.[0-9]+)?(\(units.map { $0.name }.joined(separator: "|")))$"
    }
    static let probabilityPattern = "^[0-9]+(\\.[0-9]+)?%$"
}
