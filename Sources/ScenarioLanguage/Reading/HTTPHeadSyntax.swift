import AdapterProtocol

/// The syntax of valid request and response heads.
package enum HTTPHeadSyntax {
    /// Returns true for a token (RFC 9110 §5.6.2).
    package static func isToken(_ text: String) -> Bool {
        let marks = Array("!#$%&'*+-.^_`|~".utf8)
        return !text.isEmpty && text.utf8.allSatisfy { isAlphanumeric($0) || marks.contains($0) }
    }

    /// Returns true for a text without line breaks and NUL (RFC 9110 §5.5).
    static func isFieldValue(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        UnitParser.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 253
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.utf8.count)
                    && label.utf8.allSatisfy {
                        isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    }
            }
    }

    /// Returns true for the name of a task or session, which precedes the dot in event references.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }

    /// Returns true for an entity tag (RFC 9110 §8.8.3).
    static func isEntityTag(_ text: String) -> Bool {
        let opaque = text.hasPrefix("W/") ? text.dropFirst(2) : Substring(text)
        return opaque.utf8.count >= 2 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
            && opaque.dropFirst().dropLast().utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }
}

extension Findings {
    mutating func headers(_ name: String, of fields: Fields) -> [HeaderField] {
        var result: [HeaderField] = []
        for pair in fields.pairs(name) {
            guard HTTPHeadSyntax.isToken(pair.key) else {
                refuse(
                    pair.place,
                    "`\(pair.key.shortened)` is not a header name: letters, digits and hyphens only (RFC 9110 §5.6.2)")
                continue
            }
            for value in pair.value.elements {
                guard let text = value.text else { continue }
                guard HTTPHeadSyntax.isFieldValue(text) else {
                    refuse(
                        value.place,
                        "the value of `\(pair.key)` has a control character, which would break the head (RFC 9110 §5.5)"
                    )
                    continue
                }
                result.append(HeaderField(pair.key, text))
            }
        }
        return result
    }

    mutating func entityTag(_ name: String, of fields: Fields) -> String? {
        guard let text = fields.text(name) else { return nil }
        if !HTTPHeadSyntax.isEntityTag(text) {
            refuse(
                fields.place(of: name),
                "`\(text.shortened)` is not an entity tag, which includes its quotes (RFC 9110 §8.8.3): write '\"v1\"' or 'W/\"v1\"'"
            )
        }
        return text
    }

    mutating func fieldValue(_ name: String, of fields: Fields) -> String? {
        guard let text = fields.text(name) else { return nil }
        if !HTTPHeadSyntax.isFieldValue(text) {
            refuse(fields.place(of: name), "`\(name)` has a control character, which would break the head")
        }
        return text
    }
}
