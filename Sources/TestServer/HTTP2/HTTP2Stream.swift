import AdapterProtocol
import NIOCore
import ScenarioLanguage

/// One request of an HTTP/2 connection and the progress of its response.
struct HTTP2Stream {
    struct Response {
        let status: Int
        /// Without `:status`, in lower case.
        let headers: [HeaderField]
        let body: ResponsePlan.Body
        let trailers: [HeaderField]
        let closes: Bool
        /// The header block, once it has been encoded.
        var block: [UInt8] = []
        /// Body bytes passed to the channel.
        var sent: Int64 = 0
        /// Body bytes that the kernel has accepted.
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
    /// Ascending numbers of request body bytes at which a fault may happen.
    var bodyStops: [Int64]
    var steps: [StreamStep] = []
    var response: Response?
    /// A fault's response in place of the route's.
    var substitute: ResponsePlan?
    var pace: Pace?
    var sendWindow: FlowWindow
    var receiveWindow: FlowWindow
    /// Body bytes received and not granted again.
    var pendingBytes = 0
    /// Body bytes that are delayed by the pace of a throttled upload, or by a fault at a position before them.
    var arrived = ByteBuffer()
    /// True if they include the client's last byte.
    var endsWithArrived = false
    /// The time at which the next of them is due.
    var readyAt: Int64?
    /// True if the client is granted no more bytes.
    var isWindowClosed = false
    /// Writes that the kernel has not accepted.
    var unwritten = 0
    /// The time until which the stream waits.
    var resumesAt: Int64?
    var breakpoint: Int64?
    var isStalled = false
    /// True once the whole request has been received.
    var isReceived = false
    var hasResponded = false

    var hasClientEnded: Bool { isReceived || endsWithArrived }

    var isHeld: Bool { resumesAt != nil || breakpoint != nil || isStalled }

    /// Returns the positions reached by now, each once.
    mutating func reachedBodyStops() -> [Int64] {
        let reached = bodyStops.prefix { $0 <= inspection.count }
        bodyStops.removeFirst(reached.count)
        return Array(reached)
    }
}

/// The next step of a stream, once everything before it is done.
enum StreamStep: Hashable {
    /// Applies the faults of this point.
    case point(Fault.Point)
    case effect(Fault)
    case interim(WirePlan.Interim)
    /// Sends 100, if the request expects it and the response has not begun (RFC 9110 §10.1.1).
    case proceed
    case delay(Duration)
    /// Begins the response: the request is complete and the faults before its response are done. Does nothing after an
    /// early response.
    case respond
    /// Encodes the header block; it stops at these points.
    case head(stops: [Fault.Point])
    case fragment(Range<Int>)
    /// Writes body bytes up to this count, a frame at a time.
    case body(upTo: Int64)
    case breakpoint(Int64)
    /// Writes trailers, or an empty DATA frame when the last one did not end the stream.
    case end
    case finished
}
