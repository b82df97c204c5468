internal import COpenSSL
package import OpenSSLTLS

extension CertificateAuthority {
    /// Verifies a server's certificate at the current time, as a client that trusts only this authority would.
    package func verify(_ identity: ServerIdentity, serverName: String) throws(TLSError) {
        let expected = try ServerName(serverName)
        let leaf = try OwnedCertificate.parse(der: identity.certificate)
        let roots = try CertificateStore()
        try roots.add(pem: certificatePEM)
        let others = try CertificateStack()
        for der in identity.chain { try others.add(der: der) }
        ErrorQueue.clear()
        guard let context = unsafe X509_STORE_CTX_new() else { throw ErrorQueue.error("creating a verification") }
        defer { unsafe X509_STORE_CTX_free(context) }
        guard unsafe X509_STORE_CTX_init(context, roots.pointer, leaf.pointer, others.pointer) == 1,
            unsafe X509_STORE_CTX_set_default(context, "ssl_server") == 1
        else { throw ErrorQueue.error("preparing a verification") }
        let parameters = unsafe X509_STORE_CTX_get0_param(context)
        unsafe X509_VERIFY_PARAM_set_hostflags(parameters, ServerName.hostFlags)
        let isSet =
            switch expected {
            case .address(let address): unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, address)
            case .name(let name): unsafe X509_VERIFY_PARAM_set1_host(parameters, name, name.utf8.count)
            }
        guard isSet == 1 else { throw ErrorQueue.error("expecting the name \(serverName)") }
        guard unsafe X509_verify_cert(context) == 1 else {
            let code = unsafe X509_STORE_CTX_get_error(context)
            ErrorQueue.clear()
            throw .peerNotTrusted(
                reason: unsafe String(cString: X509_verify_cert_error_string(Int(code))), code: Int(code))
        }
    }
}

/// The authorities that a verification trusts.
@safe private struct CertificateStore: ~Copyable {
    let pointer: OpaquePointer

    init() throws(TLSError) {
        ErrorQueue.clear()
        guard let pointer = unsafe X509_STORE_new() else { throw ErrorQueue.error("creating a certificate store") }
        unsafe self.pointer = unsafe pointer
    }

    func add(pem: String) throws(TLSError) {
        for der in try PEMCertificates.read(pem) {
            let certificate = try OwnedCertificate.parse(der: der)
            guard unsafe X509_STORE_add_cert(pointer, certificate.pointer) == 1 else {
                throw ErrorQueue.error("trusting an authority")
            }
        }
    }

    deinit { unsafe X509_STORE_free(pointer) }
}

/// The intermediates sent with a certificate.
@safe private struct CertificateStack: ~Copyable {
    let pointer: OpaquePointer

    init() throws(TLSError) {
        ErrorQueue.clear()
        guard let pointer = unsafe cw_certificates_new() else {
            throw ErrorQueue.error("creating a list of certificates")
        }
        unsafe self.pointer = unsafe pointer
    }

    func add(der: [UInt8]) throws(TLSError) {
        let intermediate = try OwnedCertificate.parse(der: der)
        guard unsafe cw_certificates_push(pointer, intermediate.pointer) == 1 else {
            throw ErrorQueue.error("adding an intermediate")
        }
    }

    deinit { unsafe cw_certificates_free(pointer) }
}
