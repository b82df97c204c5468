import AdapterProtocol

/// Converts `tls:` of the origin into a `TLSPlan`.
struct TLSReader {
    var findings = Findings()

    mutating func plan(_ origin: Fields) -> TLSPlan? {
        if let wanted = origin.boolean("tls") { return wanted ? TLSPlan() : nil }
        guard let tls = origin.fields("tls") else { return nil }
        var plan = TLSPlan()
        plan.certificate = tls.text("certificate").flatMap(TLSPlan.Certificate.init(rawValue:)) ?? .valid
        versions(tls, &plan)
        if tls.has("alpn") { plan.alpn = protocols(tls) }
        staple(tls, &plan)
        plan.clientCertificate =
            tls.text("clientCertificate").flatMap(TLSPlan.ClientCertificate.init(rawValue:)) ?? .none
        plan.resumes = tls.boolean("resumption") ?? true
        plan.refusesEarlyData = tls.has("earlyData")
        if plan.refusesEarlyData {
            if plan.maximumVersion != TLSVersion.tls13.rawValue {
                findings.refuse(tls.place(of: "earlyData"), "early data needs TLS 1.3; leave `maximum` at 1.3")
            }
            if !plan.resumes {
                findings.refuse(
                    tls.place(of: "earlyData"), "early data comes with a resumed session only; leave `resumption` on")
            }
        }
        return plan
    }

    private mutating func versions(_ tls: Fields, _ plan: inout TLSPlan) {
        plan.maximumVersion = tls.text("maximum") ?? "1.3"
        plan.minimumVersion = tls.text("minimum") ?? min("1.2", plan.maximumVersion)
        if plan.minimumVersion > plan.maximumVersion {
            findings.refuse(
                tls.place(of: tls.has("minimum") ? "minimum" : "maximum"),
                "the lowest TLS version \(plan.minimumVersion) is above the highest \(plan.maximumVersion)")
        }
    }

    private mutating func protocols(_ tls: Fields) -> [String] {
        let names = tls.texts("alpn")
        if names == ["none"] { return [] }
        if names.isEmpty || names.contains("none") {
            findings.refuse(
                tls.place(of: "alpn"), "write protocols, or `none` alone for a server that does not know of ALPN")
        }
        for name in names where name.isEmpty || name.utf8.count > 255 {
            findings.refuse(tls.place(of: "alpn"), "the name of a protocol has 1 to 255 bytes (RFC 7301 §3.1)")
        }
        return names
    }

    private mutating func staple(_ tls: Fields, _ plan: inout TLSPlan) {
        plan.staple = tls.text("staple").flatMap(TLSPlan.Staple.init(rawValue:))
        guard let staple = plan.staple else {
            if plan.certificate == .revoked { plan.staple = .revoked }
            return
        }
        if plan.certificate == .revoked, staple != .revoked {
            findings.refuse(
                tls.place(of: "staple"),
                "a revoked certificate has a stapled answer that says `revoked`; leave `staple` out")
        }
        switch plan.certificate {
        case .selfSigned: findings.refuse(tls.place(of: "staple"), "no authority answers for a self-signed certificate")
        case .intermediate, .incompleteChain:
            findings.refuse(
                tls.place(of: "staple"),
                "only the lab's root authority answers for certificates; write another `certificate`")
        case .valid, .expired, .notYetValid, .wrongHost, .unknownAuthority, .wildcard, .partialWildcard, .weakKey,
            .revoked:
            break
        }
    }
}
