import ScenarioLanguage

/// The parts of a URL that judging needs, in the form in which an origin compares them.
package struct ParsedURL: Hashable, Sendable, CustomStringConvertible {
    package var scheme: String
    /// The host in lower case, without the port; empty if the text contains none.
    package var host: String
    package var port: String
    /// The path without query and fragment; never empty.
    package var path: String

    package init(_ text: String) {
        var rest = Substring(text)
        scheme = ""
        if let end = rest.firstRange(of: "://") {
            scheme = rest[..<end.lowerBound].lowercased()
            rest = rest[end.upperBound...]
        } else if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
        } else {
            host = ""
            port = ""
            path = ParsedURL.path(rest)
            return
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        rest = rest[authority.endIndex...]
        (host, port) = ParsedURL.split(authority.split(separator: "@").last ?? authority)
        path = ParsedURL.path(rest)
    }

    package var description: String {
        host.isEmpty ? path : "\(scheme.isEmpty ? "" : scheme + ":")//\(host)\(port.isEmpty ? "" : ":" + port)\(path)"
    }

    private static func path(_ rest: Substring) -> String {
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        return path.isEmpty ? "/" : String(path)
    }

    /// Splits an authority or a `Host` field into host and port; an address in brackets stays whole.
    private static func split(_ authority: Substring) -> (host: String, port: String) {
        let lowered = authority.lowercased()
        guard let colon = lowered.lastIndex(of: ":"), !lowered[colon...].contains("]") else { return (lowered, "") }
        return (String(lowered[..<colon]), String(lowered[lowered.index(after: colon)...]))
    }

    /// Resolves a `Location` against this URL: absolute URLs, `//host/path`, `/path`; a relative path replaces the last
    /// segment, and a query or fragment alone keeps the path.
    func resolving(_ location: String) -> ParsedURL {
        var target = ParsedURL(location)
        if target.scheme.isEmpty { target.scheme = scheme }
        if !target.host.isEmpty { return target }
        (target.host, target.port) = (host, port)
        if location.isEmpty || location.hasPrefix("?") || location.hasPrefix("#") {
            target.path = path
        } else if !location.hasPrefix("/") {
            let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
            target.path = folder + target.path
        }
        target.path = ParsedURL.withoutDots(target.path)
        return target
    }

    /// Removes dot segments (RFC 3986 §5.2.4).
    private static func withoutDots(_ path: String) -> String {
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }

    func isServed(by route: Route) -> Bool {
        route.path == path && (route.host == nil || host.isEmpty || route.host?.lowercased() == host)
    }

    /// Returns true if the request is for this URL. A client may request a URL with dot segments after removing them
    /// (RFC 3986 §6.2.2.3).
    func matches(_ request: WireRequest) -> Bool {
        guard path == request.path || ParsedURL.withoutDots(path) == request.path else { return false }
        guard !host.isEmpty, let field = request.header("Host") else { return true }
        return ParsedURL.split(Substring(field)).host == host
    }
}
