import OpenSSLTLS
import TLSTestKit
import Testing

/// The chain is checked by OpenSSL's own verification with only this authority as its root.
struct CertificateAuthorityTests {
    private let authority: CertificateAuthority

    init() throws { authority = try CertificateAuthority.make(commonName: "Test Authority") }

    @Test(arguments: [CertificateRequest.Signer.authority, .intermediate])
    func `an issued certificate is valid for its names and addresses`(signer: CertificateRequest.Signer) throws {
        let identity = try authority.issue(
            CertificateRequest(
                commonName: "origin.test", dnsNames: ["origin.test", "*.wild.test"],
                addresses: ["10.0.0.1", "fd00::1"],
                signer: signer))
        for name in ["origin.test", "a.wild.test", "10.0.0.1", "fd00::1"] {
            try authority.verify(identity, serverName: name)
        }
        for name in ["other.test", "wild.test", "a.b.wild.test", "10.0.0.2"] {
            #expect(throws: TLSError.self) { try authority.verify(identity, serverName: name) }
        }
        #expect(identity.chain.count == (signer == .intermediate ? 1 : 0))
    }

    @Test func `the common name alone does not count as a server name`() throws {
        let identity = try authority.issue(CertificateRequest(commonName: "origin.test"))
        #expect(throws: TLSError.self) { try authority.verify(identity, serverName: "origin.test") }
    }

    @Test(arguments: [(CertificateValidity.expired, 10), (.notYetValid, 9)])
    func `an expired or future certificate is rejected for that reason`(validity: CertificateValidity, code: Int) throws
    {
        let identity = try authority.issue(
            CertificateRequest(commonName: "origin.test", dnsNames: ["origin.test"], validity: validity))
        #expect(code == verdict(of: identity))
    }

    @Test func `self-signed, foreign and client certificates are rejected`() throws {
        let request = CertificateRequest(commonName: "origin.test", dnsNames: ["origin.test"])
        var own = request
        own.signer = .itself
        #expect(verdict(of: try authority.issue(own)) == 18)
        #expect(verdict(of: try CertificateAuthority.make(commonName: "Stranger").issue(request)) == 20)
        // The same name with another key is a different authority: the signature counts.
        let twin = try CertificateAuthority.make(commonName: "Test Authority")
        #expect(verdict(of: try twin.issue(request)) != nil)
        var client = request
        client.usage = .client
        #expect(verdict(of: try authority.issue(client)) == 26)
    }

    @Test(arguments: ["", "a,DNS:b", "a b", "ü.test"])
    func `a name with injected fields is rejected`(name: String) throws {
        #expect(throws: TLSError.self) { try authority.issue(CertificateRequest(commonName: "x", dnsNames: [name])) }
    }

    @Test(arguments: ["", "10.0.0", "origin.test", "10.0.0.1,DNS:b"])
    func `an invalid address is rejected`(address: String) throws {
        #expect(throws: TLSError.self) {
            try authority.issue(CertificateRequest(commonName: "x", addresses: [address]))
        }
    }

    @Test func `PEM texts and the subject hash have the form of files`() throws {
        let identity = try authority.issue(
            CertificateRequest(commonName: "origin.test", dnsNames: ["origin.test"], signer: .intermediate))
        #expect(authority.certificatePEM.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(authority.certificatePEM.hasSuffix("-----END CERTIFICATE-----\n"))
        #expect(authority.subjectHash.count == 8)
        #expect(authority.subjectHash.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        #expect(try identity.certificatePEM().split(separator: "-----BEGIN CERTIFICATE-----").count == 2)
        #expect(try identity.privateKeyPEM().hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        // The hash depends on the name and not on the key.
        #expect(try CertificateAuthority.make(commonName: "Test Authority").subjectHash == authority.subjectHash)
        #expect(try CertificateAuthority.make(commonName: "Another").subjectHash != authority.subjectHash)
    }

    private func verdict(of identity: ServerIdentity) -> Int? {
        do throws(TLSError) {
            try authority.verify(identity, serverName: "origin.test")
            return nil
        } catch {
            if case .peerNotTrusted(_, let code) = error { return code }
            return -1
        }
    }
}
