import NIOCore
import OpenSSLTLS

/// An open connection with the handlers that run exchanges on it.
final class Connection {
    enum Wire {
        case http1(ExchangeHandler)
        case http2(HTTP2Connection, HTTP2EventRelay)
    }

    let id: ConnectionID
    let key: ConnectionKey
    let channel: any Channel
    let tls: TLSInfo?
    /// The interface that the connection uses, if it is known.
    let interface: NetworkInterface?
    let wire: Wire
    let times: ConnectionTimes
    let pendingInput: PendingInput
    /// True until the connection is passed to its first request: nothing can have happened to it since it was opened.
    var isFresh = true
    /// The session's newest connection at the time when this one was first found to be unusable.
    var newestAtEnd: ConnectionID?

    init(
        id: ConnectionID, key: ConnectionKey, channel: any Channel, tls: TLSInfo?, interface: NetworkInterface?,
        wire: Wire,
        times: ConnectionTimes
    ) {
        self.id = id
        self.key = key
        self.channel = channel
        self.tls = tls
        self.interface = interface
        self.wire = wire
        self.times = times
        pendingInput = PendingInput(of: channel)
    }

    func close() {
        switch wire {
        case .http1: channel.close(promise: nil)
        case .http2(let connection, _): connection.close()
        }
    }
}

/// The times of the steps of opening a connection, in nanoseconds, for metrics.
struct ConnectionTimes: Hashable, Sendable {
    var lookupStart: Int64?
    var lookupEnd: Int64?
    var connectStart: Int64?
    var connectEnd: Int64?
    var secureStart: Int64?
    var secureEnd: Int64?
}
