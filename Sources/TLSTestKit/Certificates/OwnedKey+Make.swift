internal import COpenSSL
import OpenSSLTLS

extension OwnedKey {
    /// Creates a P-256 key: every current TLS client accepts it, and it is generated in well under a millisecond.
    static func make() throws(TLSError) -> OwnedKey {
        ErrorQueue.clear()
        guard let pointer = unsafe cw_key_new_p256() else { throw ErrorQueue.error("creating a P-256 key") }
        return unsafe OwnedKey(adopting: pointer)
    }

    static func make(_ kind: CertificateRequest.Key) throws(TLSError) -> OwnedKey {
        switch kind {
        case .p256: return try make()
        case .rsa(let bits):
            guard (512...8_192).contains(bits) else {
                throw .invalid(what: "the length of an RSA key", found: "\(bits)", allowed: "512 to 8192 bits")
            }
            ErrorQueue.clear()
            guard let pointer = unsafe cw_key_new_rsa(CUnsignedInt(bits)) else {
                throw ErrorQueue.error("creating an RSA key")
            }
            return unsafe OwnedKey(adopting: pointer)
        }
    }
}
