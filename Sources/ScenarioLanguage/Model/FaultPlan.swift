package import Record
package import AdapterProtocol

/// A fault: point × effect × scope, applied immediately or after a delay. For a new effect the compiler requires an
/// implementation in the interpreter.
package struct Fault: Hashable, Sendable {
    package enum Point: Hashable, Sendable {
        case accept
        /// A TLS connection starts; none of its ClientHello has been read.
        case tlsStart
        /// After the ClientHello, before any reply to it.
        case tlsClientHello
        /// The server's part of the handshake has been sent except Finished (up to TLS 1.2: except ChangeCipherSpec and
        /// Finished).
        case tlsFinished
        /// The head of the request is complete; no part of a response has been sent.
        case requestHead
        /// This many request body bytes have been received.
        case requestBody(Int64)
        /// In place of the response head, or after its first n bytes.
        case responseHead(after: Int64)
        /// The status line has been sent and nothing after it.
        case statusLine
        /// In the middle of this field's line: its name and half of its value have been sent.
        case responseHeader(String)
        /// Exactly this many bytes of the response body have been handed to the kernel.
        case responseBody(Int64)
        /// This many chunks have been sent, including the line end after the last of them.
        case afterChunks(Int)
        /// Half of the data of the k-th chunk has been sent.
        case insideChunk(Int)
        /// The last chunk's line has been sent; the trailers and the empty line after them have not.
        case trailers
        /// The connection is idle after a finished exchange.
        case idle
        /// A request arrives on a connection that served one before: the close race of RFC 9112 §9.3.1.
        case reusedRequest
    }
    package enum Effect: Hashable, Sendable {
        /// FIN after the data sent so far; TLS sends close_notify first.
        case close
        /// As `close`, but TLS sends no close_notify: a truncation for the client (RFC 8446 §6.1).
        case closeWithoutNotify
        /// A RST that is really sent (SO_LINGER 0).
        case reset
        /// FIN from the server, which continues to read.
        case halfClose
        /// The server stops reading, so that the client's window closes, and sends the response immediately.
        case stopReading
        /// Nothing more is sent; the connection stays open.
        case stall
        /// Nothing is sent for this long, then the exchange continues.
        case pause(Duration)
        case throttle(BitRate)
        /// All later data, including heads, is sent in pieces of this many bytes, one per interval.
        case dribble(bytes: Int, every: Duration)
        /// These bytes replace the regular data, then the connection closes.
        case garbage(String)
        /// As `garbage`, with this many bytes of a fixed pattern.
        case noise(ByteCount)
        /// These bytes below TLS, in place of a TLS record, then the connection closes.
        case tlsGarbage(String)
        case tlsAlert(UInt8)
        /// The response is sent immediately, although the request is not complete; the rest of the request is read and
        /// discarded.
        case answer
        /// A response with this status in place of the route's, sent as early as that of `respond`.
        case status(Int, [HeaderField])
        /// An effect that exists only in HTTP/2; it is ignored on a connection of another version.
        case stream(StreamEffect)
    }
    /// Conditions that must all hold; counts start at 1.
    package struct Scope: Hashable, Sendable {
        package var connection: Int?
        /// The k-th request that the origin receives (of `path`, if that is given too).
        package var request: Int?
        package var path: String?
        /// Only the first n matches; later ones are served normally.
        package var first: Int?
        package var every: Int?
        /// The k-th request on its connection.
        package var exchange: Int?
        /// The number of the stream on an HTTP/2 connection.
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
    /// Delay between reaching the point and applying the effect, whatever the connection does in between. A delayed
    /// `idle` fault is dropped if the connection becomes active first.
    package var delay: Duration?
    package init(point: Point, effect: Effect, scope: Scope = Scope(), delay: Duration? = nil) {
        self.point = point
        self.effect = effect
        self.scope = scope
        self.delay = delay
    }
}

extension Fault.Point {
    /// True for points before any request is known.
    package var isOfConnection: Bool { self == .accept || isOfTLS }

    package var isOfTLS: Bool { [.tlsStart, .tlsClientHello, .tlsFinished].contains(self) }

    /// True for points that only chunked responses reach.
    package var isOfChunks: Bool {
        switch self {
        case .afterChunks, .insideChunk, .trailers: true
        default: false
        }
    }

    /// The point in the words of a scenario file, for the record.
    package var description: String {
        switch self {
        case .accept: "accept"
        case .tlsStart: "tlsStart"
        case .tlsClientHello: "tlsClientHello"
        case .tlsFinished: "tlsFinished"
        case .requestHead: "requestHead"
        case .requestBody(let bytes): "requestBody: \(bytes)"
        case .responseHead(after: 0): "responseHead"
        case .responseHead(let bytes): "responseHead: \(bytes)"
        case .statusLine: "statusLine"
        case .responseHeader(let name): "responseHeader: \(name)"
        case .responseBody(let bytes): "responseBody: \(bytes)"
        case .afterChunks(let count): "afterChunks: \(count)"
        case .insideChunk(let number): "insideChunk: \(number)"
        case .trailers: "trailers"
        case .idle: "idle"
        case .reusedRequest: "reusedRequest"
        }
    }
}

/// Each property names the effects that have it; a new effect has none of them by default.
extension Fault.Effect {
    /// The words of the effects in scenario files and in the record.
    package enum Word: String, CaseIterable, Hashable, Sendable {
        case close, closeWithoutNotify, reset, halfClose, stopReading, stall, pause, throttle, dribble, garbage, noise
        case tlsGarbage, tlsAlert, respond, status
        case goAway, resetStream, settings, closeWindow, openWindow, pingFlood, frame, silence

        /// True if a client may take bytes for part of the body that the origin does not count.
        package var sendsUncountedBytes: Bool { [.garbage, .noise, .tlsGarbage].contains(self) }

        /// True if the response continues, so that it is not known at the fault how much of it the client can have
        /// received.
        package var letsResponseContinue: Bool {
            [.pause, .throttle, .dribble, .stopReading, .respond, .status].contains(self)
        }
    }

    /// The effect in the words of a scenario file, for the record.
    package var recorded: Labelled<Word> {
        switch self {
        case .close: Labelled(.close)
        case .closeWithoutNotify: Labelled(.closeWithoutNotify)
        case .reset: Labelled(.reset)
        case .halfClose: Labelled(.halfClose)
        case .stopReading: Labelled(.stopReading)
        case .stall: Labelled(.stall)
        case .pause(let duration): Labelled(.pause, "\(duration)")
        case .throttle(let rate): Labelled(.throttle, "\(rate)")
        case .dribble(let bytes, let every): Labelled(.dribble, "\(bytes)B every \(every)")
        case .garbage(let text): Labelled(.garbage, "\(text.prefix(40))")
        case .noise(let count): Labelled(.noise, "\(count)")
        case .tlsGarbage(let text): Labelled(.tlsGarbage, "\(text.prefix(40))")
        case .tlsAlert(let alert): Labelled(.tlsAlert, "\(alert)")
        case .answer: Labelled(.respond)
        case .status(let status, _): Labelled(.status, "\(status)")
        case .stream(let effect): effect.recorded
        }
    }

    /// True for effects that end the current exchange of the connection.
    package var endsExchange: Bool {
        switch self {
        case .close, .closeWithoutNotify, .reset, .halfClose, .stall, .garbage, .noise, .tlsGarbage, .tlsAlert: true
        default: false
        }
    }

    /// True for effects at which a handshake does not continue immediately.
    package var pausesHandshake: Bool {
        if case .pause = self { true } else { endsExchange || self == .stopReading }
    }

    /// True for effects that only a TLS connection can have.
    package var needsTLS: Bool {
        switch self {
        case .closeWithoutNotify, .tlsGarbage: true
        default: false
        }
    }

    /// True for effects that begin a response before the request is complete.
    package var isResponse: Bool {
        switch self {
        case .answer, .status: true
        default: false
        }
    }

    /// True for effects that are recorded when they are applied; the others are recorded later, if they happen.
    package var isRecordedAtOnce: Bool { self != .reset && !isResponse }
}

extension Fault {
    /// The effect, and its delay.
    package var recordedEffect: Labelled<Effect.Word> { effect.recorded.adding(delay.map { ", \($0) after" } ?? "") }
}
