enum FaultShape {
    static let fault = Shape.object([
        Field(
            "at",
            .either([
                .word(definitions.map(\.word)),
                .choice(
                    [
                        Field("requestBody", .byteCount, "This many request body bytes were received."),
                        Field("responseHead", .byteCount, "After this many bytes of the response head."),
                        Field(
                            "responseHeader", .text,
                            "In the middle of this header: its name and half its value are out."),
                        Field(
                            "responseBody", .byteCount,
                            "Exactly this many bytes of the response body went to the kernel."),
                        Field("afterChunks", .integer(0...1_000_000), "After this many complete chunks."),
                        Field("insideChunk", .integer(1...1_000_000), "In the middle of the data of the k-th chunk."),
                    ], beside: []),
            ]), required: true,
            "The point. \(definitions.map { "\($0.word): \($0.meaning)" }.joined(separator: "; "))."),
        Field(
            "for",
            .object([
                Field("connection", .integer(1...1_000_000), "The k-th connection."),
                Field("request", .integer(1...1_000_000), "The k-th request (of `path`, when given too)."),
                Field(
                    "exchange", .integer(1...1_000_000),
                    "The k-th request on its connection; from 2 on the connection is reused."),
                Field("path", .text, "Requests of this path."),
                Field("stream", .integer(1...0x7FFF_FFFF), "HTTP/2: the stream of this number."),
                Field("first", .integer(1...1_000_000), "Only the first n matches, then normal."),
                Field("every", .integer(1...1_000_000), "Every n-th match."),
            ]), "All given parts must hold; default: always."),
        Field(
            "do",
            .either([
                .word(effects.map(\.word)),
                .choice(
                    [
                        Field("pause", .duration, "Nothing is said for this long, then it goes on."),
                        Field("throttle", .bitRate, "Bodies go on this slowly."),
                        Field(
                            "dribble",
                            .object([
                                Field("bytes", .integer(1...65_536), required: true, "The size of a piece."),
                                Field("every", .duration, required: true, "The time before each piece."),
                            ]), "Everything goes on in small pieces, heads too."),
                        Field("garbage", .text, "These bytes instead of what belongs there, then close."),
                        Field("noise", .byteCount, "This many bytes without meaning, then close."),
                        Field("tlsGarbage", .text, "These bytes beneath TLS, where a record belongs, then close."),
                        Field("tlsAlert", .integer(0...255), "A fatal alert of this number."),
                        Field(
                            "status", .integer(200...599),
                            "An answer with this status in place of the route's, at once."),
                    ] + StreamFaultShape.choices,
                    beside: [Field("headers", .headers, "Headers of the answer with `status`.")]),
            ]), required: true,
            "The effect. \(effects.map { "\($0.word): \($0.meaning)" }.joined(separator: "; "))."),
        Field("after", .duration, "The effect comes this long after the point; default at once."),
    ])

    static let definitions: [(word: String, point: Fault.Point, meaning: String)] = [
        ("accept", .accept, "the connection is open"),
        ("tlsStart", .tlsStart, "TLS begins, nothing of the ClientHello was read"),
        ("tlsClientHello", .tlsClientHello, "the ClientHello is complete and not answered"),
        ("tlsFinished", .tlsFinished, "the handshake's answer is out but for its Finished"),
        ("requestHead", .requestHead, "the request's head is complete"),
        ("responseHead", .responseHead(after: 0), "in place of the response head"),
        ("statusLine", .statusLine, "after the status line"),
        ("trailers", .trailers, "after the last chunk's line, before trailers and end"),
        ("idle", .idle, "the exchange is finished and the connection idles"),
        ("reusedRequest", .reusedRequest, "a request arrives on a connection that served one before"),
    ]

    static let effects: [(word: String, effect: Fault.Effect, meaning: String)] =
        [
            ("close", .close, "FIN, in TLS after close_notify"),
            ("closeWithoutNotify", .closeWithoutNotify, "FIN without close_notify"),
            ("reset", .reset, "RST"),
            ("halfClose", .halfClose, "FIN, but what comes is still read"),
            ("stopReading", .stopReading, "nothing more is read, the answer comes at once"),
            ("stall", .stall, "silence on an open connection"),
            ("respond", .answer, "the response comes before the request is complete"),
        ] + StreamFaultShape.definitions
}
