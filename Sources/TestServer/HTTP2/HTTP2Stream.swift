import AdapterProtocol
import NIOCore
import Scenario

/// One request of an HTTP/2 connection and how far its answer has got.
struct HTTP2Stream {
    struct Response {
        let status: Int
        /// Without `:status`, in small letters.
        let headers: [HeaderField]
        let body: ResponsePlan.Body
        let trailers: [HeaderField]
        let closes: Bool
        /// The header block, once it has been encoded.
        var block: [UInt8] = []
        /// Body bytes given to the channel.
        var sent: Int64 = 0
        /// Body bytes that the kernel has taken.
        var handed: Int64 = 0
        /// The last count in the record; -1 before the first.
        var recorded: Int64 = -1
        var hasEnded = false
    }

    let id: Int
    let request: Int
    let head: RequestHead
    let faultContext: FaultMatcher.FaultContext
    var inspection: BodyInspection
    /// Request body counts at which a fault may happen, ascending.
    var bodyStops: [Int64]
    var steps: [StreamStep] = []
    var response: Response?
    /// A fault's answer in place of the route's.
    var substitute: ResponsePlan?
    var pace: Pace?
    var sendWindow: FlowWindow
    var receiveWindow: FlowWindow
    /// Body bytes received and not granted again.
    var pendingBytes = 0
    /// Body bytes that wait for their time: the pace of a throttled upload, or a fault at a place before them.
    var arrived = ByteBuffer()
    /// The client's last byte is among them.
    var endsWithArrived = false
    /// When the next of them is due.
    var readyAt: Int64?
    /// No more is granted to the client.
    var isWindowClosed = false
    /// Writes that the kernel has not taken.
    var unwritten = 0
    /// Nothing happens before this moment.
    var resumesAt: Int64?
    var breakpoint: Int64?
    var isStalled = false
    /// The request has been received to its end.
    var isReceived = false
    var hasResponded = false

    var hasClientEnded: Bool { isReceived || endsWithArrived }

    var isHeld: Bool { resumesAt != nil || breakpoint != nil || isStalled }

    /// The places reached by now, each once.
    mutating func reachedBodyStops() -> [Int64] {
        let reached = bodyStops.prefix { $0 <= inspection.count }
        bodyStops.removeFirst(reached.count)
        return Array(reached)
    }
}

/// The next thing that happens to a stream, once everything before it is done.
enum StreamStep: Hashable {
    /// Faults of this point happen now.
    case point(Fault.Point)
    case effect(Fault)
    case interim(WirePlan.Interim)
    /// Unless the request asked for it in vain (RFC 9110 §10.1.1).
    case proceed
    case delay(Duration)
    /// The request is complete and what happens before its answer has happened; nothing is done when it has been answered early.
    case respond
    /// Encodes the header block; it stops at these places.
    case head(stops: [Fault.Point])
    case fragment(Range<Int>)
    /// Body bytes up to this count, a frame at a time.
    case body(upTo: Int64)
    case breakpoint(Int64)
    /// Trailers, or an empty DATA frame when the last one did not end the stream.
    case end
    case finished
}
