/// Converts `basic`, `digest` and `authentication` of a route into an `AuthenticationPlan`.
enum AuthenticationReader {
    static let fields = [
        Field("basic", .object(credentials), "Requires Basic authentication."),
        Field("digest", .object(credentials + digest), "Requires Digest authentication."),
        Field("authentication", authentication, "Requires one of several schemes, or challenges like a proxy."),
    ]

    static let credentials = [
        Field("user", .text, required: true, "The correct user."),
        Field("password", .text, required: true, "The correct password."),
        Field("realm", .text, "Default lab."),
    ]

    static let digest = [
        Field("algorithm", .word(AuthenticationPlan.Digest.Algorithm.allCases.map(\.rawValue)), "Default SHA-256."),
        Field(
            "qop", .oneOrMore(.word(AuthenticationPlan.Digest.Quality.allCases.map(\.rawValue) + ["none"])),
            "The offered qop values, in this order; `none`: without qop, as in RFC 2069. Default auth."),
        Field("nonceUses", .integer(1...1_000_000), "A nonce becomes stale after this many requests; default never."),
        Field(
            "nextNonce", .boolean, "The response to each accepted request has the next nonce in Authentication-Info."),
        Field("userHash", .boolean, "Offers userhash: the client may send the user name hashed."),
        Field(
            "exactCount", .boolean,
            "Answers an nc that is not the number of requests with its nonce with 400; for requests one after another."),
    ]

    private static let authentication = Shape.object([
        Field(
            "schemes", .oneOrMore(.either([.word(["basic", "digest", "ntlm", "negotiate"]), scheme])), required: true,
            "The challenges in this order; one of them is enough."),
        Field("user", .text, "The correct user."),
        Field("password", .text, "The correct password."),
        Field("realm", .text, "Default lab."),
        Field(
            "as", .word(AuthenticationPlan.Requester.allCases.map(\.rawValue)),
            "The source of the challenge: origin (401, WWW-Authenticate; default) or proxy (407, Proxy-Authenticate)."),
        Field("oneLine", .boolean, "All challenges are in one header line; default: one line each."),
        Field(
            "fromRequest", .integer(1...1_000_000),
            "The first request of the path that needs credentials; default 1."),
    ])

    private static let scheme = Shape.choice(
        [
            Field("digest", .object(digest), "Digest, with these details."),
            Field(
                "bearer", .object([Field("token", .text, required: true, "The correct token.")]),
                "A bearer token (RFC 6750)."),
            Field(
                "ntlm", .object([Field("domain", .text, "The server's domain; default LAB.")]),
                "NTLMv2: three messages authenticate the connection."),
            Field(
                "negotiate",
                .object([
                    Field(
                        "legs", .integer(1...16),
                        "The number of client tokens that complete the exchange, whatever their content; default 1.")
                ]), "The exchange of RFC 4559; NTLM tokens are verified."),
            Field("other", .text, "This challenge, byte for byte; no credentials satisfy it."),
        ], beside: [])

    static func plan(_ fields: Fields, _ findings: inout Findings) -> AuthenticationPlan? {
        let ways = ["basic", "digest", "authentication"].filter(fields.has)
        guard let way = ways.first, let given = fields.fields(way) else { return nil }
        if ways.count > 1 {
            findings.refuse(
                fields.place(of: ways[1]),
                "`\(way)` and `\(ways[1])` exclude each other; for several challenges write `authentication: { schemes: [\(way), …] }`"
            )
        }
        let schemes: [AuthenticationPlan.Scheme] =
            switch way {
            case "basic": [.basic]
            case "digest": [.digest(digest(given, &findings))]
            default: given.value("schemes")?.elements.compactMap { scheme($0, &findings) } ?? []
            }
        var plan = AuthenticationPlan(
            schemes: schemes, user: given.text("user") ?? "", password: given.text("password") ?? "",
            realm: given.text("realm") ?? "lab")
        plan.requester = given.text("as").flatMap(AuthenticationPlan.Requester.init(rawValue:)) ?? .origin
        plan.isOneLine = given.boolean("oneLine") ?? false
        plan.fromRequest = given.int("fromRequest") ?? 1
        check(plan, given, &findings)
        return plan
    }

