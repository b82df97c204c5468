internal import COpenSSL

/// The functions that OpenSSL calls during a handshake; each finds its connection in the SSL object.
enum TLSCallbacks {
    private static func connection(_ ssl: OpaquePointer?) -> TLSConnection? {
        guard let ssl = unsafe ssl, let data = unsafe SSL_get_ex_data(ssl, 0) else { return nil }
        return unsafe Unmanaged<TLSConnection>.fromOpaque(data).takeUnretainedValue()
    }

    static let clientHello: SSL_client_hello_cb_fn = { ssl, alert, _ in
        guard let connection = unsafe connection(ssl) else { return SSL_CLIENT_HELLO_ERROR }
        switch connection.clientHelloArrived() {
        case .proceed: return SSL_CLIENT_HELLO_SUCCESS
        case .wait: return SSL_CLIENT_HELLO_RETRY
        case .refuse(let code):
            unsafe alert?.pointee = CInt(code)
            return SSL_CLIENT_HELLO_ERROR
        }
    }

    static let selectProtocol: SSL_CTX_alpn_select_cb_func = { ssl, chosen, length, offered, offeredLength, _ in
        guard let connection = unsafe connection(ssl), case .server(let options) = connection.context.role else {
            return SSL_TLSEXT_ERR_NOACK
        }
        let list = unsafe UnsafeBufferPointer(start: offered, count: Int(offeredLength))
        for wanted in connection.acceptedProtocols ?? options.alpn {
            let name = Array(wanted.utf8)
            var position = 0
            while position < list.count {
                let size = unsafe Int(list[position])
                let start = position + 1
                guard start + size <= list.count else { return SSL_TLSEXT_ERR_ALERT_FATAL }
                if unsafe list[start..<start + size].elementsEqual(name) {
                    // Points into the client's own list, which lives as long as OpenSSL needs it.
                    unsafe chosen?.pointee = offered.map { unsafe $0 + start }
                    unsafe length?.pointee = UInt8(size)
                    return SSL_TLSEXT_ERR_OK
                }
                position = start + size
            }
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }

    static let verify: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> CInt = { verification, _ in
        guard let verification = unsafe verification,
            let connection = unsafe connection(cw_verification_ssl(verification))
        else { return 0 }
        return unsafe connection.verifies(verification) ? 1 : 0
    }

    /// A negative result suspends the handshake.
    static let identity: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> CInt = { ssl, _ in
        guard let connection = unsafe connection(ssl) else { return 0 }
        switch connection.requestIdentity() {
        case .wait: return -1
        case .proceed: return 1
        case .refuse: return 0
        }
    }

    static let staple: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> CInt = { ssl, _ in
        guard let connection = unsafe connection(ssl), case .server(let options) = connection.context.role,
            let bytes = options.staple
        else { return SSL_TLSEXT_ERR_NOACK }
        return unsafe cw_ssl_staple(ssl, bytes, bytes.count) == 1 ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL
    }

    static let information: @convention(c) (OpaquePointer?, CInt, CInt) -> Void = { ssl, kind, value in
        guard kind & SSL_CB_ALERT != 0, let connection = unsafe connection(ssl) else { return }
        let isFatal = value >> 8 == SSL3_AL_FATAL
        guard isFatal else { return }
        connection.fatalAlert(UInt8(value & 0xff), isReceived: kind & SSL_CB_READ != 0)
    }

    static let keyLog: SSL_CTX_keylog_cb_func = { ssl, line in
        guard let connection = unsafe connection(ssl), let line = unsafe line else { return }
        connection.keyLogged(unsafe String(cString: line))
    }

    /// Reports the output to the connection's gate.
    static let message:
        @convention(c) (CInt, CInt, CInt, UnsafeRawPointer?, Int, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
            isWritten, _, kind, bytes, count, ssl, _ in
            guard isWritten == 1, let bytes = unsafe bytes, let connection = unsafe connection(ssl) else { return }
            let prefix = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: min(count, 5)))
            connection.wrote(kind: kind, prefix: prefix)
        }
}
