import NIOCore
import OpenSSLTLS

/// An open connection and what carries exchanges over it.
final class Connection {
    enum Wire {
        case http1(ExchangeHandler, ByteCounter)
        case http2(HTTP2Connection, HTTP2EventRelay)
    }

    let id: ConnectionID
    let key: ConnectionKey
    let channel: any Channel
    let tls: TLSInfo?
    /// The one that it leaves by, as far as it is known.
    let interface: NetworkInterface?
    let wire: Wire
    let times: ConnectionTimes
    /// It was made this moment, for the request that it is given to first; nothing can have happened to it since.
    var isFresh = true
    /// The newest of the session when it first became known that this one serves no longer.
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
    }
}

/// When the steps of making a connection happened, nanoseconds; for metrics.
struct ConnectionTimes: Hashable, Sendable {
    var lookupStart: Int64?
    var lookupEnd: Int64?
    var connectStart: Int64?
    var connectEnd: Int64?
    var secureStart: Int64?
    var secureEnd: Int64?
}
