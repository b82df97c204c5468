import GeneratedBodies
import NIOCore
import Record
import ScenarioLanguage

/// An event on a connection.
enum ConnectionInput {
    case opened(client: String, port: Int)
    case bytes(ByteBuffer)
    /// The kernel has accepted the oldest write not yet reported.
    case written
    case timer(ConnectionTimer)
    /// The reply to `countUnacknowledged`.
    case unacknowledged(Int)
    case released(OriginState.Breakpoint)
    case secured(version: String, serverName: String?, alpn: String? = nil)
    /// The handshake is paused before its Finished, and these faults happen there.
    case pausedBeforeFinished([Fault])
    /// TLS closes the connection itself.
    case handshakeFailed(String, byClient: Bool)
    /// The connection has ended, and this side did not end it.
    case ended(isReset: Bool)
}

enum ConnectionTimer: Hashable, CaseIterable { case hold, idle, drain, fault }

/// An action on a connection.
enum ConnectionAction: Hashable {
    enum Content: Hashable {
        case bytes([UInt8])
        case pattern(key: PatternBody.Key, from: Int64, count: Int)
    }
    case write(Content)
    /// Writes without TLS.
    case writeRaw([UInt8])
    /// Starts TLS with these bytes from the client.
    case startTLS(ByteBuffer)
    /// Sends FIN; with `closeNotify` TLS sends close_notify first.
    case finish(closeNotify: Bool)
    case close
    /// Sends RST.
    case reset
    case read(Bool)
    case start(ConnectionTimer, at: Int64)
    case cancel(ConnectionTimer)
    /// Queries how many bytes the client has not acknowledged yet.
    case countUnacknowledged
    case record(ServerFact)
    case flood(OriginFlood)
}
