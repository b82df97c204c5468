internal import COpenSSL
package import OpenSSLTLS

/// A private certificate authority, created for one run and held only in memory.
package struct CertificateAuthority: Hashable, Sendable {
    package let certificatePEM: String
    /// 8 hexadecimal digits; `<subjectHash>.0` is the certificate's file name in a hashed directory.
    package let subjectHash: String
    let issuer: ServerIdentity

    package static func make(commonName: String) throws(TLSError) -> CertificateAuthority {
        let key = try OwnedKey.make()
        let draft = try CertificateDraft(subject: commonName, key: key, validity: .authority)
        try unsafe draft.markAuthority(pathLength: 1, issuedBy: nil)
        let certificate = try unsafe draft.signed(issuer: nil, key: key)
        return CertificateAuthority(
            certificatePEM: try certificate.pem(), subjectHash: certificate.subjectHash(),
            issuer: ServerIdentity(certificate: try certificate.der(), privateKey: try key.der(), chain: []))
    }

    package func issue(_ request: CertificateRequest) throws(TLSError) -> ServerIdentity {
        let key = try OwnedKey.make(request.key)
        let draft = try CertificateDraft(subject: request.commonName, key: key, validity: request.validity)
        switch request.signer {
        case .itself:
            try unsafe draft.markEndEntity(request, issuedBy: nil)
            let certificate = try unsafe draft.signed(issuer: nil, key: key)
            return ServerIdentity(certificate: try certificate.der(), privateKey: try key.der(), chain: [])
        case .authority:
            return try sign(draft, request, key, with: issuer)
        case .intermediate:
            return try sign(draft, request, key, with: try intermediate())
        }
    }

    private func sign(
        _ draft: consuming CertificateDraft, _ request: CertificateRequest, _ key: borrowing OwnedKey,
        with issuer: ServerIdentity
    ) throws(TLSError) -> ServerIdentity {
        let parent = try OwnedCertificate.parse(der: issuer.certificate)
        try unsafe draft.markEndEntity(request, issuedBy: parent.pointer)
        let certificate = try unsafe draft.signed(issuer: parent.pointer, key: OwnedKey.parse(der: issuer.privateKey))
        let isRoot = issuer == self.issuer
        return ServerIdentity(
            certificate: try certificate.der(), privateKey: try key.der(), chain: isRoot ? [] : [issuer.certificate])
    }

    private func intermediate() throws(TLSError) -> ServerIdentity {
        let root = try OwnedCertificate.parse(der: issuer.certificate)
        let key = try OwnedKey.make()
        let draft = try CertificateDraft(subject: "Crosswind Intermediate", key: key, validity: .authority)
        try unsafe draft.markAuthority(pathLength: 0, issuedBy: root.pointer)
        let certificate = try unsafe draft.signed(issuer: root.pointer, key: OwnedKey.parse(der: issuer.privateKey))
        return ServerIdentity(certificate: try certificate.der(), privateKey: try key.der(), chain: [])
    }
}

extension OwnedCertificate {
    /// Returns 8 hexadecimal digits: the file name, without `.0`, in a hashed directory.
    fileprivate func subjectHash() -> String {
        let digits = unsafe String(X509_subject_name_hash(pointer) & 0xffff_ffff, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

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
