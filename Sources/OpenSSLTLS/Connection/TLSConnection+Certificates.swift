internal import COpenSSL

/// The names and certificates of both sides, as OpenSSL holds them.
extension TLSConnection {
    func expect(_ serverName: String) throws(TLSError) {
        let expected = try ServerName(serverName)
        ErrorQueue.clear()
        unsafe SSL_set_hostflags(ssl, ServerName.hostFlags)
        switch expected {
        case .address(let address):
            guard unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), address) == 1 else {
                throw ErrorQueue.error("expecting the address \(address)")
            }
        case .name(let name):
            guard unsafe SSL_set1_host(ssl, name) == 1, unsafe cw_ssl_set_server_name(ssl, name) == 1 else {
                throw ErrorQueue.error("expecting the server \(name)")
            }
        }
    }

    func use(_ identity: ServerIdentity) -> Bool {
        do throws(TLSError) {
            let certificate = try OwnedCertificate.parse(der: identity.certificate)
            let key = try OwnedKey.parse(der: identity.privateKey)
            guard unsafe SSL_use_certificate(ssl, certificate.pointer) == 1,
                unsafe SSL_use_PrivateKey(ssl, key.pointer) == 1,
                unsafe cw_ssl_clear_chain(ssl) == 1
            else { return false }
            for der in identity.chain {
                let intermediate = try OwnedCertificate.parse(der: der)
                guard unsafe cw_ssl_add_chain_certificate(ssl, intermediate.pointer) == 1 else { return false }
            }
            return true
        } catch {
            return false
        }
    }

    func peerChain() -> [[UInt8]] {
        let stack = unsafe SSL_get_peer_cert_chain(ssl)
        return unsafe (0..<max(0, cw_certificates_count(stack))).compactMap { index in
            guard let pointer = unsafe cw_certificates_at(stack, index), unsafe X509_up_ref(pointer) == 1 else {
                return nil
            }
            return try? unsafe OwnedCertificate(adopting: pointer).der()
        }
    }
}
