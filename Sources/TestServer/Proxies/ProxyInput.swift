import NIOCore
import Scenario

/// What happens to a proxied connection.
enum ProxyInput {
    case opened(client: String, port: Int)
    case secured(version: String, serverName: String?)
    case handshakeFailed(String)
    case bytes(ProxyFault.Direction, ByteBuffer)
    /// The answer to `dial`; the driver holds the connection.
    case dialed(Result<ProxyConnection, ProxyDialError>)
    /// The side that sends in this direction will send no more.
    case ended(ProxyFault.Direction)
    /// The side that sends in this direction is gone.
    case gone(ProxyFault.Direction, isReset: Bool)
    case timer(ProxyTimer)
    /// The proxy's plan is another one from here on.
    case changed
    /// A place that it waits at is to be left.
    case released(ProxyBreakpoint)
}

enum ProxyTimer: Hashable, CaseIterable { case hold, uplink, downlink }

/// What a proxied connection does. `up` is the target's side, `down` the client's.
enum ProxyAction: Hashable {
    case write(ProxyFault.Direction, ByteBuffer)
    /// TLS with the client begins with these bytes.
    case startTLS(ByteBuffer)
    case dial(ProxyTarget)
    /// FIN behind what was written; the side is still read.
    case finish(ProxyFault.Direction)
    /// The side goes, behind what was written.
    case close(ProxyFault.Direction)
    /// RST, once what was written has arrived.
    case reset(ProxyFault.Direction)
    /// Whether the side that sends in this direction is read.
    case read(ProxyFault.Direction, Bool)
    case start(ProxyTimer, at: Int64)
    case record(ProxyFact.Event)
}
