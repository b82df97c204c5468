/// What a task asks of the connections.
struct ConnectionDemand {
    var key: ConnectionKey
    /// The host as the URL has it; TLS expects it (lower case, no brackets).
    var host: String
    var owner: Int
    var priority: Float
    /// Connections up to this one will not do.
    var newerThan: ConnectionID?
    var forbids: PathTraits = []
    var route = ProxyRoute.direct
    /// What CONNECT says beside the name of the origin.
    var tunnelFields = HeaderFields()
    /// HTTP/2 is not offered.
    var isHTTP1Only = false
    /// Whom a handshake asks; nil for nobody.
    var questions: HandshakeChallenges?
    /// Told before the failure, of a connection that was there and did not take the exchange.
    var refusedBy: (Connection) -> Void = { _ in }
    /// Called once, on the event loop. False: nobody wants the exchange any more, or not yet.
    var deliver: (Result<Exchange, TransportFailure>) -> Bool
}
