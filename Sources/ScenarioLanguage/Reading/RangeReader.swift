/// Converts `ranges:` into a `RangePlan`.
enum RangeReader {
    static let keys: [Key<RangePlan>] = [
        Key(
            "response", \.response,
            "`whole`: 200 although a part is requested; `multipart`: also for one part; `unsatisfiable`: always 416. Default part."
        ),
        Key("advertise", \.advertisement, "The Accept-Ranges field; default bytes."),
        Key(
            "ifRange", \.ifRange,
            "`ignored`: 206 although the validator does not match; `never`: 200 although it does. Default honoured."),
        Key("start", \.start, "The part begins here, whatever is requested, and Content-Range matches."),
        Key(
            "shift", \.shift, as: .integer(-(1 << 40)...1 << 40),
            "The part begins this many bytes later than requested; negative: earlier."),
        Key("short", \.short, "The part ends this many bytes too early, and Content-Range matches."),
        place(
            "contentRange", \.contentRange,
            "Content-Range: `absent`, `unknownLength` (bytes N-M/*), or a fixed value whatever is sent."),
        validator("etag", \.etag, "ETag of the 206: another one, or `absent`."),
        validator("lastModified", \.lastModified, "Last-Modified of the 206: another one, or `absent`."),
        place(
            "unsatisfied", \.unsatisfiedRange,
            "Content-Range of a 416: `absent`, or the value; default bytes */L."),
    ]

    private static func place(
        _ name: String, _ path: any WritableKeyPath<RangePlan, RangePlan.Place> & Sendable, _ summary: String
    ) -> Key<RangePlan> {
        Key(name, .text, summary) { fields, plan, findings in
            switch findings.fieldValue(name, of: fields) {
            case nil: break
            case "absent": plan[keyPath: path] = .absent
            case "unknownLength": plan[keyPath: path] = .unknownLength
            case .some(let text): plan[keyPath: path] = .text(text)
            }
        }
    }

    private static func validator(
        _ name: String, _ path: any WritableKeyPath<RangePlan, RangePlan.Validator> & Sendable, _ summary: String
    ) -> Key<RangePlan> {
        Key(name, .text, summary) { fields, plan, findings in
            switch findings.fieldValue(name, of: fields) {
            case nil: break
            case "absent": plan[keyPath: path] = .absent
            case .some(let text): plan[keyPath: path] = .text(text)
            }
        }
    }

    static func plan(_ route: Fields, _ findings: inout Findings) -> RangePlan {
        if let served = route.boolean("ranges") { return served ? RangePlan() : .unsupported }
        var plan = RangePlan()
        guard let fields = route.fields("ranges") else { return plan }
        keys.read(fields, into: &plan, &findings)
        if plan.start != nil, fields.has("shift") {
            findings.refuse(
                fields.place(of: "shift"), "`start` and `shift` exclude each other; both set where the part begins")
        }
        let needs: [(RangePlan.Response, [String])] = [
            (.whole, ["ifRange", "start", "shift", "short", "contentRange", "etag", "lastModified", "unsatisfied"]),
            (.unsatisfiable, ["ifRange", "start", "shift", "short", "contentRange", "etag", "lastModified"]),
        ]
        for (response, names) in needs where plan.response == response {
            for name in names where fields.has(name) {
                findings.refuse(
                    fields.place(of: name),
                    "`\(name)` has no effect beside `response: \(response.rawValue)`; leave it out")
            }
        }
        if plan.unsatisfiedRange == .unknownLength {
            findings.refuse(
                fields.place(of: "unsatisfied"),
                "a 416 does not have a part; write `absent` or a value such as `bytes */1000`")
        }
        return plan
    }
}
