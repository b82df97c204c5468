/// The contents of a ClientHello.
package struct TLSClientHello: Hashable, Sendable {
    /// The server name (RFC 6066 §3); nil if none was sent.
    package let serverName: String?
    /// The offered protocols, in the client's order.
    package let alpn: [String]

    package init(serverName: String?, alpn: [String]) {
        self.serverName = serverName
        self.alpn = alpn
    }
}

/// The negotiated parameters of a connection.
package struct TLSInfo: Hashable, Sendable {
    package let version: TLSVersion
    /// OpenSSL's name of the cipher suite.
    package let cipher: String
    /// The number of the cipher suite in the registry of IANA; nil if none is negotiated.
    package let cipherSuite: UInt16?
    package let alpn: String?
    package let serverName: String?
    /// The certificate that the peer presented (DER).
    package let peerCertificate: [UInt8]?
    package let isResumed: Bool
    /// The peer certificate's subject as in RFC 2253.
    package let peerSubject: String?
    /// The subject of this side's certificate.
    package let ownSubject: String?
    /// The result of early data (RFC 8446 §4.2.10).
    package let earlyData: TLSEarlyData
    /// Clients only: the stapled OCSP response (DER).
    package let staple: [UInt8]?
}

package enum TLSEarlyData: String, Hashable, Sendable { case notSent, refused, accepted }

/// A point at which a server's handshake can be stopped.
package enum TLSBreakpoint: Hashable, Sendable, CaseIterable {
    /// The ClientHello is complete and no reply has been sent.
    case beforeResponse
    /// The server's reply is sent except for its Finished (up to TLS 1.2: except for ChangeCipherSpec and Finished).
    case beforeFinished
}

/// The certificates of a server, and the result of their verification.
package struct TLSPeer: Hashable, Sendable {
    /// The chain in DER, the server's own certificate first.
    package let chain: [[UInt8]]
    /// `peerNotTrusted`, or nil for a trusted server.
    package let failure: TLSError?
}

/// An event of a connection after it received input.
package enum TLSEvent: Hashable, Sendable {
    /// Servers only; comes before the reply is computed.
    case clientHello(TLSClientHello)
    /// The handshake waits for `continueHandshake()`.
    case paused(TLSBreakpoint)
    /// For clients that decide about the server: the handshake waits for `judge`.
    case peerPresented(TLSPeer)
    /// For clients whose certificate is requested: the handshake waits for `present`.
    case certificateRequested
    case handshakeCompleted(TLSInfo)
    case plaintext([UInt8])
    /// The peer sent close_notify and sends nothing more.
    case closeNotify
    /// The connection has failed; only an alert may wait in `drainCiphertext()`.
    case failed(TLSError)
}
