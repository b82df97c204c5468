/// The form of a requirement's id in the catalogue: `CONN-06`.
package enum RequirementID {
    /// Returns true for letters or digits, a hyphen, and at least two digits.
    package static func isValid(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && (1...8).contains(parts[0].utf8.count) && (2...4).contains(parts[1].utf8.count)
            && parts[0].utf8.allSatisfy {
                UnitParser.isDigit($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
            }
            && parts[1].utf8.allSatisfy(UnitParser.isDigit)
    }
}
