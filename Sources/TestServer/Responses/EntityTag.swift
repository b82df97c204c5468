/// An entity tag in its wire form (RFC 9110 §8.8.3).
struct EntityTag: Hashable {
    var isWeak: Bool
    /// The tag with its quotes.
    var opaque: String

    init?(_ text: String) {
        isWeak = text.hasPrefix("W/")
        opaque = String(isWeak ? text.dropFirst(2) : Substring(text))
        guard opaque.utf8.count >= 2, opaque.hasPrefix("\""), opaque.hasSuffix("\""),
            !opaque.dropFirst().dropLast().contains("\"")
        else {
            return nil
        }
    }

    /// Returns true if both are equal and neither is weak (§8.8.3.2).
    func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// Parses the tags of If-Match or If-None-Match; a tag may contain a comma.
    static func list(_ text: String) -> [EntityTag] {
        var tags: [EntityTag] = []
        var current = ""
        var isQuoted = false
        for character in text + "," {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted {
                if let tag = EntityTag(current.trimmedOfBlanks) { tags.append(tag) }
                current = ""
            } else {
                current.append(character)
            }
        }
        return tags
    }
}
