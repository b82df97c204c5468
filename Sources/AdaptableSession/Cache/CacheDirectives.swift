/// Cache-Control, and what older fields mean in its place (RFC 9111 §5.2, §5.4).
package struct CacheDirectives: Hashable, Sendable {
    /// Names in lower case; nil where there is no argument.
    private var values: [String: String?] = [:]

    /// §1.2.2: what any larger number counts as.
    static let longest: Double = 2_147_483_648

    package init(_ fields: HeaderFields) {
        for member in fields.list("Cache-Control") {
            let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = HTTPFieldSyntax.lowercased(HTTPFieldSyntax.trimmed(parts[0]))
            let argument = parts.count == 2 ? HTTPFieldSyntax.unquoted(HTTPFieldSyntax.trimmed(parts[1])) : nil
            // Said twice: the first stands (§4.2.1 lets a cache choose the first or take it for stale).
            if values[name] == nil { values[name] = .some(argument) }
        }
        // §5.4: only where Cache-Control is missing.
        if values.isEmpty, fields.list("Pragma").contains(where: { HTTPFieldSyntax.equal($0, "no-cache") }) {
            values["no-cache"] = .some(nil)
        }
    }

    package func has(_ name: String) -> Bool { values[name] != nil }

    /// `no-cache="Set-Cookie"` concerns a field only.
    package func hasUnqualified(_ name: String) -> Bool {
        guard let value = values[name] else { return false }
        return value == nil
    }

    /// Delta-seconds (§1.2.2); what is no number is stale at once, what is too large is very long.
    package func seconds(_ name: String) -> Double? {
        guard let value = values[name] else { return nil }
        guard let text = value, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        return min(Double(text) ?? Self.longest, Self.longest)
    }
}
