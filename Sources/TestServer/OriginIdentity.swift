package import OpenSSLTLS
package import ScenarioLanguage
package import TLSTestKit

/// Builds the origin's TLS settings from a plan.
package enum OriginIdentity {
    /// - Parameters:
    ///   - authority: The authority that the lab's clients trust.
    ///   - hosts: The names (and addresses) that the certificate is for.
    package static func context(
        for plan: TLSPlan, authority: CertificateAuthority, hosts: [String], addresses: [String] = [],
        keyLog: (@Sendable (String) -> Void)? = nil
    ) throws(TLSError) -> TLSContext {
        var request = CertificateRequest(commonName: hosts.first ?? "origin", dnsNames: hosts, addresses: addresses)
        var issuer = authority
        switch plan.certificate {
        case .valid: break
        case .expired: request.validity = .expired
        case .notYetValid: request.validity = .notYetValid
        case .wrongHost:
            request.commonName = "wrong.invalid"
            request.dnsNames = ["wrong.invalid"]
            request.addresses = []
        case .wildcard: request.dnsNames = hosts.map { wildcard($0, keeping: 0) }
        case .partialWildcard: request.dnsNames = hosts.map { wildcard($0, keeping: 1) }
        case .selfSigned: request.signer = .itself
        case .unknownAuthority: issuer = try CertificateAuthority.make(commonName: "Unknown Authority")
        case .intermediate, .incompleteChain: request.signer = .intermediate
        case .weakKey: request.key = .rsa(bits: 1_024)
        case .revoked: break
        }
        var identity = try issuer.issue(request)
        if plan.certificate == .incompleteChain { identity = identity.withoutChain }
        let versions = TLSVersionRange(
            minimum: try version(plan.minimumVersion), maximum: try version(plan.maximumVersion))
        var options = ServerTLSOptions(identity: identity, versions: versions, alpn: plan.alpn, keyLog: keyLog)
        switch plan.clientCertificate {
        case .none: break
        case .asked: options.clientCertificates = .requested(roots: authority.certificatePEM)
        case .required: options.clientCertificates = .required(roots: authority.certificatePEM)
        }
        options.sessionTickets = plan.resumes
        options.refusesEarlyData = plan.refusesEarlyData
        options.allowsWeakKeys = plan.certificate == .weakKey
        if let staple = plan.staple {
            options.staple = try issuer.ocspAnswer(for: identity, staple.status)
            // curl verifies a stapled response only with an issuer that the server sent; for other clients a root in
            // the chain is harmless (RFC 8446 §4.4.2).
            options.identity = identity.with(issuer: issuer)
        }
        return try TLSContext.server(options)
    }

    /// Returns the host with its first label replaced by a wildcard, except for the first `kept` bytes.
    private static func wildcard(_ host: String, keeping kept: Int) -> String {
        let label = host.prefix { $0 != "." }
        return "\(label.prefix(kept))*\(host.dropFirst(label.count))"
    }

    private static func version(_ text: String) throws(TLSError) -> TLSVersion {
        guard let version = TLSVersion(rawValue: text) else {
            throw .invalid(what: "a TLS version", found: text, allowed: "1.0, 1.1, 1.2 or 1.3")
        }
        return version
    }
}

extension TLSPlan.Staple {
    fileprivate var status: OCSPStatus {
        switch self {
        case .good: .good
        case .revoked: .revoked
        case .unknown: .unknown
        }
    }
}
