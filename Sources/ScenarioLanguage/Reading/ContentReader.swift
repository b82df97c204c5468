import AdapterProtocol

/// Converts the fields of a route or of one of its variants into its response.
struct ContentReader {
    static let fields =
        body + places + [
            Field(
                "variants", .list(variant),
                "Other responses for some requests; the first variant whose `when` holds is used."),
            Field(
                "cookies", .oneOrMore(.either([.text, .object(CookieReader.keys.fields())])),
                "Set-Cookie with every response of the route, including redirects and 401."),
            Field("delay", .duration, "Time between the complete request and the response head."),
        ]

    private static let body = [
        Field("size", .byteCount, "A body of this many position-dependent bytes."),
        Field("text", .text, "A body of this text."),
        Field("redirect", .text, "Responds with a redirect to this path or URL."),
        Field(
            "location", .text,
            "Responds with this Location, byte for byte: relative, with user and password, malformed."),
        Field(
            "hops", .integer(1...1_000_000),
            "The number of redirects to this route itself, each with another query, before that redirect."),
        Field("echo", .boolean, "Responds with the request as received."),
        Field("status", .integer(200...599), "The status; default 200, for a redirect 302."),
        Field("type", .text, "Content-Type; default application/octet-stream, text/plain for a text."),
        Field("headers", .headers, "Further response headers."),
        Field(
            "version", .integer(1...1_000_000),
            "The version of the content of a `size`; each version has other bytes. Default 1."),
        Field(
            "repeats", .integer(1...1_000_000),
            "The number of times that each 64 bytes of a `size` are repeated, roughly the compression ratio; default 1, incompressible."
        ),
        Field("framing", .word(Resource.Framing.allCases.map(\.rawValue)), "Default contentLength."),
        Field(
            "encoding",
            .either([.word(EncodingPlan.Coding.allCases.map(\.rawValue)), .object(EncodingReader.keys.fields())]),
            "The content coding."),
    ]

    private static let places = [
        Field("etag", .text, "The ETag as on the wire, including quotes: '\"v1\"'."),
        Field("lastModified", .text, "Last-Modified: an HTTP date as on the wire."),
        Field("modifiedAgo", .duration, "Last-Modified is this long before the origin's first response."),
        Field("expiresIn", .duration, "Expires is this long after each response."),
        Field("validation", validation, "The handling of conditional requests; default correct."),
        Field(
            "ranges", .either([.boolean, .object(RangeReader.keys.fields())]),
            "The handling of range requests; default true, correct."),
        Field(
            "replacedBy",
            .object([
                Field(
                    "fromRequest", .integer(2...1_000_000), required: true,
                    "From this request of the path on, counted from 1."),
                Field("etag", .text, "The new entity tag."),
                Field("lastModified", .text, "The new date."),
                Field("size", .byteCount, "The new size; default as before, with other bytes."),
                Field("text", .text, "The new text."),
            ]), "Another version replaces this one."),
    ]

    private static let variant = Shape.object(
        [
            Field(
                "when", .object(RequestMatcherReader.keys.fields()), required: true,
                "All given conditions must hold.")
        ] + body + places)

    private static let validation = Shape.object([
        Field(
            "response", .word(ValidationPlan.Response.allCases.map(\.rawValue)),
            "`ignored`: conditions are ignored; `alwaysMatches`: 304 to every conditional read. Default: correct."
        ),
        Field("headers", .headers, "Header fields of the 304, instead of those of the 200."),
    ])

    var findings = Findings()
    let isSecure: Bool

    mutating func content(_ fields: Fields) -> RouteContent {
        let isRedirect = fields.has("redirect") || fields.has("location")
        let kinds = fields.entries.map(\.name).filter { ["size", "text", "redirect", "location", "echo"].contains($0) }
            .filter { !isRedirect || $0 != "text" }
        if kinds.count > 1 {
            findings.refuse(
                fields.place(of: kinds[1]), "`\(kinds[0])` and `\(kinds[1])` exclude each other; a route has one body")
        }
        if !isRedirect { refuse(["hops"], in: fields, "`hops` needs a `redirect`") }
        if fields.boolean("echo") == true {
            refuse(["status", "type", "headers"] + ContentReader.resourceFields, beside: "echo", fields)
            return .echo
        }
        return isRedirect ? .redirect(redirect(fields)) : .resource(resource(fields))
    }

    mutating func variants(_ fields: Fields) -> [RouteVariant] {
        fields.list("variants").map { variant in
            RouteVariant(
                condition: RequestMatcherReader.condition(variant, &findings), content: content(variant))
        }
    }

