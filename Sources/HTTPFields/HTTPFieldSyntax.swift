/// The common syntax of header fields (RFC 9110 §5.6). What runs for each field of a message takes `String` and `Substring`, not
/// `some StringProtocol`: another module could call a generic function only unspecialised, at ten times the cost.
package enum HTTPFieldSyntax {
    package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Returns true for the characters of a token (`tchar`).
    package static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E:
            true
        default: false
        }
    }

    package static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

    /// Compares text, ignoring the case of ASCII letters only: a Unicode comparison would treat the Kelvin sign as `k`.
    package static func equal(_ one: String, _ other: String) -> Bool { equalBytes(one.utf8, other.utf8) }
    package static func equal(_ one: Substring, _ other: String) -> Bool { equalBytes(one.utf8, other.utf8) }

    private static func equalBytes(
        _ one: some Collection<UInt8>, _ other: some Collection<UInt8>
    ) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { $0 == $1 || lower($0) == lower($1) }
    }

    package static func lowercased(_ text: String) -> String {
        text.utf8.contains { $0 != lower($0) } ? String(decoding: text.utf8.map(lower), as: UTF8.self) : text
    }
    package static func lowercased(_ text: Substring) -> String { lowercased(String(text)) }

    package static func trimmed(_ text: String) -> String {
        guard let first = text.utf8.first, let last = text.utf8.last else { return text }
        return isBlank(first) || isBlank(last) ? trimmed(text[...]) : text
    }
    package static func trimmed(_ text: Substring) -> String {
        String(decoding: trimmed(Array(text.utf8)[...]), as: UTF8.self)
    }

    package static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return bytes[first...last]
    }

    /// Returns the members of a comma-separated list. A comma in a quoted string does not separate members, and empty
    /// members are dropped.
    package static func listMembers(_ value: String) -> [String] {
        var members: [String] = []
        var current: [UInt8] = []
        var isQuoted = false
        var isEscaped = false
        for byte in value.utf8 {
            if isEscaped {
                isEscaped = false
            } else if isQuoted && byte == 0x5C {
                isEscaped = true
            } else if byte == 0x22 {
                isQuoted.toggle()
            } else if byte == 0x2C && !isQuoted {
                members.append(trimmed(String(decoding: current, as: UTF8.self)))
                current = []
                continue
            }
            current.append(byte)
        }
        members.append(trimmed(String(decoding: current, as: UTF8.self)))
        return members.filter { !$0.isEmpty }
    }

    /// Returns the content of a quoted string without its escapes; other text unchanged.
    package static func unquoted(_ text: String) -> String {
        guard text.utf8.count >= 2, text.utf8.first == 0x22, text.utf8.last == 0x22 else { return text }
        var result: [UInt8] = []
        var isEscaped = false
        for byte in text.utf8.dropFirst().dropLast() {
            if byte == 0x5C && !isEscaped {
                isEscaped = true
            } else {
                isEscaped = false
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the text as a quoted-string (RFC 9110 §5.6.4).
    package static func quoted(_ text: String) -> String {
        var result: [UInt8] = [0x22]
        for byte in text.utf8 {
            if byte == 0x22 || byte == 0x5C { result.append(0x5C) }
            result.append(byte)
        }
        return String(decoding: result + [0x22], as: UTF8.self)
    }
}
