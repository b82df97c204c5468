/// Converts `resumableUpload` of a route into a `ResumableUploadPlan`.
enum ResumableUploadReader {
    static let field = Field(
        "resumableUpload", .object(keys.fields()),
        "Supports resumable uploads over HTTP/1.1; the route's content is the response to a complete upload.")

    private static let keys: [Key<ResumableUploadPlan>] = [
        Key(
            "version", .word(ResumableUploadPlan.Version.allCases.map { "\($0.rawValue)" } + ["any"]),
            "The interop version of the draft, or `any` of these; default 8. A request with another version is an ordinary upload."
        ) { fields, plan, _ in
            plan.acceptsAnyVersion = fields.text("version") == "any"
            guard let number = fields.text("version").flatMap(Int.init) else { return }
            plan.version = ResumableUploadPlan.Version(rawValue: number) ?? .version8
        },
        Key("announce", \.announces, "True: a 104 response announces the upload's own URL; default true."),
        Key(
            "progressEvery", \.progressEvery,
            "A 104 response reports the offset each time this many more bytes have arrived; default never."),
        Key(
            "keepsMultiplesOf", \.keepsMultiplesOf,
            "After a lost connection only a multiple of this many bytes is kept; default 1B."),
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
                "version 3 does not report progress; leave `progressEvery` out or use 5, 6 or 8")
        }
        if plan.maximumSize != nil, plan.version < .version6 {
            findings.refuse(
                fields.place(of: "maximumSize"),
                "versions before 6 do not have Upload-Limit; leave `maximumSize` out or use 6 or 8")
        }
        if plan.acceptsAnyVersion, fields.has("maximumSize") {
            findings.refuse(
                fields.place(of: "maximumSize"),
                "`maximumSize` needs Upload-Limit, which not every version has; write `version: 6` or 8")
        }
        for name in ["basic", "digest", "authentication"] where route.has(name) {
            findings.refuse(
                route.place(of: name),
                "a route with `resumableUpload` cannot require credentials; use separate routes")
        }
        return plan
    }
}
