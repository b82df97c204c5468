import AdapterProtocol

/// Converts `tls:` of the origin into a `TLSPlan`.
enum TLSReader {
    static let shape = Shape.object(keys.fields())

    private static let versions = Shape.word(TLSVersion.allCases.map(\.rawValue))

    private static let keys: [Key<TLSPlan>] = [
        Key("certificate", \.certificate, "Default valid."),
        Key("minimum", \.minimumVersion, as: versions, "The lowest TLS version that the server accepts; default 1.2."),
        Key("maximum", \.maximumVersion, as: versions, "The highest TLS version that the server accepts; default 1.3."),
        Key(
            "alpn", .oneOrMore(.text),
            "The accepted ALPN protocols, in this order, or `none` for a server without ALPN; a client that offers only others is refused. Default http/1.1."
        ) { fields, plan, findings in plan.alpn = protocols(fields, &findings) },
        Key(
            "staple", \.staple,
            "The status in a stapled OCSP response; default: no stapling, and `revoked` for a revoked certificate."),
        Key(
            "clientCertificate", \.clientCertificate,
            "Client certificates: requested, or required from the lab's authority; default none."),
        Key("resumption", \.resumes, "False: TLS sessions are not resumed; default true."),
        Key("earlyData", .word(["refused"]), "Tickets offer early data, and the server rejects it.") { _, plan, _ in
            plan.refusesEarlyData = true
        },
    ]

    static func plan(_ origin: Fields, _ findings: inout Findings) -> TLSPlan? {
        if let wanted = origin.boolean("tls") { return wanted ? TLSPlan() : nil }
        guard let tls = origin.fields("tls") else { return nil }
        var plan = TLSPlan()
        keys.read(tls, into: &plan, &findings)
        checkVersions(tls, &plan, &findings)
        checkStaple(tls, &plan, &findings)
        if plan.refusesEarlyData {
            if plan.maximumVersion != TLSVersion.tls13.rawValue {
                findings.refuse(tls.place(of: "earlyData"), "early data needs TLS 1.3; leave `maximum` at 1.3")
            }
            if !plan.resumes {
                findings.refuse(
                    tls.place(of: "earlyData"), "early data needs session resumption; leave `resumption` on")
            }
        }
        return plan
    }

    private static func checkVersions(_ tls: Fields, _ plan: inout TLSPlan, _ findings: inout Findings) {
        if tls.text("minimum") == nil { plan.minimumVersion = min(plan.minimumVersion, plan.maximumVersion) }
        if plan.minimumVersion > plan.maximumVersion {
            findings.refuse(
                tls.place(of: tls.has("minimum") ? "minimum" : "maximum"),
                "the lowest TLS version \(plan.minimumVersion) is above the highest \(plan.maximumVersion)")
        }
    }

    private static func protocols(_ tls: Fields, _ findings: inout Findings) -> [String] {
        let names = tls.texts("alpn")
        if names == ["none"] { return [] }
        if names.isEmpty || names.contains("none") {
            findings.refuse(
                tls.place(of: "alpn"), "write protocols, or `none` alone for a server without ALPN")
        }
        for name in names where name.isEmpty || name.utf8.count > 255 {
            findings.refuse(tls.place(of: "alpn"), "the name of a protocol has 1 to 255 bytes (RFC 7301 §3.1)")
        }
        return names
    }

    private static func checkStaple(_ tls: Fields, _ plan: inout TLSPlan, _ findings: inout Findings) {
        guard let staple = plan.staple else {
            if plan.certificate == .revoked { plan.staple = .revoked }
            return
        }
        if plan.certificate == .revoked, staple != .revoked {
            findings.refuse(
                tls.place(of: "staple"),
                "a revoked certificate always has the stapled status `revoked`; leave `staple` out")
        }
        switch plan.certificate {
        case .selfSigned:
            findings.refuse(
                tls.place(of: "staple"),
                "a self-signed certificate does not have an authority that could sign an OCSP response")
        case .intermediate, .incompleteChain:
            findings.refuse(
                tls.place(of: "staple"),
                "only the lab's root authority signs OCSP responses; write another `certificate`")
        case .valid, .expired, .notYetValid, .wrongHost, .unknownAuthority, .wildcard, .partialWildcard, .weakKey,
            .revoked:
            break
        }
    }
}
