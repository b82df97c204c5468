import HTTPFields

/// The `Keep-Alive: timeout=5` field, in which an HTTP/1.1 server announces how long it keeps an idle connection. RFC
/// 2068 §19.7.1.1 defined the field, and servers still send it.
package enum KeepAliveField {
    /// Returns the timeout in nanoseconds; nil when it is absent, malformed or longer than one day.
    package static func time(_ fields: HeaderFields) -> Int64? {
        for member in fields.list("Keep-Alive") {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, HTTPFieldSyntax.equal(HTTPFieldSyntax.trimmed(parts[0]), "timeout"),
                let seconds = Int64(HTTPFieldSyntax.unquoted(HTTPFieldSyntax.trimmed(parts[1]))),
                (0...86_400).contains(seconds)
            else { continue }
            return seconds * 1_000_000_000
        }
        return nil
    }
}
