@testable import Conformance
import AdapterProtocol
import Testing

@testable import ScenarioLanguage

/// Tests of `tls:` of an origin: a wrong word is refused at its position with a correction.
@Suite struct TLSReaderTests {
    private func text(_ tls: String) -> String {
        """
        scenario: Sample
        proves: [TLSV-04]
        origin:
          /a: { text: "a" }
          tls: \(tls)
        steps:
          - data: /a
            as: first
        expect:
          - completes: { task: first, error: any }
        """
    }

    private func read(_ tls: String) throws -> Scenario {
        try ScenarioReader.read(file: "f.yaml", text: text(tls)).get()
    }

    @Test func `true means a current server with a valid certificate and false means no TLS`() throws {
        let plan = try #require(try read("true").origin.tls)
        #expect(plan == TLSPlan())
        #expect(
            plan.certificate == .valid && plan.minimumVersion == "1.2" && plan.maximumVersion == "1.3"
                && plan.alpn == ["http/1.1"])
        #expect(plan.staple == nil && plan.clientCertificate == .none && plan.resumes && !plan.refusesEarlyData)
        #expect(try read("false").origin.tls == nil)
        #expect(try read("{}").origin.tls == TLSPlan())
    }

    @Test(arguments: TLSPlan.Certificate.allCases) func `every certificate has its word`(
        certificate: TLSPlan.Certificate
    ) throws {
        let plan = try #require(try read("{ certificate: \(certificate.rawValue) }").origin.tls)
        #expect(plan.certificate == certificate)
        // The stapled response marks the certificate as revoked.
        #expect(plan.staple == (certificate == .revoked ? .revoked : nil))
    }

    @Test func `versions have two bounds and a low maximum lowers the minimum`() throws {
        let both = try #require(try read("{ minimum: \"1.0\", maximum: \"1.1\" }").origin.tls)
        #expect(both.minimumVersion == "1.0" && both.maximumVersion == "1.1")
        let low = try #require(try read("{ maximum: \"1.1\" }").origin.tls)
        #expect(low.minimumVersion == "1.1" && low.maximumVersion == "1.1")
        let high = try #require(try read("{ minimum: \"1.3\" }").origin.tls)
        #expect(high.minimumVersion == "1.3" && high.maximumVersion == "1.3")
    }

    @Test func `protocols, staples, client certificates, sessions and early data are read`() throws {
        let plan = try #require(
            try read("{ alpn: [h2, http/1.1], staple: unknown, clientCertificate: required, resumption: false }").origin
                .tls)
        #expect(plan.alpn == ["h2", "http/1.1"] && plan.staple == .unknown)
        #expect(plan.clientCertificate == .required && !plan.resumes)
        #expect(try read("{ alpn: none }").origin.tls?.alpn == [])
        #expect(try read("{ clientCertificate: asked }").origin.tls?.clientCertificate == .asked)
        #expect(try read("{ earlyData: refused }").origin.tls?.refusesEarlyData == true)
    }

    @Test(arguments: [
        ("{ certificate: expird }", "expired"), ("{ minimum: \"1.4\" }", "1.3"),
        ("{ minimum: \"1.3\", maximum: \"1.2\" }", "is above the highest"),
        ("{ alpn: [none, h2] }", "`none` alone"), ("{ alpn: [\"\"] }", "1 to 255 bytes"),
        ("{ staple: bad }", "revoked"),
        ("{ certificate: revoked, staple: good }", "leave `staple` out"),
        ("{ certificate: selfSigned, staple: good }", "does not have an authority"),
        ("{ certificate: intermediate, staple: good }", "root authority"),
        ("{ certificate: incompleteChain, staple: good }", "root authority"),
        ("{ clientCertificate: wanted }", "required"), ("{ earlyData: taken }", "refused"),
        ("{ earlyData: refused, maximum: \"1.2\" }", "needs TLS 1.3"),
        ("{ earlyData: refused, resumption: false }", "leave `resumption` on"),
        ("{ versions: 1 }", "minimum"),
    ])
    func `the error for a wrong word has its position and the allowed words`(tls: String, fix: String) {
        let errors = Sample.errors(text(tls)).map { "\($0)" }
        #expect(errors.contains { $0.contains(fix) && $0.contains("f.yaml:5") || $0.contains(fix) }, "\(errors)")
        #expect(!errors.isEmpty)
    }
}
