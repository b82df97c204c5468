internal import COpenSSL

/// A TLS connection without its own input and output: it takes ciphertext and returns events and ciphertext to send.
///
/// All input is processed at once. After `receive` or `send` the caller takes the ciphertext; `send` of n bytes
/// followed by `drainCiphertext()` returns exactly the records that carry those n bytes, if earlier ciphertext was taken
/// before.
@safe package final class TLSConnection {
    package enum Phase {
        case handshake
        case held(TLSBreakpoint)
        /// Waiting for the caller's decision about the peer, or for its identity.
        case awaitingDecision
        case established
        /// Failed, or ended by an alert of this side.
        case ended
    }

    let context: TLSContext
    package let ssl: OpaquePointer
    // Both belong to `ssl`.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer

    package private(set) var phase = Phase.handshake
    private let gate: (any HandshakeGate)?
    private var events: [TLSEvent] = []
    package private(set) var hello: TLSClientHello?
    private var receivedAlert: UInt8?
    private var sentAlert: UInt8?
    private var drainedBytes = 0
    /// The bytes of ciphertext received since the last plaintext.
    private var unproductive = 0
    /// More than any handshake needs: OpenSSL accepts certificate chains of 100 KB. It limits empty records and
    /// warnings by itself, but not tickets, key updates, or input received while the caller decides about the peer.
    private static let mostUnproductive = 1 << 20
    /// Sent after the output of OpenSSL.
    private var ownRecords: [UInt8] = []
    private var hasSentCloseNotify = false
    private var hasReceivedCloseNotify = false
    private var peerDecision = PeerDecision.none
    private var identityChoice = IdentityChoice.none

    private enum PeerDecision {
        case none
        /// Pending, with the result of the verification (X509_V_ERR).
        case pending(code: CInt)
        case decided(Bool, code: CInt)
    }

    private enum IdentityChoice {
        case none, pending
        case decided(ServerIdentity?)
    }

    /// Creates the server's side; it waits at each breakpoint of the gate until `continueHandshake()`.
    package convenience init(server context: TLSContext, gate: (any HandshakeGate)? = nil) throws(TLSError) {
        guard case .server = context.role else {
            throw .notPossible(operation: "serving", because: "the context was made for clients")
        }
        try self.init(context, gate: gate)
        unsafe SSL_set_accept_state(ssl)
        if gate != nil { unsafe SSL_set_msg_callback(ssl, TLSCallbacks.message) }
    }

    /// Creates the client's side. `serverName` is a DNS name, or an IP address (which is verified but not sent, RFC
    /// 6066 §3).
    package convenience init(client context: TLSContext, serverName: String?) throws(TLSError) {
        guard case .client(let options) = context.role else {
            throw .notPossible(operation: "connecting", because: "the context was made for servers")
        }
        if serverName == nil, options.trust != .everyone {
            throw .notPossible(operation: "verifying the server", because: "no server name was given")
        }
        try self.init(context, gate: nil)
        unsafe SSL_set_connect_state(ssl)
        if let serverName { try expect(serverName) }
    }

    private init(_ context: TLSContext, gate: (any HandshakeGate)?) throws(TLSError) {
        ErrorQueue.clear()
        guard let ssl = unsafe SSL_new(context.pointer) else { throw ErrorQueue.error("creating a TLS connection") }
        guard let incoming = unsafe cw_bio_new_memory() else {
            unsafe SSL_free(ssl)
            throw ErrorQueue.error("creating a memory BIO")
        }
        guard let outgoing = unsafe cw_bio_new_memory() else {
            unsafe BIO_free_all(incoming)
            unsafe SSL_free(ssl)
            throw ErrorQueue.error("creating a memory BIO")
        }
        unsafe SSL_set_bio(ssl, incoming, outgoing)
        self.context = context
        unsafe self.ssl = unsafe ssl
        unsafe self.incoming = unsafe incoming
        unsafe self.outgoing = unsafe outgoing
        self.gate = gate
        context.connectionOpened()
        // Unretained: the SSL object ends with this one.
        _ = unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        unsafe SSL_free(ssl)
        context.connectionClosed()
    }

    var acceptedProtocols: [String]? { gate?.acceptedProtocols }

    // MARK: In

    /// Starts the handshake: a client's ClientHello can then be taken. Servers need not call it.
    package func start() -> [TLSEvent] { advance() }

    package func receive(_ ciphertext: [UInt8]) -> [TLSEvent] { unsafe receive(ciphertext.span.bytes) }

    package func receive(_ ciphertext: RawSpan) -> [TLSEvent] {
        if case .ended = phase { return [] }
        unsafe ciphertext.withUnsafeBytes { bytes in
            var rest = unsafe bytes[...]
            while unsafe !rest.isEmpty {
                let piece = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(Int(CInt.max)))
                // A memory BIO accepts all input.
                _ = unsafe BIO_write(incoming, piece.baseAddress, CInt(piece.count))
                unsafe rest = unsafe rest.dropFirst(piece.count)
            }
        }
        let events = advance()
        guard case .client = context.role else { return events }
        let hasPlaintext = events.contains { if case .plaintext = $0 { true } else { false } }
        unproductive = hasPlaintext ? 0 : unproductive + ciphertext.byteCount
        if case .ended = phase { return events }
        guard unproductive > Self.mostUnproductive else { return events }
        phase = .ended
        return events + [
            .failed(.handshakeOrRecord(reason: "the peer sends records that carry no data", alertSent: nil))
        ]
    }

    /// Handles the end of the transport: a truncation, unless the peer sent close_notify or the connection had already
    /// failed.
    package func receiveEnd() -> [TLSEvent] {
        if case .ended = phase { return [] }
        if hasReceivedCloseNotify { return [] }
        phase = .ended
        return [.failed(.truncated)]
    }

    /// Continues after `.paused`; input received meanwhile is processed.
    package func continueHandshake() -> [TLSEvent] {
        guard case .held(let hold) = phase else { return [] }
        gate?.release(hold)
        phase = .handshake
        return advance()
    }

    /// Continues after `.peerPresented`.
    package func evaluatePeer(accepts: Bool) -> [TLSEvent] {
        guard case .awaitingDecision = phase, case .pending(let code) = peerDecision else { return [] }
        peerDecision = .decided(accepts, code: code)
        phase = .handshake
        return advance()
    }

    /// Continues after `.certificateRequested`; nil means no identity.
    package func present(_ identity: ServerIdentity?) -> [TLSEvent] {
        guard case .awaitingDecision = phase, case .pending = identityChoice else { return [] }
        identityChoice = .decided(identity)
        phase = .handshake
        return advance()
    }

    // MARK: Out

    package var isEstablished: Bool {
        if case .established = phase { true } else { false }
    }

    package func send(_ plaintext: [UInt8]) throws(TLSError) { try unsafe send(plaintext.span.bytes) }

    package func send(_ plaintext: RawSpan) throws(TLSError) {
        guard case .established = phase else {
            throw .notPossible(
                operation: "sending", because: "the handshake is not complete, or the connection has failed")
        }
        if hasSentCloseNotify { throw .notPossible(operation: "sending", because: "close_notify was sent") }
        if plaintext.isEmpty { return }
        ErrorQueue.clear()
        // Memory BIOs never block, and partial writes are disabled: either everything is accepted, or the connection is
        // broken.
        let isSent = unsafe plaintext.withUnsafeBytes { bytes in
            var count = 0
            return unsafe SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &count) == 1
        }
        if !isSent {
            phase = .ended
            throw ErrorQueue.error("sending")
        }
    }

    /// Returns the ciphertext to send now; each byte is returned once.
    package func drainCiphertext() -> [UInt8] {
        var count = unsafe BIO_ctrl_pending(outgoing)
        if let limit = gate?.limit { count = min(count, max(0, limit - drainedBytes)) }
        defer { ownRecords = [] }
        guard count > 0 else { return ownRecords }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            while filled < count {
                let piece = CInt(min(count - filled, Int(CInt.max)))
                let got = unsafe BIO_read(outgoing, bytes.baseAddress.map { unsafe $0 + filled }, piece)
                if got <= 0 { break }
                filled += Int(got)
            }
        }
        drainedBytes += bytes.count
        return ownRecords.isEmpty ? bytes : bytes + ownRecords
    }

    /// Sends close_notify; does nothing before the end of the handshake.
    package func closeNotify() {
        guard case .established = phase, !hasSentCloseNotify else { return }
        hasSentCloseNotify = true
        ErrorQueue.clear()
        _ = unsafe SSL_shutdown(ssl)
        ErrorQueue.clear()
    }

    /// Ends the connection. `records` are sent unchanged, after the ciphertext that the gate lets through.
    package func end(sending records: [UInt8]) {
        ownRecords += records
        phase = .ended
    }

    /// Continues the handshake for the last time, so that OpenSSL itself sends the alert with which the gate refuses.
    package func endRefused() {
        ErrorQueue.clear()
        _ = unsafe SSL_do_handshake(ssl)
        ErrorQueue.clear()
        phase = .ended
    }

    // MARK: State machine

    private func advance() -> [TLSEvent] {
        repeat {
            switch phase {
            case .handshake: performHandshake()
            case .established: read()
            case .held, .awaitingDecision, .ended: break
            }
        } while isReady
        defer { events = [] }
        return events
    }

    /// True if the last step led to another one: reading begins right after the handshake.
    private var isReady = false

    private func performHandshake() {
        isReady = false
        ErrorQueue.clear()
        let result = unsafe SSL_do_handshake(ssl)
        let reason = unsafe result == 1 ? SSL_ERROR_NONE : SSL_get_error(ssl, result)
        if reason == SSL_ERROR_WANT_RETRY_VERIFY || reason == SSL_ERROR_WANT_X509_LOOKUP {
            // The callback that stopped the handshake has set the pending decision.
            phase = .awaitingDecision
            return
        }
        let isFailed =
            reason != SSL_ERROR_NONE && reason != SSL_ERROR_WANT_READ && reason != SSL_ERROR_WANT_CLIENT_HELLO_CB
        if isFailed {
            fail(reason)
        } else if gate?.limit != nil {
            pause(.beforeFinished)
        } else if reason == SSL_ERROR_WANT_CLIENT_HELLO_CB {
            pause(.beforeResponse)
        } else if reason == SSL_ERROR_NONE {
            phase = .established
            events.append(.handshakeCompleted(info()))
            isReady = true
        }
    }

    private func pause(_ hold: TLSBreakpoint) {
        phase = .held(hold)
        events.append(.paused(hold))
    }

    private func read() {
        isReady = false
        if hasReceivedCloseNotify { return }
        var plaintext: [UInt8] = []
        // The largest record (RFC 8446 §5.1).
        let record = 16_384
        var reason = SSL_ERROR_NONE
        while reason == SSL_ERROR_NONE {
            ErrorQueue.clear()
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: record) { bytes, count in
                let result = unsafe SSL_read_ex(ssl, bytes.baseAddress, record, &count)
                if result != 1 {
                    count = 0
                    reason = unsafe SSL_get_error(ssl, result)
                }
            }
            if plaintext.isEmpty { plaintext = piece } else { plaintext += piece }
        }
        if !plaintext.isEmpty { events.append(.plaintext(plaintext)) }
        if reason == SSL_ERROR_ZERO_RETURN {
            hasReceivedCloseNotify = true
            events.append(.closeNotify)
        } else if reason != SSL_ERROR_WANT_READ {
            fail(reason)
        }
    }

    private func fail(_ kind: CInt) {
        phase = .ended
        let queue = ErrorQueue.drainText()
        let verdict = unsafe SSL_get_verify_result(ssl)
        if let receivedAlert {
            events.append(.failed(.alertReceived(receivedAlert)))
        } else if verdict != Int(X509_V_OK), sentAlert != nil {
            let reason = unsafe String(cString: X509_verify_cert_error_string(verdict))
            events.append(.failed(.peerNotTrusted(reason: reason, code: verdict)))
        } else {
            let reason = kind == SSL_ERROR_SSL ? queue : "the handshake ended early (\(kind))"
            events.append(.failed(.handshakeOrRecord(reason: reason, alertSent: sentAlert)))
        }
    }

    // MARK: OpenSSL callbacks

    func clientHelloArrived() -> ClientHelloDecision {
        if hello == nil {
            let said = unsafe ClientHelloReader.read(ssl)
            hello = said
            events.append(.clientHello(said))
        }
        if let decision = gate?.clientHelloDecision, decision != .proceed { return decision }
        guard case .server(let options) = context.role, let name = hello?.serverName,
            let identity = options.identityForName?(name)
        else { return .proceed }
        // Alert 80 is internal_error.
        return use(identity) ? .proceed : .refuse(80)
    }

    /// Decides about the peer. Called twice for one peer: the first call stops the handshake, the second uses the
    /// caller's decision.
    func verifies(_ verification: OpaquePointer) -> Bool {
        switch peerDecision {
        case .none, .pending:
            _ = unsafe X509_verify_cert(verification)
            let code = unsafe X509_STORE_CTX_get_error(verification)
            ErrorQueue.clear()
            guard unsafe cw_ssl_retry_verify(ssl) == 1 else { return false }
            peerDecision = .pending(code: code)
            let reason = unsafe String(cString: X509_verify_cert_error_string(Int(code)))
            let failure: TLSError? = code == X509_V_OK ? nil : .peerNotTrusted(reason: reason, code: Int(code))
            events.append(.peerPresented(TLSPeer(chain: peerChain(), failure: failure)))
            return true
        case .decided(true, _):
            unsafe X509_STORE_CTX_set_error(verification, X509_V_OK)
            return true
        case .decided(false, let code):
            // Rejected although verification succeeded: the reason is the application's.
            unsafe X509_STORE_CTX_set_error(
                verification, code == X509_V_OK ? X509_V_ERR_APPLICATION_VERIFICATION : code)
            return false
        }
    }

    func requestIdentity() -> ClientHelloDecision {
        switch identityChoice {
        case .none:
            identityChoice = .pending
            events.append(.certificateRequested)
            return .wait
        case .pending: return .wait
        case .decided(nil): return .proceed
        // Alert 80 is internal_error.
        case .decided(let identity?): return use(identity) ? .proceed : .refuse(80)
        }
    }

    func fatalAlert(_ alert: UInt8, isReceived: Bool) {
        if isReceived { receivedAlert = alert } else { sentAlert = alert }
    }

    func keyLogged(_ line: String) {
        switch context.role {
        case .server(let options): options.keyLog?(line)
        case .client(let options): options.keyLog?(line)
        }
        gate?.keyLogged(line)
    }

    func wrote(kind: CInt, prefix: [UInt8]) {
        gate?.wrote(kind: kind, prefix: prefix, isTLS13: unsafe SSL_version(ssl) == TLS1_3_VERSION)
    }
}
