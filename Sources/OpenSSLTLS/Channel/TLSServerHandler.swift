/// The server's side of TLS in a pipeline; fires `TLSClientHello` before it replies.
package final class TLSServerHandler: TLSHandler {
    package init(context: TLSContext) throws(TLSError) {
        super.init(try TLSConnection(server: context), pauseReaction: nil)
    }

    /// Creates a handler for a server's connection whose gate has breakpoints.
    package init(_ connection: TLSConnection, pauseReaction: @escaping TLSPauseReaction) {
        super.init(connection, pauseReaction: pauseReaction)
    }
}
