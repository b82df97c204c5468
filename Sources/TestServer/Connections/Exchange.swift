import AdapterProtocol
import Record
import ScenarioLanguage

/// One request on a connection and the progress of its response.
struct Exchange {
    let request: Int
    let head: RequestHead
    let faultContext: FaultMatcher.FaultContext
    var inspection: BodyInspection
    /// Ascending numbers of request body bytes at which a fault may happen.
    var bodyStops: [Int64]
    var response: Response?
    /// A fault's response in place of the route's.
    var substitute: ResponsePlan?
    /// True once the whole request has been received.
    var isReceived = false
    /// True once the response is complete.
    var hasResponded = false

    struct Response {
        let status: Int
        /// The fields as written, if they are fields at all.
        let headers: [HeaderField]
        let head: [UInt8]
        let body: ResponsePlan.Body
        let framing: Resource.Framing
        let closes: Bool
        let wire: WirePlan
        /// The chunk that was begun and whose line end is not written.
        var openChunk: Int?
        /// Body bytes passed to the channel.
        var sent: Int64 = 0
        /// Body bytes that the kernel has accepted.
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

        /// The number of chunks with data.
        var chunks: Int { Int(clamping: (body.count + wire.chunkSize.bytes - 1) / wire.chunkSize.bytes) }

        /// Returns the position of the k-th chunk's data in the body.
        func chunk(_ number: Int) -> Range<Int64> {
            let start = Int64(number - 1) * wire.chunkSize.bytes
            return start..<min(start + wire.chunkSize.bytes, body.count)
        }
    }
}

/// The next step of a connection, once everything before it is done.
enum ConnectionStep: Hashable {
    /// Applies the faults of this point.
    case point(Fault.Point)
    case effect(Fault)
    /// Accepts requests (plain) or waits for a ClientHello (TLS).
    case open
    case startTLS
    case write([UInt8])
    /// Like `write`, and records the fact once the kernel has accepted the bytes.
    case report([UInt8], ServerFact)
    /// Writes without TLS.
    case writeRaw([UInt8])
    case head(Range<Int>)
    case delay(Duration)
    /// Writes body bytes up to this count, a piece at a time.
    case body(upTo: Int64)
    case breakpoint(Int64)
    case openChunk(Int)
    case endChunk
    /// Sends 100 Continue, unless the response has begun.
    case proceed
    case endExchange
    /// Waits for the next request.
    case rest
    case finish(ConnectionEnd)
    case reset(Fault?)
}

/// The way in which the origin ends its side.
enum ConnectionEnd: Hashable {
    /// The end of a connection that is done: close_notify in TLS, and the client's further bytes are read for a while
    /// (RFC 9112 §9.6).
    case orderly
    /// Like `abrupt`, but with close_notify in TLS.
    case announced
    /// The end of a server that dies: FIN without close_notify, and the socket is closed as soon as the FIN has
    /// arrived.
    case abrupt
}
