import Record
import ScenarioLanguage

/// curl's results for each fault around TLS and in the bytes below it. Every error before the end of the handshake is
/// 35. Afterwards an end without close_notify is, depending on the version of OpenSSL, a plain FIN to curl, which then
/// relies on the framing alone, or a failure to receive (56); `OriginTLSTests` shows with our own client that the alert
/// is missing.
extension CurlFaultTable {
    static let record = Fault.Effect.tlsGarbage("no record")

    static let secure = accepted + started + hello + finished + established

    private static let accepted = CurlFaultRow.at(
        .accept, .tls,
        says: [
            .close: "35 000 0", .halfClose: "35 000 0", .reset: "7 000 0 | 35 000 0", .stall: "28 000 0",
            garbage: "35 000 0", record: "35 000 0",
            pause: "0 200 10 > 0.05", throttle: "0 200 10 > 0.2",
        ])

    /// Before the ClientHello was read the RST may also arrive while curl checks its connection (7).
    private static let started = handshake(.tlsStart, reset: "7 000 0 | 35 000 0")
    private static let hello = handshake(.tlsClientHello, reset: "35 000 0")
    private static let finished = handshake(.tlsFinished, reset: "35 000 0")

    private static func handshake(_ point: Fault.Point, reset: String) -> [CurlFaultRow] {
        CurlFaultRow.at(
            point, .tls,
            says: [
                .close: "35 000 0", .closeWithoutNotify: "35 000 0", .halfClose: "35 000 0", .reset: reset,
                .stall: "28 000 0", .stopReading: "28 000 0",
                pause: "0 200 10 > 0.05", throttle: "0 200 10 > 0.2", dribble: "0 200 10 > 0.08", garbage: "35 000 0",
                noise: "35 000 0",
                record: "35 000 0", .tlsAlert(40): "35 000 0", .tlsAlert(80): "35 000 0",
            ])
    }

    private static let established =
        CurlFaultRow.at(
            .requestHead, .tls,
            says: [
                .close: "52 000 0", .closeWithoutNotify: "52 000 0 | 56 000 0", .halfClose: "52 000 0 | 56 000 0",
                .reset: "56 000 0", .stall: "28 000 0", garbage: "1 000 0",
                record: "56 000 0", refusal: "0 503 40 = The origin was set to respond with 503.\n",
            ])
        + CurlFaultRow.at(
            .requestBody(5), .tls, .post,
            says: [
                .close: "52 000 0", .closeWithoutNotify: "52 000 0 | 56 000 0", .reset: "56 000 0", record: "56 000 0",
            ])
        + CurlFaultRow.at(
            .responseHead(after: 0), .tls,
            says: [
                .close: "52 000 0", .closeWithoutNotify: "52 000 0 | 56 000 0", .reset: "56 000 0", garbage: "1 000 0",
                record: "56 000 0",
            ])
        + CurlFaultRow.at(
            .responseHeader("Content-Length"), .tls,
            says: [.closeWithoutNotify: "0* 200 0 | 56 200 0", .reset: "56 200 0", record: "56 200 0"])
        + CurlFaultRow.at(
            .responseBody(5), .tls,
            says: [
                .close: "18 200 5", .closeWithoutNotify: "18 200 5 | 56 200 5", .halfClose: "18 200 5 | 56 200 5",
                .reset: "56 200 5", .stall: "28 200 5",
                garbage: "0 200 10 = 01234what ", record: "56 200 5", throttle: "0 200 10 > 0.1",
                dribble: "0 200 10 > 0.02",
            ])
        + CurlFaultRow.at(
            .responseBody(5), .tls, framing: .untilClose,
            says: [.close: "0 200 5", .closeWithoutNotify: "0 200 5 | 56 200 5", record: "56 200 5"])
        + CurlFaultRow.at(
            .insideChunk(2), .tls, framing: .chunked,
            says: [.close: "18 200 6", .closeWithoutNotify: "18 200 6 | 56 200 6", record: "56 200 6"])
        + CurlFaultRow.at(
            .afterChunks(1), .tls, framing: .chunked,
            says: [.close: "18 200 4", .closeWithoutNotify: "18 200 4 | 56 200 4", record: "56 200 4"])
        + CurlFaultRow.at(
            .trailers, .tls, framing: .chunked,
            says: [.close: "18 200 10", .closeWithoutNotify: "18 200 10 | 56 200 10", record: "56 200 10"])
        + CurlFaultRow.at(
            .idle, .tls,
            says: [.close: "0 200 10", .closeWithoutNotify: "0 200 10", .reset: "0 200 10", record: "0 200 10"])
}
