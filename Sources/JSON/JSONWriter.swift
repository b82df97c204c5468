/// Writes a JSON value as bytes, without spaces and line ends (RFC 8259).
///
/// Every event of a session and every fact of a record passes through here, and Foundation's encoder took a tenth of the
/// processor time of a run.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .boolean(let value): append(value ? "true" : "false")
        case .integer(let value): append(String(value))
        case .number(let value): append(number: value)
        case .text(let text): append(quoted: text)
        case .list(let items):
            bytes.append(UInt8(ascii: "["))
            for (place, item) in items.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                append(item)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (place, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                append(quoted: member.key)
                bytes.append(UInt8(ascii: ":"))
                append(member.value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private mutating func append(_ ascii: String) { bytes += ascii.utf8 }

    /// JSON cannot represent infinity or NaN: they become null.
    private mutating func append(number: Double) {
        guard number.isFinite else { return append("null") }
        let text = number.description
        append(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    private mutating func append(quoted text: String) {
        bytes.append(UInt8(ascii: "\""))
        let source = Array(text.utf8)
        var start = 0
        while true {
            let end = JSONText.endOfPlainBytes(in: source, from: start)
            bytes += source[start..<end]
            guard end < source.count else { break }
            append(escaped: source[end])
            start = end + 1
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        default: append("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16))
        }
    }
}

/// The bytes inside JSON strings.
enum JSONText {
    /// Returns the index of the first byte from `start` on that cannot stand in a JSON string as it is: a quotation mark, a
    /// backslash or a control character. Returns the number of bytes if there is none.
    static func endOfPlainBytes(in bytes: [UInt8], from start: Int) -> Int {
        unsafe bytes.withUnsafeBytes { bytes in
            var at = start
            // Eight bytes at once: contents of files are long texts in base64.
            while at + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                guard !hasSpecialByte(word) else { break }
                at += 8
            }
            while at < bytes.count {
                let byte = unsafe bytes[at]
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return at }
                at += 1
            }
            return at
        }
    }

    /// Returns true if one of the eight bytes is a special one; the borrow of a subtraction may also mark the byte above a
    /// special one, never a word without any.
    private static func hasSpecialByte(_ word: UInt64) -> Bool {
        func hasByte(below bound: UInt64, _ word: UInt64) -> Bool {
            (word &- bound &* 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0
        }
        return hasByte(below: 0x20, word) || hasByte(below: 1, word ^ 0x2222_2222_2222_2222)
            || hasByte(below: 1, word ^ 0x5C5C_5C5C_5C5C_5C5C)
    }
}
