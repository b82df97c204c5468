/// Inbound: the handshake is complete; what was written before now goes out.
package struct TLSHandshakeCompleted: Hashable, Sendable {
    package let info: TLSInfo
}

/// Inbound: a fault asks for a reset. The server sets SO_LINGER to 0 and closes the channel.
package struct TLSResetRequested: Hashable, Sendable {
    package init() {}
}

/// Inbound: the handshake waits until `TLSPeerJudged` comes the other way.
package struct TLSPeerPresented: Hashable, Sendable {
    package let peer: TLSPeer
}

/// Outbound.
package struct TLSPeerJudged: Hashable, Sendable {
    package let accepts: Bool

    package init(accepts: Bool) { self.accepts = accepts }
}

/// Inbound: the handshake waits until `TLSIdentityChosen` comes the other way.
package struct TLSCertificateRequested: Hashable, Sendable {
    package init() {}
}

/// Outbound; nil: there is none.
package struct TLSIdentityChosen: Hashable, Sendable {
    package let identity: ServerIdentity?

    package init(identity: ServerIdentity?) { self.identity = identity }
}

/// Outbound: close the channel without close_notify, as a server does that crashes.
package struct TLSCloseWithoutNotify: Hashable, Sendable {
    package init() {}
}
