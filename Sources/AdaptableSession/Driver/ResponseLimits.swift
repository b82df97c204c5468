/// The limits for the bytes of one exchange that do not belong to its body. Above them the response is malformed, and
/// its connection is closed.
enum ResponseLimits {
    /// The number of bytes of one line of a head, including the lines folded into it.
    static let lineBytes = 80 * 1024
    /// The number of fields of a head, and of the trailers.
    static let fields = 256
    /// The number of informational responses of one exchange. Python's http.client and Ruby's net/http also stop at
    /// 100.
    static let informationalResponses = 100
    /// The number of bytes that the body does not account for: empty lines, heads, chunk lines, trailers. curl stops at
    /// 300 KiB of heads (MAX_HTTP_RESP_HEADER_SIZE); here trailers count too.
    static let framingBytes: Int64 = 512 * 1024
    /// A server reports the progress of a resumable upload repeatedly (104). Each part of the request with this number
    /// of bytes allows one more informational response, and `framingBytesPerRequestPart` more bytes.
    static let requestPart: Int64 = 4096
    static let framingBytesPerRequestPart: Int64 = 256
}

/// Counts the bytes that an exchange receives against its ResponseLimits.
///
/// As in Go's chunk reader, every byte of a body accounts for two bytes around it, and every chunk for 16 more: a valid
/// body in chunks of one byte is six times as long on the wire (RFC 9112 §7.1). Surplus from earlier body bytes is not
/// carried over.
struct ResponseAccount {
    private var informational = 0
    private var seen: Int64
    private var excess: Int64 = 0

    /// `received` is the value of the connection's counter at the beginning of the exchange.
    init(received: Int64) { seen = received }

    mutating func informationalResponse() { informational += 1 }

    /// Counts a part of the body. `received` is the current value of the counter.
    mutating func body(_ count: Int, received: Int64) {
        take(received)
        excess = max(0, excess - 3 * Int64(count) - 16)
    }

    /// Returns the failure of an exchange that has received too much. `sent` is the number of bytes of its request.
    mutating func failure(received: Int64, sent: Int64) -> TransportFailure? {
        take(received)
        let parts = max(0, sent) / ResponseLimits.requestPart
        if informational > Int64(ResponseLimits.informationalResponses) + parts {
            return .malformed("the server sends too many informational responses")
        }
        if excess > ResponseLimits.framingBytes + parts * ResponseLimits.framingBytesPerRequestPart {
            return .malformed(
                "the headers, trailers or chunk lines of the response are too long")
        }
        return nil
    }

    private mutating func take(_ received: Int64) {
        excess += received - seen
        seen = received
    }
}
