/// What goes wrong in a server's handshake instead of the step that belongs there.
package enum TLSFault: Hashable, Sendable {
    /// Nothing more is said; the connection stays open.
    case stall
    /// Fires `TLSResetRequested`: the reset itself is the business of whoever owns the socket.
    case reset
    /// A fatal alert with this number, then the connection is closed.
    case alert(UInt8)
    /// These bytes, then the connection is closed.
    case garbage([UInt8])
    /// Closed without a word.
    case close
    /// The sending side is closed; the other stays open.
    case halfClose
    /// Nothing is said for this long, then the handshake goes on.
    case pause(Duration)
}

/// Decides whether a handshake goes wrong at a point; called once for each point, on the event loop.
package typealias TLSFaultPlan = @Sendable (TLSHold, TLSClientHello) -> TLSFault?