    private static let resourceFields = [
        "version", "repeats", "etag", "lastModified", "modifiedAgo", "expiresIn", "validation", "ranges", "framing",
        "encoding", "replacedBy",
    ]

    private mutating func refuse(_ names: [String], beside kind: String, _ fields: Fields) {
        for name in names where fields.has(name) {
            findings.refuse(fields.place(of: name), "`\(name)` has no effect beside `\(kind)`; leave it out")
        }
    }

    private mutating func refuse(_ names: [String], in fields: Fields, _ message: String) {
        for name in names where fields.has(name) { findings.refuse(fields.place(of: name), message) }
    }

    private mutating func redirect(_ fields: Fields) -> Redirect {
        let kind = fields.has("redirect") ? "redirect" : "location"
        refuse(["type"] + ContentReader.resourceFields, beside: kind, fields)
        let to = fields.text(kind) ?? ""
        var redirect = Redirect(status: fields.int("status") ?? 302, to: to)
        redirect.headers = findings.headers("headers", of: fields)
        redirect.body = fields.text("text")
        redirect.hops = fields.int("hops") ?? 0
        if kind == "location" {
            if !HTTPHeadSyntax.isFieldValue(to) {
                findings.refuse(
                    fields.place(of: kind),
                    "for control characters in Location write the whole line under `wire: { lines: … }`")
            }
            return redirect
        }
        if ![301, 302, 303, 307, 308].contains(redirect.status) {
            findings.refuse(
                fields.place(of: "status"),
                "a redirect has the status 301, 302, 303, 307 or 308, not \(redirect.status); `location` allows any status"
            )
        }
        let isSecure = isSecure
        _ = findings.attempt { () throws(ScenarioError) in
            try RequestTarget.parse(to, secure: isSecure, at: fields.place(of: "redirect"))
        }
        return redirect
    }

    private mutating func resource(_ fields: Fields) -> Resource {
        var resource = Resource(body: body(fields) ?? .pattern(.zero))
        resource.status = fields.int("status") ?? 200
        if case .text = resource.body { resource.contentType = "text/plain" }
        if let type = findings.fieldValue("type", of: fields) { resource.contentType = type }
        resource.headers = findings.headers("headers", of: fields)
        resource.version = UInt64(clamping: fields.integer("version") ?? 1)
        resource.repeats = fields.integer("repeats") ?? 1
        if case .text = resource.body { refuse(["repeats"], beside: "text", fields) }
        resource.etag = findings.entityTag("etag", of: fields)
        resource.lastModified = findings.fieldValue("lastModified", of: fields)
        resource.modifiedAgo = fields.duration("modifiedAgo")
        resource.expiresIn = fields.duration("expiresIn")
        if resource.modifiedAgo != nil { refuse(["lastModified"], beside: "modifiedAgo", fields) }
        resource.ranges = RangeReader.plan(fields, &findings)
        if let given = fields.fields("validation") {
            resource.validation.response =
                given.text("response").flatMap(ValidationPlan.Response.init(rawValue:)) ?? .right
            resource.validation.headers = findings.headers("headers", of: given)
        }
        resource.encoding = EncodingReader.plan(fields, of: resource.body, &findings)
        resource.framing = fields.text("framing").flatMap(Resource.Framing.init(rawValue:)) ?? .contentLength
        let breaksRules = fields.fields("wire")?.boolean("forbiddenBody") == true
        if [204, 304].contains(resource.status), fields.has("size") || fields.has("text"), !breaksRules {
            findings.refuse(
                fields.place(of: "status"), "a response with status \(resource.status) has no body (RFC 9110 §6.4.1)")
        }
        if let then = fields.fields("replacedBy") {
            if then.has("size"), then.has("text") {
                findings.refuse(then.place(of: "text"), "`size` and `text` exclude each other; a route has one body")
            }
            resource.replacedAt = Resource.Replacement(
                request: then.int("fromRequest") ?? 2, etag: findings.entityTag("etag", of: then),
                lastModified: findings.fieldValue("lastModified", of: then), body: body(then),
                version: resource.version + 1)
            if resource.encoding?.bomb != nil {
                refuse(["replacedBy"], in: fields, "a zip bomb has no second version; use `variants`")
            }
        }
        return resource
    }

    private func body(_ fields: Fields) -> Resource.Body? {
        fields.byteCount("size").map { .pattern($0) } ?? fields.text("text").map { .text($0) }
    }
}
