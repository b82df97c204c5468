/// Converts `origin:` into an `OriginPlan`.
struct OriginReader {
    static let shape = Shape.open(
        [
            Field(
                "tls", .either([.boolean, TLSReader.shape]),
                "Also listen with TLS; paths of steps then become https URLs."
            ),
            Field(
                "idleTimeout", .duration, "An idle kept-alive connection is closed after this time; default never."),
            Field("faults", .list(FaultReader.shape), "The points at which the server misbehaves."),
        ] + HTTP2Reader.fields, key: "a path such as /big or //host/big", pattern: KeyPattern.path, route)

    static let route = Shape.object(
        ContentReader.fields + AuthenticationReader.fields + [ResumableUploadReader.field] + WireReader.fields)

    /// Faults in `set:`.
    static let laterFaults = Field(
        "faults", .either([.word(["none"]), .list(FaultReader.shape)]), required: true,
        "These faults replace all others, and `first` and `every` count from here; `none` for a correct server."
    )

    var findings = Findings()

    mutating func plan(_ root: Fields) -> OriginPlan {
        var plan = OriginPlan()
        guard let fields = root.fields("origin") else { return plan }
        plan.tls = TLSReader.plan(fields, &findings)
        plan.idleTimeout = fields.duration("idleTimeout")
        findings.add(HTTP2Reader.read(fields, into: &plan))
        for entry in fields.entries where entry.name.hasPrefix("/") {
            if let route = route(entry, isSecure: plan.tls != nil, protocols: plan.protocols) {
                plan.routes.append(route)
            }
        }
        if plan.protocols.contains(.http2), plan.routes.contains(where: { $0.resumableUpload != nil }) {
            findings.refuse(fields.place, "`resumableUpload` is served over HTTP/1.1; leave h2 out of this origin")
        }
        var reader = FaultReader()
        plan.faults = fields.list("faults").compactMap { reader.fault($0, in: plan) }
        findings.add(reader.findings.errors)
        return plan
    }

    private mutating func route(_ entry: Fields.Entry, isSecure: Bool, protocols: [ApplicationProtocol]) -> Route? {
        guard let fields = entry.value.fields else { return nil }
        let target = findings.attempt { () throws(ScenarioError) in
            try RequestTarget.parse(entry.name, secure: isSecure, at: entry.place)
        }
        guard let target else { return nil }
        if entry.name.contains("?") || entry.name.contains("#") {
            findings.refuse(entry.place, "a route is a path without query and fragment; it serves every query")
        }
        var contents = ContentReader(isSecure: isSecure)
        var route = Route(
            host: entry.name.hasPrefix("//") ? target.host?.lowercased() : nil, path: target.path,
            content: contents.content(fields))
        route.variants = contents.variants(fields)
        findings.add(contents.findings.errors)
        route.cookies = CookieReader.cookies(fields, &findings)
        route.authentication = AuthenticationReader.plan(fields, &findings)
        route.delay = fields.duration("delay")
        route.resumableUpload = ResumableUploadReader.plan(fields, &findings)
        var wires = WireReader(supportsHTTP1: protocols.contains(.http1), supportsHTTP2: protocols.contains(.http2))
        route.wire = wires.plan(fields, of: route.content)
        findings.add(wires.findings.errors)
        return route
    }
}
