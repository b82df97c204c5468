/// The forms of author-chosen keys that are allowed beside fixed ones, as regular expressions for the JSON Schema.
enum KeyPattern {
    /// `/path` or `//host/path`.
    static let path = "^/"
    /// Any key that contains a letter or digit.
    static let parameter = "[A-Za-z0-9]"

    static func matches(_ key: String, _ pattern: String) -> Bool {
        pattern.hasPrefix("^") ? key.hasPrefix(pattern.dropFirst()) : true
    }
}
