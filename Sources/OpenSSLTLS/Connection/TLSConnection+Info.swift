import COpenSSL

/// The negotiated parameters.
extension TLSConnection {
    /// Returns the parameters after the handshake; values that are not known yet are nil.
    func info() -> TLSInfo {
        let suite = unsafe SSL_get_current_cipher(ssl)
        let cipher = unsafe suite.flatMap { unsafe SSL_CIPHER_get_name($0) }
        var name: UnsafePointer<UInt8>?
        var length: CUnsignedInt = 0
        unsafe SSL_get0_alpn_selected(ssl, &name, &length)
        let alpn = unsafe name.map { start in
            unsafe String(decoding: UnsafeBufferPointer(start: start, count: Int(length)), as: UTF8.self)
        }
        let serverName = unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { unsafe String(cString: $0) }
        // Only versions that we know are offered, so no other can be negotiated.
        let version = unsafe TLSVersion(number: SSL_version(ssl)) ?? .tls13
        return TLSInfo(
            version: version, cipher: unsafe cipher.map { unsafe String(cString: $0) } ?? "none",
            cipherSuite: unsafe suite.map { unsafe SSL_CIPHER_get_protocol_id($0) }, alpn: alpn,
            serverName: hello?.serverName ?? serverName, peerCertificate: peerCertificate(),
            isResumed: unsafe SSL_session_reused(ssl) == 1, peerSubject: peerSubject(), ownSubject: ownSubject(),
            earlyData: earlyData(), staple: staple())
    }

    fileprivate func peerSubject() -> String? {
        guard let pointer = unsafe SSL_get1_peer_certificate(ssl) else { return nil }
        let certificate = unsafe OwnedCertificate(adopting: pointer)
        return unsafe Self.subject(certificate.pointer)
    }

    fileprivate func ownSubject() -> String? { unsafe SSL_get_certificate(ssl).flatMap { unsafe Self.subject($0) } }

    fileprivate static func subject(_ certificate: OpaquePointer) -> String? {
        guard let text = unsafe cw_certificate_subject(certificate) else { return nil }
        defer { unsafe cw_free(text) }
        return unsafe String(cString: text)
    }

    fileprivate func earlyData() -> TLSEarlyData {
        switch unsafe SSL_get_early_data_status(ssl) {
        case SSL_EARLY_DATA_REJECTED: .refused
        case SSL_EARLY_DATA_ACCEPTED: .accepted
        default: .notSent
        }
    }

    fileprivate func staple() -> [UInt8]? {
        guard case .client = context.role else { return nil }
        var bytes: UnsafePointer<UInt8>?
        let count = unsafe cw_ssl_stapled(ssl, &bytes)
        guard count > 0, let bytes = unsafe bytes else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    fileprivate func peerCertificate() -> [UInt8]? {
        guard let pointer = unsafe SSL_get1_peer_certificate(ssl) else { return nil }
        return try? unsafe OwnedCertificate(adopting: pointer).der()
    }
}
