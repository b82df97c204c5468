/// Converts `when:` of a variant into a condition on requests.
struct RequestMatcherReader {
    var findings = Findings()

    mutating func condition(_ variant: Fields) -> RequestMatcher {
        var condition = RequestMatcher()
        guard let fields = variant.fields("when") else { return condition }
        if fields.entries.isEmpty {
            findings.refuse(
                fields.place, "this holds for every request; say when, or put the answer in the route itself")
        }
        condition.request = Findings.int(fields.integer("request"))
        condition.firstRequest = Findings.int(fields.integer("fromRequest"))
        if condition.request != nil, condition.firstRequest != nil {
            findings.refuse(fields.place(of: "fromRequest"), "`request` and `fromRequest` exclude each other")
        }
        condition.method = fields.text("method")
        condition.query = fields.text("query")
        for pair in fields.pairs("headers") {
            guard HTTPHeadSyntax.isToken(pair.key) else {
                findings.refuse(pair.place, "`\(pair.key.shortened)` is no header name")
                continue
            }
            condition.headers[pair.key.lowercased()] =
                switch pair.value.text {
                case "present": .present
                case "absent": .absent
                case let text: .value(text ?? "")
                }
        }
        condition.cookie = fields.text("cookie")
        condition.lacksCookie = fields.text("withoutCookie")
        return condition
    }
}
