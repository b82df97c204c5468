import Scenario

/// One request on a connection and how far its answer has got.
struct Exchange {
    let request: Int
    let head: RequestHead
    let occasion: FaultMatcher.Occasion
    var inspection: BodyInspection
    /// Request body counts at which a fault may happen, ascending.
    var bodyStops: [Int64]
    var response: Response?

    struct Response {
        let plan: ResponsePlan
        let head: [UInt8]
        /// Body bytes given to the channel.
        var sent: Int64 = 0
        /// Body bytes that the kernel has taken.
        var handed: Int64 = 0
        /// The last count in the record; -1 before the first.
        var recorded: Int64 = -1

        init(_ plan: ResponsePlan) {
            self.plan = plan
            head = plan.head
        }
    }
}

/// The next thing a connection does, once everything before it is done.
enum ConnectionStep: Hashable {
    /// Faults of this point happen now.
    case point(Fault.Point)
    case effect(Fault)
    /// Take requests (plain) or wait for a ClientHello (TLS).
    case open
    case startTLS
    case write([UInt8])
    case head(Range<Int>)
    case delay(Duration)
    /// Body bytes up to this count, a piece at a time.
    case body(upTo: Int64)
    case mark(Int64)
    case lastChunk
    case endExchange
    /// Wait for the next request.
    case rest
    case finish(ConnectionEnd)
    case reset(Fault?)
}

/// How the origin ends its side.
enum ConnectionEnd: Hashable {
    /// As a server does that is done: TLS says so, and what the client still sends is read for a while (RFC 9112 §9.6).
    case orderly
    /// As a server does that dies: FIN without a word of TLS, and the socket goes as soon as the FIN has arrived.
    case abrupt
}
