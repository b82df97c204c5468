/// The server's side of TLS in a pipeline; fires `TLSClientHello` before it replies.
package final class TLSServerHandler: TLSHandler {
    /// Creates a handler. `faults` nil means that the handshake runs without stopping.
    package init(context: TLSContext, faults: TLSFaultPlan? = nil) throws(TLSError) {
        let holds = faults == nil ? [] : Set(TLSBreakpoint.allCases)
        super.init(try TLSConnection(server: context, breakpoints: holds), faults: faults)
    }
}
