import NIOCore
import Record
import ScenarioLanguage

/// An event on a proxied connection.
enum ProxyInput {
    case opened(client: String, port: Int)
    case secured(version: String, serverName: String?)
    case handshakeFailed(String)
    case bytes(ProxyFault.Direction, ByteBuffer)
    /// The reply to `dial`; the driver holds the connection.
    case dialed(Result<ProxyConnection, ProxyDialError>)
    /// The side that sends in this direction will send no more.
    case ended(ProxyFault.Direction)
    /// The side that sends in this direction has closed.
    case gone(ProxyFault.Direction, isReset: Bool)
    case timer(ProxyTimer)
    /// The proxy's plan has changed.
    case changed
    /// A breakpoint at which it waits is to be resumed.
    case released(ProxyBreakpoint)
}

enum ProxyTimer: Hashable, CaseIterable { case hold, uplink, downlink }

/// An action on a proxied connection. `uplink` sends to the target, `downlink` to the client.
enum ProxyAction: Hashable {
    case write(ProxyFault.Direction, ByteBuffer)
    /// Starts TLS with the client with these bytes.
    case startTLS(ByteBuffer)
    case dial(ProxyTarget)
    /// Sends FIN after the written bytes; the side is still read.
    case finish(ProxyFault.Direction)
    /// Closes the side after the written bytes.
    case close(ProxyFault.Direction)
    /// Sends RST once the written bytes have arrived.
    case reset(ProxyFault.Direction)
    /// Starts or stops reading the side that sends in this direction.
    case read(ProxyFault.Direction, Bool)
    case start(ProxyTimer, at: Int64)
    case record(ProxyFact.Event)
}
