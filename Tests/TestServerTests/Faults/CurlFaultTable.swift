import Record
import ScenarioLanguage

/// curl's results for each fault over plain HTTP/1.1. A fault without an effect on the response must leave the response
/// whole.
///
/// 1 not HTTP (curl takes a response without a status line for HTTP/0.9), 7 no connection, 8 an impossible head, 18
/// less than announced, 28 curl's own limit, 52 an end without a byte of a response, 55 sending failed, 56 receiving
/// failed.
enum CurlFaultTable {
    static let pause = Fault.Effect.pause(.milliseconds(50))
    /// A byte of a body every 20 ms.
    static let throttle = Fault.Effect.throttle(BitRate(bitsPerSecond: 400)!)
    static let dribble = Fault.Effect.dribble(bytes: 40, every: .milliseconds(20))
    static let garbage = Fault.Effect.garbage("what is this")
    static let noise = Fault.Effect.noise(ByteCount(900)!)
    static let refusal = Fault.Effect.status(503, [])

    static let plain =
        accept + requestHead + requestBody + sending + responseHead + insideHead + responseBody + chunkBoundary
        + insideChunk + trailers
        + idle + reused

    /// curl's connect has succeeded in the kernel before the origin can accept, and a RST may reach curl in any state:
    /// while it checks its connection (7), in its send (55) or while it waits for the response (56).
    private static let accept = CurlFaultRow.at(
        .accept,
        says: [
            .close: "52 000 0", .closeWithoutNotify: "52 000 0", .halfClose: "52 000 0",
            .reset: "7 000 0 | 55 000 0 | 56 000 0", .stall: "28 000 0",
            pause: "0 200 10 > 0.05", throttle: "0 200 10 > 0.2", dribble: "0 200 10 > 0.08", garbage: "1 000 0",
            noise: "1 000 0",
            // Unread bytes do not end a connection.
            .stopReading: "28 000 0",
        ])

    private static let requestHead = CurlFaultRow.at(
        .requestHead,
        says: [
            .close: "52 000 0", .closeWithoutNotify: "52 000 0", .halfClose: "52 000 0", .reset: "56 000 0",
            .stall: "28 000 0",
            .stopReading: "0 200 10", pause: "0 200 10 > 0.05", throttle: "0 200 10 > 0.2", dribble: "0 200 10 > 0.08",
            garbage: "1 000 0", noise: "1 000 0", .answer: "0 200 10",
            refusal: "0 503 40 = The origin was set to respond with 503.\n",
        ])

    /// The whole request is sent before the origin can end it at its fifth byte, so that at each end curl is waiting
    /// for the response.
    private static let requestBody = CurlFaultRow.at(
        .requestBody(5), .http1, .post,
        says: [
            .close: "52 000 0", .closeWithoutNotify: "52 000 0", .halfClose: "52 000 0", .reset: "56 000 0",
            .stall: "28 000 0",
            .stopReading: "0 200 10", pause: "0 200 10 > 0.05", throttle: "0 200 10 > 0.3", dribble: "0 200 10 > 0.08",
            garbage: "1 000 0", noise: "1 000 0", .answer: "0 200 10",
            refusal: "0 503 40 = The origin was set to respond with 503.\n",
        ])

    /// curl sends and receives at the same time. A FIN does not stop its sending, the RST in reply to its further bytes
    /// does (55). A RST is noticed by the direction that uses the socket first. A refusal lets curl stop sending; after
    /// a 200 it continues, and ends by its limit when the origin does not read.
    private static let sending = CurlFaultRow.at(
        .requestBody(100_000), .http1, .put,
        says: [
            .close: "55 000 0", .reset: "55 000 0 | 56 000 0", .stall: "28 000 0", .stopReading: "28 200 10",
            .answer: "0 200 10",
            .status(413, []): "0 413 40 = The origin was set to respond with 413.\n", pause: "0 200 10 > 0.05",
        ])

    private static let responseHead =
        CurlFaultRow.at(
            .responseHead(after: 0),
            says: [
                .close: "52 000 0", .closeWithoutNotify: "52 000 0", .halfClose: "52 000 0", .reset: "56 000 0",
                .stall: "28 000 0",
                .stopReading: "0 200 10", pause: "0 200 10 > 0.05", throttle: "0 200 10 > 0.2",
                dribble: "0 200 10 > 0.08",
                garbage: "1 000 0", noise: "1 000 0",
            ])
        // `HTTP/1.1 200` without a line end is not yet a status line.
        + CurlFaultRow.at(
            .responseHead(after: 12),
            says: [
                .close: "52 000 0", .halfClose: "52 000 0", .reset: "56 000 0", .stall: "28 000 0",
                pause: "0 200 10 > 0.05",
            ])

