/// The form of a requirement's id in the catalogues: `CONN-06`, and `RFC-REDIRECT-01` for one that holds for every
/// HTTP client.
package enum RequirementID {
    /// The area's prefix: everything before the last hyphen.
    package static func area(of id: String) -> String {
        id.lastIndex(of: "-").map { String(id[..<$0]) } ?? id
    }

    /// Returns true for letters or digits, a hyphen, and at least two digits, with or without `RFC-` in front.
    package static func isValid(_ text: String) -> Bool {
        let bare = text.hasPrefix("RFC-") ? text.dropFirst(4) : text[...]
        let parts = bare.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && (1...8).contains(parts[0].utf8.count) && (2...4).contains(parts[1].utf8.count)
            && parts[0].utf8.allSatisfy {
                UnitParser.isDigit($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
            }
            && parts[1].utf8.allSatisfy(UnitParser.isDigit)
    }
}
