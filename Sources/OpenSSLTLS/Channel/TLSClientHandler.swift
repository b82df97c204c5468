/// The client's side of TLS in a pipeline.
package final class TLSClientHandler: TLSHandler {
    package init(context: TLSContext, serverName: String?) throws(TLSError) {
        super.init(try TLSConnection(client: context, serverName: serverName), pauseReaction: nil)
    }
}
