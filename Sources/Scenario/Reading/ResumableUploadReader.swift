/// Converts `resumableUpload` of a route into a `ResumableUploadPlan`.
struct ResumableUploadReader {
    var findings = Findings()

    mutating func plan(_ route: Fields) -> ResumableUploadPlan? {
        guard let fields = route.fields("resumableUpload") else { return nil }
        var plan = ResumableUploadPlan()
        if let number = fields.text("version").flatMap(Int.init) {
            plan.version = ResumableUploadPlan.Version(rawValue: number) ?? .version8
        }
        plan.acceptsAnyVersion = fields.text("version") == "any"
        plan.announces = fields.boolean("announce") ?? true
        plan.progressEvery = fields.byteCount("progressEvery")
        plan.keepsMultiplesOf = fields.byteCount("keepsMultiplesOf") ?? plan.keepsMultiplesOf
        plan.maximumSize = fields.byteCount("maximumSize")
        for name in ["progressEvery", "keepsMultiplesOf"] where fields.byteCount(name) == .zero {
            findings.refuse(fields.place(of: name), "`\(name)` is at least 1B")
        }
        if plan.progressEvery != nil, plan.version < .version5 {
            findings.refuse(
                fields.place(of: "progressEvery"),
                "version 3 has no word of progress; leave `progressEvery` out or take 5, 6 or 8")
        }
        if plan.maximumSize != nil, plan.version < .version6 {
            findings.refuse(
                fields.place(of: "maximumSize"),
                "versions before 6 have no Upload-Limit; leave `maximumSize` out or take 6 or 8")
        }
        if plan.acceptsAnyVersion, fields.has("maximumSize") {
            findings.refuse(
                fields.place(of: "maximumSize"),
                "not every version has Upload-Limit; beside `maximumSize` write `version: 6` or 8")
        }
        for name in ["basic", "digest", "authentication"] where route.has(name) {
            findings.refuse(
                route.place(of: name),
                "a route with `resumableUpload` asks for no credentials; give them routes of their own")
        }
        return plan
    }
}
