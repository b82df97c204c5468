/// How much one exchange may receive that is not its body. Beyond it the answer is malformed, and its connection is closed.
package struct ResponseLimits: Sendable, Equatable {
    /// Informational responses of one exchange. Python's http.client and Ruby's net/http stop at 100 too.
    package var informationalResponses = 100
    /// Bytes that no byte of a body pays for: blank lines, heads, the lines of chunks, trailers. curl stops at 300 KiB of heads
    /// (MAX_HTTP_RESP_HEADER_SIZE); a trailer section may follow here.
    package var framingBytes: Int64 = 512 * 1024
    /// An upload that can be resumed is told again and again how far it has come (104). Each of so many bytes of the request allows one
    /// informational response more, and `framingBytesPerRequestPart` bytes for it.
    package var requestPart: Int64 = 4096
    package var framingBytesPerRequestPart: Int64 = 256

    package init() {}
}

/// Counts what an exchange receives against its limits.
///
/// As in Go's reader of chunks, every byte of a body pays for two bytes around it, and every piece of it for 16 more: a body that comes a
/// byte at a time is six times as long on the wire (RFC 9112 §7.1) and in order. Body that has come in advance pays for nothing later.
struct ResponseAccount {
    private let limits: ResponseLimits
    private var informational = 0
    private var seen: Int64
    private var excess: Int64 = 0

    /// `received`: the reading of the connection's counter at the beginning of the exchange.
    init(_ limits: ResponseLimits, received: Int64) {
        self.limits = limits
        seen = received
    }

    mutating func informationalResponse() { informational += 1 }

    /// A piece of the body. `received`: the counter's reading.
    mutating func body(_ count: Int, received: Int64) {
        take(received)
        excess = max(0, excess - 3 * Int64(count) - 16)
    }

    /// Returns the failure of an exchange that has received too much. `sent`: bytes of its request.
    mutating func failure(received: Int64, sent: Int64) -> TransportFailure? {
        take(received)
        let parts = max(0, sent) / limits.requestPart
        if informational > Int64(limits.informationalResponses) + parts {
            return .malformed("the server sends one informational response after another")
        }
        if excess > limits.framingBytes + parts * limits.framingBytesPerRequestPart {
            return .malformed(
                "the answer is longer than its body accounts for: its headers, trailers or chunk lines do not end")
        }
        return nil
    }

    private mutating func take(_ received: Int64) {
        excess += received - seen
        seen = received
    }
}
