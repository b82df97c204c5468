import Record
import ScenarioLanguage

/// curl's results for each fault on a stream and on its connection. 92: the stream ended with an error; 16, 18 and 52:
/// the connection ended before the stream did (which of them depends on curl, marked by an asterisk); 55 and 56: a RST
/// arrived while curl sent, including acknowledgements, or received.
extension CurlFaultTable {
    static let http2 = streams + connections + beforeAnswer + bodies + uploads

    private static func resetting(_ code: UInt32) -> Fault.Effect {
        .stream(.resetStream(HTTP2ErrorCode(rawValue: code)))
    }
    private static func setting(_ name: HTTP2Setting.Name, _ value: UInt32) -> Fault.Effect {
        .stream(.settings([HTTP2Setting(name, value)]))
    }
    private static let zeroIncrement = Fault.Effect.stream(.frame(RawFrame(type: 8, stream: 0, payload: [0, 0, 0, 0])))

    /// curl tries a stream that is refused every time six times and then gives up; the count is asserted below. Once a
    /// part of the response has arrived, nothing is tried again; and curl discards the bytes that it reads together
    /// with the end.
    private static let streams =
        CurlFaultRow.at(
            .requestHead, .http2,
            says: [
                resetting(2): "92 000 0", resetting(7): "56* 000 0", resetting(0): "92 000 0",
                .stream(.goAway(.noError, last: .this)): "0 200 10",
                .stream(.goAway(.noError, last: .before)): "16* 000 0",
                .stream(.goAway(.noError, last: .number(0x7FFF_FFFF))): "0 200 10",
            ])
        + CurlFaultRow.at(
            .responseBody(5), .http2,
            says: [
                resetting(2): "92 200 5 | 92 000 0", resetting(7): "56* 200 5 | 56* 000 0",
                resetting(0): "18 200 5 | 52* 000 0",
                .stream(.goAway(.noError, last: .this)): "0 200 10",
                .stream(.goAway(.noError, last: .before)): "16* 000 0 | 16* 200 0 | 16* 200 5",
            ])

    private static let connections =
        CurlFaultRow.at(
            .requestHead, .http2,
            says: [
                .stream(.pingFlood(10)): "0 200 10", .stream(.silence): "28 000 0",
                setting(.maxConcurrentStreams, 0): "0 200 10",
                setting(.initialWindowSize, 0): "0 200 10", setting(.enablePush, 2): "52* 000 0",
                setting(.initialWindowSize, 1 << 31): "52* 000 0",
                zeroIncrement: "52* 000 0", refusal: "0 503 40 = The origin was set to respond with 503.\n",
                .answer: "0 200 10",
                .stopReading: "0 200 10",
                // More acknowledgements than curl's library is prepared to queue (RFC 9113 §10.5).
                .stream(.pingFlood(5_000)): "56* 000 0",
            ])
        + CurlFaultRow.at(
            .responseBody(5), .http2,
            says: [
                .stream(.pingFlood(10)): "0 200 10", .stream(.silence): "28 200 5",
                setting(.maxFrameSize, 1 << 20): "0 200 10",
                // A frame of an unknown type is ignored (RFC 9113 §4.1).
                .stream(.frame(RawFrame(type: 0xEE, payload: [1, 2, 3]))): "0 200 10",
            ])

    private static let beforeAnswer = [Fault.Point.requestHead, .responseHead(after: 0)].flatMap { point in
        CurlFaultRow.at(
            point, .http2,
            says: [
                .close: "18* 000 0", .halfClose: "18* 000 0", .reset: "55 000 0 | 56 000 0", .stall: "28 000 0",
                pause: "0 200 10 > 0.05",
                throttle: "0 200 10 > 0.2", dribble: "0 200 10 > 0.02", garbage: "52* 000 0",
            ])
    }

    private static let bodies =
        CurlFaultRow.at(
            .responseBody(5), .http2,
            says: [
                .close: "18 200 5", .halfClose: "18 200 5", .reset: "55 200 5 | 56 200 5 | 55 000 0 | 56 000 0",
                .stall: "28 200 5", pause: "0 200 10 > 0.05",
                throttle: "0 200 10 > 0.1", dribble: "0 200 10 > 0.02",
            ])
        + CurlFaultRow.at(
            .responseBody(5), .http2TLS,
            says: [
                .close: "18 200 5", .closeWithoutNotify: "18 200 5 | 56 200 5",
                .reset: "55 200 5 | 56 200 5 | 55 000 0 | 56 000 0", record: "56 200 5",
                resetting(2): "92 200 5 | 92 000 0",
            ])
        // The response has arrived, but curl may send an acknowledgement before it reads it, and get the RST.
        + CurlFaultRow.at(
            .idle, .http2,
            says: [
                .close: "0 200 10", .reset: "0 200 10 | 55 000 0 | 55 200 10",
                .stream(.goAway(.noError, last: .this)): "0 200 10",
            ])
        // Without TLS this curl does not use its connection again. The end of the connection comes before curl's second
        // request or after it.
        + CurlFaultRow.at(
            .idle, .http2TLS, .getTwice,
            says: [
                .stream(.goAway(.noError, last: .this)): "0 200 10 | 16* 000 0", .close: "0 200 10 | 18* 000 0",
                .stall: "28 000 0",
            ])
        + CurlFaultRow.at(
            .reusedRequest, .http2TLS, .getTwice,
            says: [
                resetting(2): "92 000 0", refusal: "0 503 40 = The origin was set to respond with 503.\n",
                pause: "0 200 10 > 0.05",
            ])

    /// A window that stays closed blocks 64 MiB; ten bytes do not need a grant.
    private static let uploads =
        CurlFaultRow.at(
            .requestBody(100_000), .http2, .put,
            says: [
                .stream(.closeWindow): "28 000 0",
                .status(413, []): "0 413 40 = The origin was set to respond with 413.\n", resetting(2): "92 000 0",
                .reset: "55 000 0 | 56 000 0", .stall: "28 000 0",
            ])
        + CurlFaultRow.at(
            .requestBody(5), .http2, .post,
            says: [
                .stream(.closeWindow): "0 200 10", refusal: "0 503 40 = The origin was set to respond with 503.\n",
                resetting(2): "92 000 0",
                .answer: "0 200 10",
            ])
}
