import AdapterProtocol

/// Turns `origin:` into what the server serves.
struct OriginReader {
    var findings = Findings()

    mutating func plan(_ root: Fields) -> OriginPlan {
        var plan = OriginPlan()
        guard let fields = root.fields("origin") else { return plan }
        plan.tls = tls(fields)
        plan.idleTimeout = fields.duration("idleTimeout")
        for entry in fields.entries where entry.name.hasPrefix("/") {
            if let route = route(entry, isSecure: plan.tls != nil) { plan.routes.append(route) }
        }
        var reader = FaultReader()
        plan.faults = fields.list("faults").compactMap { reader.fault($0, in: plan) }
        findings.add(reader.findings.errors)
        return plan
    }

    private mutating func tls(_ fields: Fields) -> TLSPlan? {
        if let wanted = fields.boolean("tls") { return wanted ? TLSPlan() : nil }
        guard let tls = fields.fields("tls") else { return nil }
        var plan = TLSPlan()
        plan.certificate = tls.text("certificate").flatMap(TLSPlan.Certificate.init(rawValue:)) ?? .valid
        plan.maximumVersion = tls.text("maximum") ?? "1.3"
        plan.minimumVersion = tls.text("minimum") ?? min("1.2", plan.maximumVersion)
        if plan.minimumVersion > plan.maximumVersion {
            findings.refuse(
                tls.place(of: tls.has("minimum") ? "minimum" : "maximum"),
                "the lowest TLS version \(plan.minimumVersion) is above the highest \(plan.maximumVersion)")
        }
        return plan
    }

    private mutating func route(_ entry: Fields.Entry, isSecure: Bool) -> Route? {
        guard let fields = entry.value.fields else { return nil }
        let target = findings.attempt { () throws(ScenarioError) in
            try RequestTarget.parse(entry.name, secure: isSecure, at: entry.place)
        }
        guard let target else { return nil }
        if entry.name.contains("?") || entry.name.contains("#") {
            findings.refuse(entry.place, "a route is a path without query and fragment; it answers every query")
        }
        var route = Route(
            host: entry.name.hasPrefix("//") ? target.host?.lowercased() : nil, path: target.path,
            content: content(fields, at: entry.place, isSecure: isSecure))
        route.authentication = authentication(fields)
        route.delay = fields.duration("delay")
        return route
    }

    private mutating func content(_ fields: Fields, at place: Place, isSecure: Bool) -> RouteContent {
        let kinds = fields.entries.map(\.name).filter(["size", "text", "redirect", "echo"].contains)
        if kinds.count > 1 {
            findings.refuse(fields.place(of: kinds[1]), "`\(kinds[0])` and `\(kinds[1])` exclude each other; a route has one body")
        }
        if fields.boolean("echo") == true {
            refuseBeside(["status", "type", "headers", "etag", "lastModified", "ranges", "framing", "then"], "echo", fields)
            return .echo
        }
        if let to = fields.text("redirect") {
            refuseBeside(["type", "headers", "etag", "lastModified", "ranges", "framing", "then"], "redirect", fields)
            let status = Findings.int(fields.integer("status")) ?? 302
            if ![301, 302, 303, 307, 308].contains(status) {
                findings.refuse(fields.place(of: "status"), "a redirect has the status 301, 302, 303, 307 or 308, not \(status)")
            }
            _ = findings.attempt { () throws(ScenarioError) in
                try RequestTarget.parse(to, secure: isSecure, at: fields.place(of: "redirect"))
            }
            return .redirect(status: status, to: to)
        }
        return .resource(resource(fields))
    }

    private mutating func refuseBeside(_ names: [String], _ kind: String, _ fields: Fields) {
        for name in names where fields.has(name) {
            findings.refuse(fields.place(of: name), "`\(name)` has no meaning beside `\(kind)`; leave it out")
        }
    }

    private mutating func resource(_ fields: Fields) -> Resource {
        var resource = Resource(body: body(fields) ?? .pattern(.zero))
        resource.status = Findings.int(fields.integer("status")) ?? 200
        if case .text = resource.body { resource.contentType = "text/plain" }
        if let type = findings.fieldValue("type", of: fields) { resource.contentType = type }
        resource.headers = findings.headers("headers", of: fields).map { HeaderField($0.name, $0.value) }
        resource.etag = findings.entityTag("etag", of: fields)
        resource.lastModified = findings.fieldValue("lastModified", of: fields)
        resource.ranges = fields.boolean("ranges") ?? true
        resource.framing = fields.text("framing").flatMap(Resource.Framing.init(rawValue:)) ?? .contentLength
        if [204, 304].contains(resource.status), fields.has("size") || fields.has("text") {
            findings.refuse(fields.place(of: "status"), "a response with status \(resource.status) has no body (RFC 9110 §6.4.1)")
        }
        if let then = fields.fields("then") {
            if then.has("size"), then.has("text") {
                findings.refuse(then.place(of: "text"), "`size` and `text` exclude each other; a route has one body")
            }
            resource.replacedAt = Resource.Replacement(
                request: Findings.int(then.integer("fromRequest")) ?? 2, etag: findings.entityTag("etag", of: then),
                lastModified: findings.fieldValue("lastModified", of: then), body: body(then))
        }
        return resource
    }

    private func body(_ fields: Fields) -> Resource.Body? {
        fields.byteCount("size").map { .pattern($0) } ?? fields.text("text").map { .text($0) }
    }

    private mutating func authentication(_ fields: Fields) -> AuthenticationPlan? {
        if fields.has("basic"), fields.has("digest") {
            findings.refuse(fields.place(of: "digest"), "`basic` and `digest` exclude each other; a route asks for one of them")
        }
        guard let given = fields.fields("basic") ?? fields.fields("digest"), let user = given.text("user"),
            let password = given.text("password")
        else { return nil }
        let realm = given.text("realm") ?? "lab"
        if !WireText.isFieldValue(realm) || realm.contains("\"") {
            findings.refuse(given.place(of: "realm"), "a realm has neither quotes nor control characters")
        }
        if user.contains(":") {
            findings.refuse(given.place(of: "user"), "a user name has no colon (RFC 7617 §2)")
        }
        let algorithm = given.text("algorithm").flatMap(AuthenticationPlan.DigestAlgorithm.init(rawValue:)) ?? .sha256
        return AuthenticationPlan(
            scheme: fields.has("basic") ? .basic : .digest(algorithm), user: user, password: password, realm: realm,
            nonceUses: Findings.int(given.integer("nonceUses")))
    }
}
