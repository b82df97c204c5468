internal import COpenSSL
internal import Synchronization

/// The settings of one side, usable for any number of connections on any threads.
@safe package final class TLSContext: Sendable {
    enum Role: Sendable {
        case server(ServerTLSOptions)
        case client(ClientTLSOptions)
    }

    // SSL_CTX counts its references atomically and does not change after its creation, so threads may share it.
    nonisolated(unsafe) let pointer: OpaquePointer
    let role: Role
    private let connections = Atomic<Int>(0)

    /// The number of connections created from this context that still hold an SSL object.
    package var openConnections: Int { connections.load(ordering: .relaxed) }

    func connectionOpened() { connections.add(1, ordering: .relaxed) }
    func connectionClosed() { connections.subtract(1, ordering: .relaxed) }

    deinit { unsafe SSL_CTX_free(pointer) }

    private init(_ role: Role) throws(TLSError) {
        ErrorQueue.clear()
        guard let pointer = unsafe SSL_CTX_new(TLS_method()) else { throw ErrorQueue.error("creating a TLS context") }
        unsafe self.pointer = unsafe pointer
        self.role = role
    }

    package static func server(_ options: ServerTLSOptions) throws(TLSError) -> TLSContext {
        let context = try TLSContext(.server(options))
        try context.setUp(options.versions, keyLog: options.keyLog)
        if options.allowsWeakKeys { unsafe cw_ctx_allow_weak_keys(context.pointer) }
        try context.use(options.identity)
        if options.staple != nil { unsafe cw_ctx_set_staple_callback(context.pointer, TLSCallbacks.staple) }
        if options.refusesEarlyData {
            // The early data is never read, which rejects it: OpenSSL skips it (RFC 8446 §4.2.10).
            guard unsafe cw_ctx_invite_early_data(context.pointer, 16_384) == 1 else {
                throw ErrorQueue.error("enabling early data")
            }
        }
        try context.requestClientCertificate(options.clientCertificates)
        context.setTickets(options.sessionTickets)
        unsafe SSL_CTX_set_client_hello_cb(context.pointer, TLSCallbacks.clientHello, nil)
        if !options.alpn.isEmpty {
            // Rejected here instead of during a handshake.
            _ = try ProtocolList.encode(options.alpn)
            unsafe SSL_CTX_set_alpn_select_cb(context.pointer, TLSCallbacks.selectProtocol, nil)
        }
        return context
    }

    package static func client(_ options: ClientTLSOptions) throws(TLSError) -> TLSContext {
        let context = try TLSContext(.client(options))
        try context.setUp(options.versions, keyLog: options.keyLog)
        if let identity = options.identity { try context.use(identity) }
        if options.requestsStaple { unsafe cw_ctx_request_staple(context.pointer) }
        if let suites = options.cipherSuites {
            guard unsafe SSL_CTX_set_ciphersuites(context.pointer, suites) == 1 else {
                throw ErrorQueue.error("offering the cipher suites \(suites)")
            }
        }
        switch options.trust {
        case .everyone: unsafe SSL_CTX_set_verify(context.pointer, SSL_VERIFY_NONE, nil)
        case .roots(let roots):
            try context.trust(roots)
            unsafe SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
        }
        if options.evaluatesPeer { unsafe SSL_CTX_set_cert_verify_callback(context.pointer, TLSCallbacks.verify, nil) }
        if options.requestsIdentity { unsafe SSL_CTX_set_cert_cb(context.pointer, TLSCallbacks.identity, nil) }
        if !options.alpn.isEmpty {
            let list = try ProtocolList.encode(options.alpn)
            // Unlike elsewhere in OpenSSL, 0 means success here.
            guard unsafe SSL_CTX_set_alpn_protos(context.pointer, list, CUnsignedInt(list.count)) == 0 else {
                throw ErrorQueue.error("setting the ALPN list")
            }
        }
        return context
    }

    private func setUp(_ versions: TLSVersionRange, keyLog: (@Sendable (String) -> Void)?) throws(TLSError) {
        guard versions.minimum <= versions.maximum else {
            throw .invalid(
                what: "the lowest TLS version", found: versions.minimum.rawValue,
                allowed: "at most \(versions.maximum.rawValue)")
        }
        ErrorQueue.clear()
        if versions.minimum < .tls12 {
            // TLS 1.0 and 1.1 sign with SHA-1, which OpenSSL 3 allows at level 0 only.
            unsafe SSL_CTX_set_security_level(pointer, 0)
            guard unsafe SSL_CTX_set_cipher_list(pointer, "DEFAULT:@SECLEVEL=0") == 1 else {
                throw ErrorQueue.error("allowing the ciphers of TLS 1.0 and 1.1")
            }
        }
        guard unsafe cw_ctx_set_versions(pointer, versions.minimum.number, versions.maximum.number) == 1 else {
            throw ErrorQueue.error("offering TLS \(versions.minimum.rawValue) to \(versions.maximum.rawValue)")
        }
        // A renegotiation would make `send` wait for the peer, which memory BIOs cannot do.
        unsafe cw_ctx_forbid_renegotiation(pointer)
        unsafe SSL_CTX_set_info_callback(pointer, TLSCallbacks.information)
        unsafe SSL_CTX_set_keylog_callback(pointer, TLSCallbacks.keyLog)
    }

    private func use(_ identity: ServerIdentity) throws(TLSError) {
        let certificate = try OwnedCertificate.parse(der: identity.certificate)
        let key = try OwnedKey.parse(der: identity.privateKey)
        guard unsafe SSL_CTX_use_certificate(pointer, certificate.pointer) == 1,
            unsafe SSL_CTX_use_PrivateKey(pointer, key.pointer) == 1
        else { throw ErrorQueue.error("using an identity") }
        for der in identity.chain {
            let intermediate = try OwnedCertificate.parse(der: der)
            guard unsafe cw_ctx_add_chain_certificate(pointer, intermediate.pointer) == 1 else {
                throw ErrorQueue.error("adding an intermediate")
            }
        }
    }

    private func requestClientCertificate(_ mode: ClientCertificateMode) throws(TLSError) {
        let isRequired: Bool
        let roots: String?
        switch mode {
        case .none: return
        case .requested(let given): (isRequired, roots) = (false, given)
        case .required(let given): (isRequired, roots) = (true, given)
        }
        let flags = SSL_VERIFY_PEER | (isRequired ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0)
        if let roots {
            try trust(roots, nameThemToClients: true)
            unsafe SSL_CTX_set_verify(pointer, flags, nil)
        } else {
            unsafe SSL_CTX_set_verify(pointer, flags) { _, _ in 1 }
        }
    }

    private func trust(_ pem: String, nameThemToClients: Bool = false) throws(TLSError) {
        for der in try PEMCertificates.read(pem) {
            let certificate = try OwnedCertificate.parse(der: der)
            guard unsafe X509_STORE_add_cert(SSL_CTX_get_cert_store(pointer), certificate.pointer) == 1,
                unsafe !nameThemToClients || SSL_CTX_add_client_CA(pointer, certificate.pointer) == 1
            else { throw ErrorQueue.error("trusting an authority") }
        }
    }

    private func setTickets(_ isOn: Bool) {
        if isOn {
            // Without a context OpenSSL refuses to resume sessions with client certificates.
            _ = unsafe SSL_CTX_set_session_id_context(pointer, Array("crosswind".utf8), 9)
        } else {
            unsafe cw_ctx_forbid_resumption(pointer)
        }
    }
}
