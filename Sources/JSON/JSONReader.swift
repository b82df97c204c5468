/// Reads one JSON text (RFC 8259), strictly. Of members with the same name the first one counts.
///
/// Lines of adapters and records are short objects; Foundation's decoder tries one type after the other for each value
/// and throws an error for each wrong guess.
struct JSONReader {
    private let bytes: [UInt8]
    private var at = 0
    /// Values may contain each other this deep, so that hostile input cannot use up the stack.
    private static let deepest = 512

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // The mark of UTF-8 may be ignored (RFC 8259 §8.1); some tools write it into HAR files.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    }

    /// Returns the value, or nil if the bytes are not exactly one JSON value.
    mutating func document() -> JSONValue? {
        guard let value = value(depth: 0) else { return nil }
        skipSpace()
        return at == bytes.count ? value : nil
    }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
    }

    /// Skips this byte, and spaces before it. Returns false if something else stands there.
    private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: byte) else { return false }
        at += 1
        return true
    }

    private mutating func value(depth: Int) -> JSONValue? {
        guard depth < JSONReader.deepest else { return nil }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return list(depth: depth)
        case UInt8(ascii: "\""): return text().map { .text($0) }
        case UInt8(ascii: "t"): return word("true", .boolean(true))
        case UInt8(ascii: "f"): return word("false", .boolean(false))
        case UInt8(ascii: "n"): return word("null", .null)
        default: return number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) -> JSONValue? {
        let text = Array("\(word)".utf8)
        guard bytes[at...].starts(with: text) else { return nil }
        at += text.count
        return value
    }

    private mutating func object(depth: Int) -> JSONValue? {
        at += 1
        var members: [String: JSONValue] = [:]
        if skip("}") { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\""), let name = text(), skip(":"), let value = value(depth: depth + 1) else {
                return nil
            }
            if members[name] == nil { members[name] = value }
        } while skip(",")
        return skip("}") ? .object(members) : nil
    }

    private mutating func list(depth: Int) -> JSONValue? {
        at += 1
        var items: [JSONValue] = []
        if skip("]") { return .list(items) }
        repeat {
            guard let value = value(depth: depth + 1) else { return nil }
            items.append(value)
        } while skip(",")
        return skip("]") ? .list(items) : nil
    }

    // MARK: - Text

    private mutating func text() -> String? {
        at += 1
        let start = at
        at = JSONText.endOfPlainBytes(in: bytes, from: at)
        if next == UInt8(ascii: "\"") {
            defer { at += 1 }
            return String(validating: bytes[start..<at], as: UTF8.self)
        }
        var content = Array(bytes[start..<at])
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                at += 1
                return String(validating: content, as: UTF8.self)
            case UInt8(ascii: "\\"): guard appendEscaped(to: &content) else { return nil }
            case 0..<0x20: return nil
            default:
                let end = JSONText.endOfPlainBytes(in: bytes, from: at)
                content += bytes[at..<end]
                at = end
            }
        }
        return nil
    }

    private mutating func appendEscaped(to content: inout [UInt8]) -> Bool {
        guard at + 1 < bytes.count else { return false }
        let byte = bytes[at + 1]
        at += 2
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            guard let scalar = escapedScalar() else { return false }
            content += String(Character(scalar)).utf8
        default: return false
        }
        return true
    }

    /// Reads the digits of an escape, and the second escape of a surrogate pair.
    private mutating func escapedScalar() -> Unicode.Scalar? {
        guard let high = fourDigits() else { return nil }
        guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) }
        guard bytes[at...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else { return nil }
        at += 2
        guard let low = fourDigits(), (0xDC00..<0xE000).contains(low) else { return nil }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    private mutating func fourDigits() -> UInt32? {
        guard at + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for byte in bytes[at..<at + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
            value = value << 4 | UInt32(digit)
        }
        at += 4
        return value
    }

    // MARK: - Numbers

    /// Whole numbers of 64 bits stay exact. A number with a fraction or an exponent is whole if Double has its exact value, as
    /// 1.0 and 1e3. A number that Double cannot hold is not read.
    private mutating func number() -> JSONValue? {
        let start = at
        if next == UInt8(ascii: "-") { at += 1 }
        let whole = skipDigits()
        // No leading zeros (RFC 8259 §6).
        guard whole > 0, whole == 1 || bytes[at - whole] != UInt8(ascii: "0") else { return nil }
        var isWhole = true
        if next == UInt8(ascii: ".") {
            at += 1
            isWhole = false
            guard skipDigits() > 0 else { return nil }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            at += 1
            isWhole = false
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { at += 1 }
            guard skipDigits() > 0 else { return nil }
        }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { return nil }
        guard !isWhole, number.magnitude < 0x1p53, let integer = Int64(exactly: number) else { return .number(number) }
        return .integer(integer)
    }

    /// Returns the number of digits that were skipped.
    private mutating func skipDigits() -> Int {
        let start = at
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
        return at - start
    }
}
