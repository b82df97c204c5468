import HTTPFields

/// The directives of Cache-Control, and the older fields with the same meaning (RFC 9111 §5.2, §5.4).
package struct CacheDirectives: Hashable, Sendable {
    /// Arguments by directive name in lower case; nil for a directive without an argument.
    private var values: [String: String?] = [:]

    /// The value as which any larger number counts (§1.2.2).
    static let longest: Double = 2_147_483_648

    package init(_ fields: HeaderFields) {
        for member in fields.list("Cache-Control") {
            let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = HTTPFieldSyntax.lowercased(HTTPFieldSyntax.trimmed(parts[0]))
            let argument = parts.count == 2 ? HTTPFieldSyntax.unquoted(HTTPFieldSyntax.trimmed(parts[1])) : nil
            // Of a repeated directive the first one counts (§4.2.1 allows that, or treating the response as stale).
            if values[name] == nil { values[name] = .some(argument) }
        }
        // §5.4: Pragma counts only if Cache-Control is missing.
        if values.isEmpty, fields.list("Pragma").contains(where: { HTTPFieldSyntax.equal($0, "no-cache") }) {
            values["no-cache"] = .some(nil)
        }
    }

    package func has(_ name: String) -> Bool { values[name] != nil }

    /// Returns true for a directive without an argument: `no-cache="Set-Cookie"` concerns a field only.
    package func hasUnqualified(_ name: String) -> Bool {
        guard let value = values[name] else { return false }
        return value == nil
    }

    /// Returns delta-seconds (§1.2.2): 0, which means stale, for a value that is not a number, and `longest` for one
    /// that is too large.
    package func seconds(_ name: String) -> Double? {
        guard let value = values[name] else { return nil }
        guard let text = value, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        return min(Double(text) ?? Self.longest, Self.longest)
    }
}
