/// Converts `ranges:` into a `RangePlan`.
struct RangeReader {
    var findings = Findings()

    mutating func plan(_ route: Fields) -> RangePlan {
        if let served = route.boolean("ranges") { return served ? RangePlan() : .unsupported }
        var plan = RangePlan()
        guard let fields = route.fields("ranges") else { return plan }
        plan.response = fields.text("response").flatMap(RangePlan.Response.init(rawValue:)) ?? .part
        plan.advertisement = fields.text("advertise").flatMap(RangePlan.Advertisement.init(rawValue:)) ?? .bytes
        plan.ifRange = fields.text("ifRange").flatMap(RangePlan.IfRange.init(rawValue:)) ?? .honoured
        plan.start = fields.byteCount("start")
        plan.shift = fields.integer("shift") ?? 0
        plan.short = fields.byteCount("short") ?? .zero
        plan.contentRange = place("contentRange", fields)
        plan.etag = validator("etag", fields)
        plan.lastModified = validator("lastModified", fields)
        plan.unsatisfiedRange = place("unsatisfied", fields)
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

    private mutating func place(_ name: String, _ fields: Fields) -> RangePlan.Place {
        switch findings.fieldValue(name, of: fields) {
        case nil: .right
        case "absent": .absent
        case "unknownLength": .unknownLength
        case .some(let text): .text(text)
        }
    }

    private mutating func validator(_ name: String, _ fields: Fields) -> RangePlan.Validator {
        switch findings.fieldValue(name, of: fields) {
        case nil: .asServed
        case "absent": .absent
        case .some(let text): .text(text)
        }
    }
}
