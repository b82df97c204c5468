/// The server's side of TLS in a pipeline; fires `TLSClientHello` before the answer.
package final class TLSServerHandler: TLSHandler {
    /// `faults` nil: the handshake runs through without a stop.
    package init(context: TLSContext, faults: TLSFaultPlan? = nil) throws(TLSError) {
        let holds = faults == nil ? [] : Set(TLSHold.allCases)
        super.init(try TLSConnection(server: context, holds: holds), faults: faults)
    }
}
