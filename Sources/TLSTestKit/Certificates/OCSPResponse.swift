internal import COpenSSL
package import OpenSSLTLS

/// The status that an authority reports for a certificate it has signed (RFC 6960 §2.2).
package enum OCSPStatus: Hashable, Sendable, CaseIterable {
    case good, revoked, unknown

    fileprivate var number: CInt {
        switch self {
        case .good: V_OCSP_CERTSTATUS_GOOD
        case .revoked: V_OCSP_CERTSTATUS_REVOKED
        case .unknown: V_OCSP_CERTSTATUS_UNKNOWN
        }
    }
}

extension CertificateAuthority {
    /// Returns a signed OCSP response in DER, valid for a day, for a server to staple (RFC 6066 §8). Works only for
    /// identities that this authority itself has signed.
    package func ocspAnswer(for identity: ServerIdentity, _ status: OCSPStatus) throws(TLSError) -> [UInt8] {
        let certificate = try OwnedCertificate.parse(der: identity.certificate)
        let parent = try OwnedCertificate.parse(der: issuer.certificate)
        let key = try OwnedKey.parse(der: issuer.privateKey)
        guard unsafe X509_verify(certificate.pointer, key.pointer) == 1 else {
            ErrorQueue.clear()
            throw .notPossible(operation: "an OCSP response", because: "another authority signed the certificate")
        }
        ErrorQueue.clear()
        var bytes: UnsafeMutablePointer<UInt8>?
        let length = unsafe cw_ocsp_response(certificate.pointer, parent.pointer, key.pointer, status.number, &bytes)
        guard length > 0, let bytes = unsafe bytes else { throw ErrorQueue.error("creating an OCSP response") }
        defer { unsafe cw_free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
    }
}
