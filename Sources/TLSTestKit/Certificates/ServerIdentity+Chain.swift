package import OpenSSLTLS

extension ServerIdentity {
    /// The same identity without the intermediates that a client would need.
    package var withoutChain: ServerIdentity {
        ServerIdentity(certificate: certificate, privateKey: privateKey, chain: [])
    }

    /// Returns the same identity with the authority itself at the end of the chain.
    package func with(issuer: CertificateAuthority) -> ServerIdentity {
        ServerIdentity(certificate: certificate, privateKey: privateKey, chain: chain + [issuer.issuer.certificate])
    }
}
