/// Inbound: the handshake is complete, and data written earlier is sent.
package struct TLSHandshakeCompleted: Hashable, Sendable {
    package let info: TLSInfo
}

/// Inbound: the handshake waits for an outbound `TLSPeerEvaluated`.
package struct TLSPeerPresented: Hashable, Sendable {
    package let peer: TLSPeer
}

/// Outbound: the decision about the presented peer.
package struct TLSPeerEvaluated: Hashable, Sendable {
    package let accepts: Bool

    package init(accepts: Bool) { self.accepts = accepts }
}

/// Inbound: the handshake waits for an outbound `TLSIdentityChosen`.
package struct TLSCertificateRequested: Hashable, Sendable {
    package init() {}
}

/// Outbound: the identity for the server; nil means none.
package struct TLSIdentityChosen: Hashable, Sendable {
    package let identity: ServerIdentity?

    package init(identity: ServerIdentity?) { self.identity = identity }
}

/// Outbound: closes the channel without close_notify, like a crashing server.
package struct TLSCloseWithoutNotify: Hashable, Sendable {
    package init() {}
}
