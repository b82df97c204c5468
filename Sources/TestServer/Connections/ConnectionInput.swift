import NIOCore
import Scenario

/// What happens to a connection.
enum ConnectionInput {
    case opened(client: String, port: Int)
    case bytes(ByteBuffer)
    /// The oldest write not yet reported has been taken by the kernel.
    case written
    case timer(ConnectionTimer)
    /// The answer to `countUnacknowledged`.
    case unacknowledged(Int)
    case released(OriginState.Breakpoint)
    case secured(version: String, serverName: String?, alpn: String? = nil)
    /// The handshake stands before its Finished, and these faults happen there.
    case pausedBeforeFinished([Fault])
    /// TLS closes the connection itself.
    case handshakeFailed(String, byClient: Bool)
    /// The connection is gone, and not because this side ended it.
    case ended(isReset: Bool)
}

enum ConnectionTimer: Hashable, CaseIterable { case hold, idle, drain, fault }

/// What a connection does.
enum ConnectionAction: Hashable {
    enum Content: Hashable {
        case bytes([UInt8])
        case pattern(key: PatternBody.Key, from: Int64, count: Int)
    }
    case write(Content)
    /// Beneath TLS.
    case writeRaw([UInt8])
    /// TLS begins with these bytes of the client's.
    case startTLS(ByteBuffer)
    /// FIN; `closeNotify` lets TLS say goodbye first.
    case finish(closeNotify: Bool)
    case close
    /// RST.
    case reset
    case read(Bool)
    case start(ConnectionTimer, at: Int64)
    case cancel(ConnectionTimer)
    /// How many bytes has the client not acknowledged yet?
    case countUnacknowledged
    case record(ServerFact)
    case flood(OriginFlood)
}
