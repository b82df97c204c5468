/// A task's request for a connection.
struct ConnectionDemand {
    var key: ConnectionKey
    /// The host in the URL, in lower case and without brackets, as TLS expects it.
    var host: String
    var owner: Int
    var priority: Float
    /// Only connections newer than this one are suitable.
    var newerThan: ConnectionID?
    var forbids: PathTraits = []
    /// The request may be pipelined over HTTP/1.1.
    var mayPipeline = false
    var route = ProxyRoute.direct
    /// The fields of a CONNECT request in addition to the name of the origin.
    var tunnelFields = HeaderFields()
    /// HTTP/2 is not offered in the handshake.
    var isHTTP1Only = false
    /// The handler of the handshake's challenges; nil if the task does not handle them.
    var questions: HandshakeChallenges?
    /// Called before the failure is delivered, with an open connection that did not accept the exchange.
    var refusedBy: (Connection) -> Void = { _ in }
    /// Called once, on the event loop. Returns false if the exchange is not needed any more, or not yet.
    var deliver: (Result<Exchange, TransportFailure>) -> Bool
}
