package import OpenSSLTLS

/// A failure that replaces a step of a server's handshake.
package enum TLSFault: Hashable, Sendable {
    /// Nothing more is sent; the connection stays open.
    case stall
    /// Fires `TLSResetRequested`: the owner of the socket performs the reset.
    case reset
    /// Sends a fatal alert with this number, then closes the connection.
    case alert(UInt8)
    /// Sends these bytes, then closes the connection.
    case garbage([UInt8])
    /// Closes without sending anything.
    case close
    /// Closes the sending direction; the other stays open.
    case halfClose
    /// Sends nothing for this long, then continues the handshake.
    case pause(Duration)
}

/// Decides about a fault at a point of the handshake; called once for each point, on the event loop.
package typealias TLSFaultPlan = @Sendable (TLSBreakpoint, TLSClientHello) -> TLSFault?

/// Inbound: a fault requests a reset. The server sets SO_LINGER to 0 and closes the channel.
package struct TLSResetRequested: Hashable, Sendable {
    package init() {}
}