    /// This curl takes an end inside the head for the end of a response without a length, if only the status line has
    /// arrived.
    private static let insideHead =
        [Fault.Point.statusLine, .responseHeader("Content-Length")].flatMap { point in
            CurlFaultRow.at(
                point,
                says: [
                    .close: "0* 200 0", .closeWithoutNotify: "0* 200 0", .halfClose: "0* 200 0", .reset: "56 200 0",
                    .stall: "28 200 0", .stopReading: "0 200 10",
                    pause: "0 200 10 > 0.05", throttle: "0 200 10 > 0.2", dribble: "0 200 10 > 0.04",
                ])
        } + CurlFaultRow.at(.responseHeader("Content-Length"), says: [.garbage("\u{0}\r\n"): "8 200 0"])

    /// Garbage in a body is part of the body to a client that cannot detect it.
    private static let responseBody =
        CurlFaultRow.at(
            .responseBody(5),
            says: [
                .close: "18 200 5", .closeWithoutNotify: "18 200 5", .halfClose: "18 200 5", .reset: "56 200 5",
                .stall: "28 200 5",
                .stopReading: "0 200 10", pause: "0 200 10 > 0.05", throttle: "0 200 10 > 0.1",
                dribble: "0 200 10 > 0.02",
                garbage: "0 200 10 = 01234what ", .garbage("??"): "18 200 7 = 01234??",
            ])
        + CurlFaultRow.at(.responseBody(0), says: [.close: "18 200 0", .reset: "56 200 0", .stall: "28 200 0"])
        // Everything has been announced and sent: later events of the connection do not affect the response.
        + CurlFaultRow.at(.responseBody(10), says: [.close: "0 200 10", .reset: "0 200 10", .stall: "0 200 10"])
        // Without a length the end of the connection is the end of the body, except for a RST.
        + CurlFaultRow.at(
            .responseBody(5), framing: .untilClose, says: [.close: "0 200 5", .reset: "56 200 5", .stall: "28 200 5"])

    private static let chunkBoundary = CurlFaultRow.at(
        .afterChunks(1), framing: .chunked,
        says: [
            .close: "18 200 4", .closeWithoutNotify: "18 200 4", .halfClose: "18 200 4", .reset: "56 200 4",
            .stall: "28 200 4", .stopReading: "0 200 10",
            pause: "0 200 10 > 0.05", throttle: "0 200 10 > 0.12", dribble: "0 200 10 > 0.02", garbage: "56 200 4",
        ])

    /// Two bytes of the garbage complete the chunk; the next ones are not a line end.
    private static let insideChunk = CurlFaultRow.at(
        .insideChunk(2), framing: .chunked,
        says: [
            .close: "18 200 6", .closeWithoutNotify: "18 200 6", .halfClose: "18 200 6", .reset: "56 200 6",
            .stall: "28 200 6", .stopReading: "0 200 10",
            pause: "0 200 10 > 0.05", throttle: "0 200 10 > 0.08", dribble: "0 200 10 > 0.02",
            garbage: "56 200 8 = 012345wh",
        ])

    /// The whole body has arrived, but not the end of its framing. A rate applies to bodies, and none of it is left.
    private static let trailers = CurlFaultRow.at(
        .trailers, framing: .chunked,
        says: [
            .close: "18 200 10", .closeWithoutNotify: "18 200 10", .halfClose: "18 200 10", .reset: "56 200 10",
            .stall: "28 200 10", .stopReading: "0 200 10",
            pause: "0 200 10 > 0.05", throttle: "0 200 10", dribble: "0 200 10 > 0.02", garbage: "18 200 10",
        ])

    /// The response is whole, and the second request finds a connection that has ended, or gets no response.
    private static let idle =
        CurlFaultRow.at(
            .idle,
            says: [
                .close: "0 200 10", .closeWithoutNotify: "0 200 10", .halfClose: "0 200 10", .reset: "0 200 10",
                .stall: "0 200 10",
                .stopReading: "0 200 10", pause: "0 200 10", throttle: "0 200 10", dribble: "0 200 10",
                garbage: "0 200 10", noise: "0 200 10",
            ])
        + CurlFaultRow.at(
            .idle, .http1, .getTwice,
            says: [
                .close: "0 200 10", .reset: "0 200 10", .halfClose: "0 200 10", .stall: "28 000 0",
                .stopReading: "28 000 0",
            ])

    /// curl repeats a request whose old connection ended before a byte of the response.
    private static let reused = CurlFaultRow.at(
        .reusedRequest, .http1, .getTwice,
        says: [
            .close: "0 200 10", .closeWithoutNotify: "0 200 10", .halfClose: "0 200 10", .reset: "0 200 10",
            .stall: "28 000 0", .stopReading: "0 200 10",
            pause: "0 200 10 > 0.05", throttle: "0 200 10 > 0.2", dribble: "0 200 10 > 0.08", garbage: "1 000 0",
            noise: "1 000 0",
            .answer: "0 200 10", refusal: "0 503 40 = The origin was set to respond with 503.\n",
        ])
}
