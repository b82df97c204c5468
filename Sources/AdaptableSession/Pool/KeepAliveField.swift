/// How long a server of HTTP/1.1 says that it keeps an idle connection (`Keep-Alive: timeout=5`; RFC 2068 §19.7.1.1 had the field, and
/// servers still send it).
package enum KeepAliveField {
    /// Nanoseconds; nil when nothing is said, or nothing that makes sense.
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
