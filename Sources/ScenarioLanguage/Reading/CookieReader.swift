/// Converts `cookies:` into Set-Cookie fields.
enum CookieReader {
    static let keys: [Key<CookiePlan.Made>] = [
        Key("name", \.name, required: true, "Its name."),
        Key("value", \.value, "The cookie's value; default empty."),
        Key("size", .byteCount, "Instead of `value`: a value of this length.") { fields, cookie, findings in
            guard let size = fields.byteCount("size") else { return }
            if fields.has("value") {
                findings.refuse(fields.place(of: "size"), "`value` and `size` exclude each other")
            }
            if size.bytes > 1 << 20 {
                findings.refuse(fields.place(of: "size"), "a cookie has at most 1MiB here, not \(size)")
            }
            cookie.value = String(repeating: "c", count: Int(min(size.bytes, 1 << 20)))
        },
        Key("domain", \.domain, "Domain."),
        Key("path", \.path, "Path."),
        Key("expiresIn", \.expiresIn, "Expires is this long after the response."),
        Key("expiredSince", \.expiredSince, "Expires is this long before the response: the cookie is removed."),
        Key("maxAge", \.maxAge, "Max-Age in seconds; 0 removes the cookie."),
        Key("secure", \.isSecure, "Secure."),
        Key("httpOnly", \.isHTTPOnly, "HttpOnly."),
        Key("sameSite", \.sameSite, "SameSite."),
    ]

    static func cookies(_ route: Fields, _ findings: inout Findings) -> [CookiePlan] {
        route.value("cookies")?.elements.compactMap { value in
            if let text = value.text {
                if !HTTPHeadSyntax.isFieldValue(text) { refuse(value.place, &findings) }
                return .text(text)
            }
            return value.fields.map { .made(made($0, &findings)) }
        } ?? []
    }

    private static func made(_ fields: Fields, _ findings: inout Findings) -> CookiePlan.Made {
        var cookie = CookiePlan.Made(name: "", value: "")
        keys.read(fields, into: &cookie, &findings)
        if cookie.expiresIn != nil, cookie.expiredSince != nil {
            findings.refuse(fields.place(of: "expiredSince"), "`expiresIn` and `expiredSince` exclude each other")
        }
        // RFC 6265 §4.1.1; an invalid cookie can be written as a text.
        if !HTTPHeadSyntax.isToken(cookie.name) {
            findings.refuse(
                fields.place(of: "name"),
                "`\(cookie.name.shortened)` is not a cookie name; write the whole field as a text")
        }
        for name in ["value", "domain", "path"] {
            guard let text = fields.text(name), text.contains(";") || !HTTPHeadSyntax.isFieldValue(text) else {
                continue
            }
            findings.refuse(
                fields.place(of: name),
                "a semicolon or control character would end the attribute; write the whole field as a text")
        }
        return cookie
    }

    private static func refuse(_ place: Place, _ findings: inout Findings) {
        findings.refuse(
            place, "a cookie with control characters would break the head; write the line under `wire: { lines: … }`")
    }
}
