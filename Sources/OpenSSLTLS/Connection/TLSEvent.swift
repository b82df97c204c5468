/// What the client said before anything was answered.
package struct TLSClientHello: Hashable, Sendable {
    /// The server name (RFC 6066 §3), nil when none was sent.
    package let serverName: String?
    /// The offered protocols, in the client's order.
    package let alpn: [String]

    package init(serverName: String?, alpn: [String]) {
        self.serverName = serverName
        self.alpn = alpn
    }
}

/// What was agreed.
package struct TLSInfo: Hashable, Sendable {
    package let version: TLSVersion
    /// OpenSSL's name of the cipher suite.
    package let cipher: String
    package let alpn: String?
    package let serverName: String?
    /// The certificate that the peer presented (DER).
    package let peerCertificate: [UInt8]?
    package let isResumed: Bool
    /// The peer certificate's subject as in RFC 2253.
    package let peerSubject: String?
    /// The subject of the certificate that this side has.
    package let ownSubject: String?
    /// What became of early data (RFC 8446 §4.2.10).
    package let earlyData: TLSEarlyData
    /// Clients only: the stapled OCSP answer (DER).
    package let staple: [UInt8]?
}

package enum TLSEarlyData: String, Hashable, Sendable { case notSent, refused, accepted }

/// A moment at which a server can be made to wait before it goes on with the handshake.
package enum TLSHold: Hashable, Sendable, CaseIterable {
    /// The ClientHello is complete and nothing is answered.
    case beforeAnswer
    /// The server's answer is out but for its Finished (up to TLS 1.2: but for ChangeCipherSpec and Finished).
    case beforeFinished
}

/// The certificates of a server, and what verification says of them.
package struct TLSPeer: Hashable, Sendable {
    /// DER, the server's own first.
    package let chain: [[UInt8]]
    /// `peerNotTrusted`, or nil for a server that is to be believed.
    package let failure: TLSError?
}

/// What a connection has to say after it was fed.
package enum TLSEvent: Hashable, Sendable {
    /// Servers only; comes before the answer is computed.
    case clientHello(TLSClientHello)
    /// The handshake waits for `continueHandshake()`.
    case held(TLSHold)
    /// Clients that judge for themselves: the handshake waits for `judge`.
    case peerPresented(TLSPeer)
    /// Clients that are asked for their identity: the handshake waits for `present`.
    case certificateRequested
    case handshakeCompleted(TLSInfo)
    case plaintext([UInt8])
    /// The peer sends nothing more, and said so.
    case closeNotify
    /// The connection is of no further use, except that an alert may wait in `takeCiphertext()`.
    case failed(TLSError)
}
