/// Inbound: the handshake is complete; what was written before now goes out.
package struct TLSHandshakeCompleted: Hashable, Sendable {
    package let info: TLSInfo
}

/// Inbound: a fault asks for a reset. The server sets SO_LINGER to 0 and closes the channel.
package struct TLSResetRequested: Hashable, Sendable {
    package init() {}
}

/// Outbound: close the channel without close_notify, as a server does that crashes.
package struct TLSCloseWithoutNotify: Hashable, Sendable {
    package init() {}
}
