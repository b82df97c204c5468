/// Converts `ranges:` into a `RangePlan`.
enum RangeReader {
    static let keys: [Key<RangePlan>] = [
        Key(
            "response", \.response,
            "`whole`: 200 though a part is asked for; `multipart`: also for one part; `unsatisfiable`: always 416. Default part."
        ),
        Key("advertise", \.advertisement, "Accept-Ranges; default bytes."),
        Key(
            "ifRange", \.ifRange,
            "`ignored`: 206 though the validator does not match; `never`: 200 though it does. Default honoured."),
        Key("start", \.start, "The part begins here, whatever is asked, and Content-Range says so."),
        Key(
            "shift", \.shift, as: .integer(-(1 << 40)...1 << 40),
            "It begins so many bytes later than asked; negative: earlier."),
        Key("short", \.short, "It ends so many bytes too early, and Content-Range says so."),
        place(
            "contentRange", \.contentRange,
            "`absent`, `unknownLength` (bytes N-M/*), or the value whatever is sent."),
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
                fields.place(of: "shift"), "`start` and `shift` exclude each other; both say where the part begins")
        }
        let needs: [(RangePlan.Response, [String])] = [
            (.whole, ["ifRange", "start", "shift", "short", "contentRange", "etag", "lastModified", "unsatisfied"]),
            (.unsatisfiable, ["ifRange", "start", "shift", "short", "contentRange", "etag", "lastModified"]),
        ]
        for (response, names) in needs where plan.response == response {
            for name in names where fields.has(name) {
                findings.refuse(
                    fields.place(of: name),
                    "`\(name)` has no meaning beside `response: \(response.rawValue)`; leave it out")
            }
        }
        if plan.unsatisfiedRange == .unknownLength {
            findings.refuse(
                fields.place(of: "unsatisfied"), "a 416 has no part; write `absent` or a value such as `bytes */1000`")
        }
        return plan
    }
}
