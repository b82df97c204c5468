import AdapterProtocol
import Scenario

/// One request on a connection and how far its answer has got.
struct Exchange {
    let request: Int
    let head: RequestHead
    let faultContext: FaultMatcher.FaultContext
    var inspection: BodyInspection
    /// Request body counts at which a fault may happen, ascending.
    var bodyStops: [Int64]
    var response: Response?
    /// A fault's answer in place of the route's.
    var substitute: ResponsePlan?
    /// The request has been received to its end.
    var isReceived = false
    /// The answer is complete.
    var hasResponded = false

    struct Response {
        let status: Int
        /// As written, as far as they are fields at all.
        let headers: [HeaderField]
        let head: [UInt8]
        let body: ResponsePlan.Body
        let framing: Resource.Framing
        let closes: Bool
        let wire: WirePlan
        /// The chunk that was begun and whose line end is not written.
        var openChunk: Int?
        /// Body bytes given to the channel.
        var sent: Int64 = 0
        /// Body bytes that the kernel has taken.
        var handed: Int64 = 0
        /// The last count in the record; -1 before the first.
        var recorded: Int64 = -1

        init(_ plan: ResponsePlan, _ wire: WirePlan) {
            self.wire = wire
            status = plan.status
            headers = plan.headers(wire)
            head = plan.head(wire)
            body = wire.sendsForbiddenBody && plan.body.count == 0 ? plan.withheld : plan.body
            let isChunked = plan.headers.contains { $0.name == "Transfer-Encoding" && $0.value == "chunked" }
            framing = wire.sendsForbiddenBody && isChunked ? .chunked : plan.framing
            closes = wire.closes ?? (plan.closes || wire.omitsHead)
        }

        /// How many chunks with data the body has.
        var chunks: Int { Int(clamping: (body.count + wire.chunkSize.bytes - 1) / wire.chunkSize.bytes) }

        /// Where the k-th chunk's data lies in the body.
        func chunk(_ number: Int) -> Range<Int64> {
            let start = Int64(number - 1) * wire.chunkSize.bytes
            return start..<min(start + wire.chunkSize.bytes, body.count)
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
    /// As `write`, and the record says so once the kernel has them.
    case report([UInt8], ServerFact)
    /// Beneath TLS.
    case writeRaw([UInt8])
    case head(Range<Int>)
    case delay(Duration)
    /// Body bytes up to this count, a piece at a time.
    case body(upTo: Int64)
    case breakpoint(Int64)
    case openChunk(Int)
    case endChunk
    /// 100 Continue, unless an answer was faster.
    case proceed
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
    /// As `abrupt`, but TLS says so.
    case announced
    /// As a server does that dies: FIN without a word of TLS, and the socket goes as soon as the FIN has arrived.
    case abrupt
}