    private static func check(_ plan: AuthenticationPlan, _ given: Fields, _ findings: inout Findings) {
        if !HTTPHeadSyntax.isFieldValue(plan.realm) || plan.realm.contains("\"") {
            findings.refuse(given.place(of: "realm"), "a realm cannot contain quotes or control characters")
        }
        if plan.user.contains(":") {
            findings.refuse(given.place(of: "user"), "a user name cannot contain a colon (RFC 7617 §2)")
        }
        if plan.schemes.isEmpty, given.has("schemes") {
            findings.refuse(given.place(of: "schemes"), "write at least one scheme, such as `basic`")
        }
        for scheme in plan.schemes {
            guard scheme.requiresPassword else { continue }
            for name in ["user", "password"] where !given.has(name) {
                findings.refuse(given.place, "`\(scheme.word)` needs `\(name)`")
            }
            break
        }
        var seen: Set<String> = []
        for scheme in plan.schemes where scheme.isBoundToConnection && !seen.insert(scheme.word).inserted {
            findings.refuse(given.place(of: "schemes"), "`\(scheme.word)` is listed twice; remove one")
        }
    }

    private static func scheme(_ value: Value, _ findings: inout Findings) -> AuthenticationPlan.Scheme? {
        if let word = value.text { return scheme(word, nil, value.place, &findings) }
        guard let entry = value.fields?.entries.first else { return nil }
        if entry.name == "other" {
            let text = entry.value.text ?? ""
            if !HTTPHeadSyntax.isFieldValue(text) || text.isEmpty {
                findings.refuse(
                    entry.value.place,
                    "a challenge is a text without control characters, such as `Unknown realm=\"lab\"`")
            }
            return .other(text)
        }
        return scheme(entry.name, entry.value.fields, entry.place, &findings)
    }

    private static func scheme(_ word: String, _ fields: Fields?, _ place: Place, _ findings: inout Findings)
        -> AuthenticationPlan.Scheme?
    {
        switch word {
        case "basic": return .basic
        case "digest": return .digest(fields.map { digest($0, &findings) } ?? AuthenticationPlan.Digest())
        case "bearer":
            guard let token = fields?.text("token") else {
                findings.refuse(place, "`bearer` needs the correct token: `bearer: { token: abc }`")
                return nil
            }
            if !token.utf8.allSatisfy(AuthenticationReader.isOfToken) || token.isEmpty {
                findings.refuse(place, "a bearer token consists of letters, digits and -._~+/= (RFC 6750 §2.1)")
            }
            return .bearer(token: token)
        case "ntlm": return .ntlm(domain: fields?.text("domain") ?? "LAB")
        case "negotiate": return .negotiate(legs: fields?.int("legs") ?? 1)
        default: return nil
        }
    }

    private static func digest(_ fields: Fields, _ findings: inout Findings) -> AuthenticationPlan.Digest {
        let words = fields.texts("qop")
        if words.contains("none"), words.count > 1 {
            findings.refuse(fields.place(of: "qop"), "`none` cannot be combined: the challenge then has no qop")
        }
        if words.contains("none"), fields.boolean("exactCount") == true {
            findings.refuse(fields.place(of: "exactCount"), "without qop a client does not send a count")
        }
        return AuthenticationPlan.Digest(
            algorithm: fields.text("algorithm").flatMap(AuthenticationPlan.Digest.Algorithm.init(rawValue:)) ?? .sha256,
            qualities: fields.has("qop")
                ? words.compactMap(AuthenticationPlan.Digest.Quality.init(rawValue:)) : [.authentication],
            nonceUses: fields.int("nonceUses"), sendsNextNonce: fields.boolean("nextNonce") ?? false,
            acceptsUserHash: fields.boolean("userHash") ?? false,
            requiresExactCount: fields.boolean("exactCount") ?? false)
    }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E, 0x2F, 0x3D, 0x5F, 0x7E: true
        default: false
        }
    }
}

extension AuthenticationPlan.Scheme {
    /// The scheme's word in scenario files.
    package var word: String {
        switch self {
        case .basic: "basic"
        case .digest: "digest"
        case .bearer: "bearer"
        case .ntlm: "ntlm"
        case .negotiate: "negotiate"
        case .other: "other"
        }
    }

    /// True if the credentials apply to the connection, not to the request.
    package var isBoundToConnection: Bool {
        switch self {
        case .ntlm, .negotiate: true
        case .basic, .digest, .bearer, .other: false
        }
    }

    fileprivate var requiresPassword: Bool {
        switch self {
        case .basic, .digest, .ntlm: true
        case .bearer, .negotiate, .other: false
        }
    }
}
