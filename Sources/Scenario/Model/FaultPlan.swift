package import AdapterProtocol

/// Point × effect × scope, at once or some time after the point. A new effect makes the compiler name the interpreter.
package struct Fault: Hashable, Sendable {
    package enum Point: Hashable, Sendable {
        case accept
        /// A TLS connection begins; nothing of its ClientHello has been read.
        case tlsStart
        /// After the ClientHello, before any answer to it.
        case tlsClientHello
        /// The server's part of the handshake is out but for its Finished (up to TLS 1.2: but for ChangeCipherSpec and Finished).
        case tlsFinished
        /// The head of the request is complete; nothing of it is answered.
        case requestHead
        /// This many request body bytes have been received.
        case requestBody(Int64)
        /// In place of the response head (or after its first n bytes).
        case responseHead(after: Int64)
        /// The status line is out, nothing after it.
        case statusLine
        /// In the middle of this field's line: its name and half of its value are out.
        case responseHeader(String)
        /// Exactly this many bytes of the response body have been handed to the kernel.
        case responseBody(Int64)
        /// This many chunks are out, the line end after the last of them included.
        case afterChunks(Int)
        /// Half of the data of the k-th chunk is out.
        case insideChunk(Int)
        /// The last chunk's line is out; the trailers and the empty line after them are not.
        case trailers
        /// The connection idles after a finished exchange.
        case idle
        /// A request arrives on a connection that served one before: the close race of RFC 9112 §9.3.1.
        case reusedRequest
    }
    package enum Effect: Hashable, Sendable {
        /// FIN after what was sent; TLS says close_notify first.
        case close
        /// As `close`, but TLS ends without a word: a truncation to the client (RFC 8446 §6.1).
        case closeWithoutNotify
        /// A RST that really leaves (SO_LINGER 0).
        case reset
        /// FIN on our side, still reading.
        case halfClose
        /// The other half: nothing more is read, so that the client's window closes, and the answer comes at once.
        case stopReading
        /// Nothing more is said; the connection stays open.
        case stall
        /// Nothing is said for this long, then the exchange goes on.
        case pause(Duration)
        case throttle(BitRate)
        /// What follows, heads included, goes out in pieces of this many bytes, one each time.
        case dribble(bytes: Int, every: Duration)
        /// These bytes instead of what belongs there, then close.
        case garbage(String)
        /// As `garbage`, this many bytes without meaning.
        case noise(ByteCount)
        /// These bytes beneath TLS, where a record belongs, then close.
        case tlsGarbage(String)
        case tlsAlert(UInt8)
        /// The answer comes now, although the request is not complete; the rest of the request is read and thrown away.
        case answer
        /// An answer with this status in place of the route's, as early as `answer`.
        case status(Int, [HeaderField])
        /// What only HTTP/2 has; on a connection of another version it does not happen.
        case stream(StreamEffect)
    }
    /// All given parts must hold; counts start at 1.
    package struct Scope: Hashable, Sendable {
        package var connection: Int?
        /// The k-th request that the origin receives (of `path`, when that is given too).
        package var request: Int?
        package var path: String?
        /// Only the first n matches, then normal.
        package var first: Int?
        package var every: Int?
        /// The k-th request on its connection.
        package var exchange: Int?
        /// This stream of an HTTP/2 connection.
        package var stream: Int?
        package init(
            connection: Int? = nil, request: Int? = nil, path: String? = nil, first: Int? = nil, every: Int? = nil,
            exchange: Int? = nil, stream: Int? = nil
        ) {
            self.connection = connection
            self.request = request
            self.path = path
            self.first = first
            self.every = every
            self.exchange = exchange
            self.stream = stream
        }
    }
    package var point: Point
    package var effect: Effect
    package var scope: Scope
    /// The effect comes this long after the point, whatever the connection does by then; what belongs to `idle` is dropped when
    /// the idleness ends before.
    package var delay: Duration?
    package init(point: Point, effect: Effect, scope: Scope = Scope(), delay: Duration? = nil) {
        self.point = point
        self.effect = effect
        self.scope = scope
        self.delay = delay
    }
}

extension Fault.Point {
    /// Before any request is known.
    package var isOfConnection: Bool {
        switch self {
        case .accept, .tlsStart, .tlsClientHello, .tlsFinished: true
        case .requestHead, .requestBody, .responseHead, .statusLine, .responseHeader, .responseBody, .afterChunks,
            .insideChunk,
            .trailers, .idle, .reusedRequest:
            false
        }
    }

    package var isOfTLS: Bool {
        switch self {
        case .tlsStart, .tlsClientHello, .tlsFinished: true
        case .accept, .requestHead, .requestBody, .responseHead, .statusLine, .responseHeader, .responseBody,
            .afterChunks,
            .insideChunk, .trailers, .idle, .reusedRequest:
            false
        }
    }

    /// Reached only by answers in chunks.
    package var isOfChunks: Bool {
        switch self {
        case .afterChunks, .insideChunk, .trailers: true
        case .accept, .tlsStart, .tlsClientHello, .tlsFinished, .requestHead, .requestBody, .responseHead, .statusLine,
            .responseHeader, .responseBody, .idle, .reusedRequest:
            false
        }
    }
}

extension Fault.Effect {
    /// Whatever was under way on the connection is over.
    package var endsExchange: Bool {
        switch self {
        case .close, .closeWithoutNotify, .reset, .halfClose, .stall, .garbage, .noise, .tlsGarbage, .tlsAlert: true
        case .stopReading, .pause, .throttle, .dribble, .answer, .status, .stream: false
        }
    }
}
