import LinuxNet
import OpenSSLTLS
import Scenario

/// The certificate that an origin shows, right or wrong as its plan says.
enum OriginCertificate {
    static func context(
        _ plan: TLSPlan, scenario: Scenario, lab: Lab, authority: CertificateAuthority,
        keyLog: @escaping @Sendable (String) -> Void
    ) throws(HarnessError) -> TLSContext {
        do throws(TLSError) {
            return try TLSContext.server(
                ServerTLSOptions(
                    identity: try identity(plan.certificate, scenario, lab, authority), versions: versions(plan),
                    keyLog: keyLog))
        } catch {
            throw .origin("its certificate: \(error)")
        }
    }

    private static func identity(
        _ certificate: TLSPlan.Certificate, _ scenario: Scenario, _ lab: Lab, _ authority: CertificateAuthority
    ) throws(TLSError) -> ServerIdentity {
        let listed = scenario.network.names.rules.map(\.host).filter { $0 != "*" }
        var request = CertificateRequest(
            commonName: Addressing.defaultHost, dnsNames: [Addressing.defaultHost, "*.test"] + listed,
            addresses: lab.originAddresses.map(\.description))
        switch certificate {
        case .valid: break
        case .expired: request.validity = .expired
        case .notYetValid: request.validity = .notYetValid
        case .wrongHost:
            request.commonName = "elsewhere.example"
            request.dnsNames = ["elsewhere.example"]
            request.addresses = []
        case .selfSigned: request.signer = .itself
        case .unknownAuthority:
            return try CertificateAuthority.make(commonName: "An authority nobody knows").issue(request)
        }
        return try authority.issue(request)
    }

    /// The reader lets only known versions through.
    private static func versions(_ plan: TLSPlan) -> TLSVersionRange {
        TLSVersionRange(
            minimum: TLSVersion(rawValue: plan.minimumVersion) ?? .tls12,
            maximum: TLSVersion(rawValue: plan.maximumVersion) ?? .tls13)
    }
}
