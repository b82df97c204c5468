import ScenarioLanguage

extension RequestMatcher {
    /// - Parameter number: The number of the request among those of this path, from 1.
    func matches(for head: RequestHead, number: Int) -> Bool {
        if let request, request != number { return false }
        if let firstRequest, number < firstRequest { return false }
        if let method, method != head.method { return false }
        if let query, query != head.query { return false }
        for (name, wanted) in headers {
            let values = head.values(of: name)
            switch wanted {
            case .present: if values.isEmpty { return false }
            case .absent: if !values.isEmpty { return false }
            case .value(let value): if values.joined(separator: ", ") != value { return false }
            }
        }
        if let cookie, !head.carries(cookie) { return false }
        if let lacksCookie, head.carries(lacksCookie) { return false }
        return true
    }
}

extension RequestHead {
    /// The query without its question mark.
    var query: String? {
        let rest = target.prefix { $0 != "#" }
        return rest.firstIndex(of: "?").map { String(rest[rest.index(after: $0)...]) }
    }

    /// Returns true if the request has this cookie, given by its name, or by name and value (RFC 6265 §4.2.1).
    func carries(_ cookie: String) -> Bool {
        values(of: "cookie").contains { value in
            value.split(separator: ";").map(\.trimmedOfBlanks).contains { pair in
                pair == cookie || !cookie.contains("=") && pair.prefix { $0 != "=" } == cookie
            }
        }
    }
}
