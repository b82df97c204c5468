import InternetAddresses

/// The URL of a captured request, in the form in which a scenario can repeat it.
package struct CapturedURL: Hashable, Sendable {
    package var isSecure: Bool
    /// A name with a dot; the lab cannot serve addresses and local names, so they become `api.test`.
    package var host: String
    /// Percent-encoded; begins with a slash.
    package var path: String
    /// Percent-encoded, without the question mark; nil if there is none.
    package var query: String?

    /// The name of the lab's own server.
    static let ownHost = "api.test"

    package init(isSecure: Bool, host: String, path: String, query: String?) {
        self.isSecure = isSecure
        self.host = host
        self.path = path
        self.query = query
    }

    /// Parses an absolute URL; ports, user names and fragments are dropped. Returns nil for schemes other than http and
    /// https, and for hosts that are not names.
    package init?(_ text: String) {
        let lowercased = text.prefix(8).lowercased()
        guard let scheme = ["https://", "http://"].first(where: lowercased.hasPrefix) else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        self.init(
            isSecure: scheme == "https://", authority: String(authority),
            target: String(rest.dropFirst(authority.count)))
    }

    /// Creates a URL from the value of a Host field and the target of a request line.
    init?(isSecure: Bool, authority: String, target: String) {
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard let host = CapturedURL.host(String(place)) else { return nil }
        let target = target.prefix { $0 != "#" }
        let path = target.prefix { $0 != "?" }
        let query = target.dropFirst(path.count).dropFirst()
        self.init(
            isSecure: isSecure, host: host, path: path.isEmpty ? "/" : CapturedURL.encoded(path),
            query: query.isEmpty ? nil : CapturedURL.encoded(query))
    }

    /// Resolves the target of a redirect (RFC 3986 §5.2, without the removal of dots).
    func resolving(_ location: String) -> CapturedURL? {
        if location.isEmpty { return nil }
        if location.hasPrefix("//") { return CapturedURL((isSecure ? "https:" : "http:") + location) }
        if location.contains("://") { return CapturedURL(location) }
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        let target =
            location.hasPrefix("/") ? location : location.hasPrefix("?") ? path + location : folder + location
        return CapturedURL(isSecure: isSecure, authority: host, target: target)
    }

    package var text: String {
        "\(isSecure ? "https" : "http")://\(host)\(path)\(query.map { "?\($0)" } ?? "")"
    }

    private static func host(_ authority: String) -> String? {
        if authority.hasPrefix("[") { return ownHost }
        var name = authority.prefix { $0 != ":" }.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        if IPAddress(name) != nil { return ownHost }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        }
        guard isName, name.utf8.count <= 253 else { return nil }
        return labels.count == 1 ? ownHost : name
    }

    /// Percent-encodes the bytes that a request target cannot have (RFC 3986 §3.3, §3.4).
    private static func encoded(_ text: some StringProtocol) -> String {
        let allowed = Set("-._~!$&'()*+,;=:@/?%".utf8)
        return text.utf8.reduce(into: "") { result, byte in
            let character = Character(UnicodeScalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || allowed.contains(byte) {
                result.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
    }
}

/// Replaces the parts of URLs that look like secrets: each by a word of its own, so that different URLs stay different.
///
/// Headers and cookies are never read from a capture, and bodies of requests neither; URLs are the rest.
package struct SecretRemoval: Sendable {
    private var words: [String: String] = [:]
    package var count: Int { words.count }

    package init() {}

    package mutating func clean(_ url: CapturedURL) -> CapturedURL {
        var url = url
        url.path = url.path.split(separator: "/", omittingEmptySubsequences: false)
            .map { looksSecret($0) ? word(for: $0) : String($0) }.joined(separator: "/")
        url.query = url.query.map { query in
            query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
                guard let equals = pair.firstIndex(of: "=") else {
                    return looksSecret(pair) ? word(for: pair) : String(pair)
                }
                let (name, value) = (pair[..<equals], pair[pair.index(after: equals)...])
                let isSecret = !value.isEmpty && (namesSecret(name) || looksSecret(value))
                return "\(name)=\(isSecret ? word(for: value) : String(value))"
            }.joined(separator: "&")
        }
        return url
    }

    private mutating func word(for secret: Substring) -> String {
        let known = words[String(secret)] ?? "removed\(words.count + 1)"
        words[String(secret)] = known
        return known
    }

    private static let secretNames = [
        "token", "key", "sig", "secret", "pass", "pwd", "auth", "session", "sid", "code", "credential", "jwt", "state",
        "nonce", "mail", "user", "phone", "otp",
    ]

    private func namesSecret(_ name: Substring) -> Bool {
        let name = name.lowercased()
        return Self.secretNames.contains(where: name.contains)
    }

    /// True for addresses of people, JSON web tokens, long numbers, and long values that mix letters and digits without
    /// being the name of a file.
    private func looksSecret(_ value: Substring) -> Bool {
        let lowercased = value.lowercased()
        if lowercased.contains("@") || lowercased.contains("%40") { return true }
        if value.hasPrefix("eyJ"), value.count >= 20 { return true }
        let digits = value.count(where: \.isNumber)
        if value.count >= 9, value.allSatisfy({ $0.isNumber || $0 == "-" }) { return digits >= 9 }
        return value.count >= 20 && digits > 0 && value.contains(where: \.isLetter) && !value.contains(".")
    }
}
