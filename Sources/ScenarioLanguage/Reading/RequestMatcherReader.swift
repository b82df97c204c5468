/// Converts `when:` of a variant into a condition on requests.
enum RequestMatcherReader {
    static let keys: [Key<RequestMatcher>] = [
        Key("request", \.request, "The k-th request for the path."),
        Key("fromRequest", \.firstRequest, "This request for the path and all later ones."),
        Key("method", \.method, "The method."),
        Key("query", \.query, "The query, without its question mark."),
        Key("headers", Field.expectedHeaders.shape, Field.expectedHeaders.summary) { fields, condition, findings in
            for pair in fields.pairs("headers") {
                guard HTTPHeadSyntax.isToken(pair.key) else {
                    findings.refuse(pair.place, "`\(pair.key.shortened)` is not a header name")
                    continue
                }
                condition.headers[pair.key.lowercased()] =
                    switch pair.value.text {
                    case "present": .present
                    case "absent": .absent
                    case let text: .value(text ?? "")
                    }
            }
        },
        Key("cookie", \.cookie, "The request carries this cookie: a name, or name=value."),
        Key("withoutCookie", \.lacksCookie, "The request does not carry this cookie."),
    ]

    static func condition(_ variant: Fields, _ findings: inout Findings) -> RequestMatcher {
        var condition = RequestMatcher()
        guard let fields = variant.fields("when") else { return condition }
        if fields.entries.isEmpty {
            findings.refuse(
                fields.place, "this holds for every request; add a condition, or put the response into the route itself"
            )
        }
        keys.read(fields, into: &condition, &findings)
        if condition.request != nil, condition.firstRequest != nil {
            findings.refuse(fields.place(of: "fromRequest"), "`request` and `fromRequest` exclude each other")
        }
        return condition
    }
}
