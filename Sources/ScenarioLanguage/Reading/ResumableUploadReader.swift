/// Converts `resumableUpload` of a route into a `ResumableUploadPlan`.
enum ResumableUploadReader {
    static let field = Field(
        "resumableUpload", .object(keys.fields()),
        "Offers to resume uploads over HTTP/1.1; the route's content is the answer to a complete one.")

    private static let keys: [Key<ResumableUploadPlan>] = [
        Key(
            "version", .word(ResumableUploadPlan.Version.allCases.map { "\($0.rawValue)" } + ["any"]),
            "The interop version of the draft, or `any` of these; default 8. A request of another one is an ordinary upload."
        ) { fields, plan, _ in
            plan.acceptsAnyVersion = fields.text("version") == "any"
            guard let number = fields.text("version").flatMap(Int.init) else { return }
            plan.version = ResumableUploadPlan.Version(rawValue: number) ?? .version8
        },
        Key("announce", \.announces, "Whether a 104 response tells the upload's own address; default true."),
        Key(
            "progressEvery", \.progressEvery,
            "A 104 response tells the offset each time so much more has come; default never."),
        Key(
            "keepsMultiplesOf", \.keepsMultiplesOf,
            "After a cut only a multiple of this many bytes is kept; default 1B."),
        Key("maximumSize", \.maximumSize, "Longer uploads are refused with 413 and Upload-Limit."),
    ]

    static func plan(_ route: Fields, _ findings: inout Findings) -> ResumableUploadPlan? {
        guard let fields = route.fields("resumableUpload") else { return nil }
        var plan = ResumableUploadPlan()
        keys.read(fields, into: &plan, &findings)
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
