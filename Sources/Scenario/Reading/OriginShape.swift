import AdapterProtocol

enum OriginShape {
    static let origin = Shape.open(
        [
            Field("tls", .either([.boolean, tls]), "Also listen with TLS; script paths then become https URLs."),
            Field("idleTimeout", .duration, "A kept-alive connection is closed after this much idleness; default never."),
            Field("faults", .list(fault), "Where the server misbehaves."),
        ], key: "a path such as /big or //host/big", pattern: KeyPattern.path, route)

    static let tls = Shape.object([
        Field("certificate", .word(TLSPlan.Certificate.allCases.map(\.rawValue)), "Default valid."),
        Field("minimum", .word(TLSVersion.allCases.map(\.rawValue)), "Lowest version offered; default 1.2."),
        Field("maximum", .word(TLSVersion.allCases.map(\.rawValue)), "Highest version offered; default 1.3."),
    ])

    static let route = Shape.object([
        Field("size", .byteCount, "A body of this many position-dependent bytes."),
        Field("text", .text, "A body of this text."),
        Field("redirect", .text, "Answer with a redirect to this path or URL."),
        Field("echo", .boolean, "Answer with the request as received."),
        Field("status", .integer(200...599), "Default 200; of a redirect 302."),
        Field("type", .text, "Content-Type; default application/octet-stream, text/plain for a text."),
        Field("headers", HeaderShape.headers, "Further response headers."),
        Field("etag", .text, "As on the wire, quotes included: '\"v1\"'."),
        Field("lastModified", .text, "An HTTP date as on the wire."),
        Field("ranges", .boolean, "Whether ranges are served; default true."),
        Field("framing", .word(Resource.Framing.allCases.map(\.rawValue)), "Default contentLength."),
        Field("delay", .duration, "Time between the complete request and the response head."),
        Field(
            "then",
            .object([
                Field("fromRequest", .integer(2...1_000_000), required: true, "From this request of the path on, counted from 1."),
                Field("etag", .text, "The new entity tag."),
                Field("lastModified", .text, "The new date."),
                Field("size", .byteCount, "The new size; default as before, with other bytes."),
                Field("text", .text, "The new text."),
            ]), "Another version takes this one's place."),
        Field("basic", .object(credentials), "Asks for Basic authentication."),
        Field(
            "digest",
            .object(
                credentials + [
                    Field("algorithm", .word(AuthenticationPlan.DigestAlgorithm.allCases.map(\.rawValue)), "Default SHA-256."),
                    Field("nonceUses", .integer(1...1_000_000), "A nonce becomes stale after this many requests; default never."),
                ]), "Asks for Digest authentication."),
    ])

    private static let credentials = [
        Field("user", .text, required: true, "The right user."),
        Field("password", .text, required: true, "The right password."),
        Field("realm", .text, "Default lab."),
    ]

    static let fault = Shape.object([
        Field(
            "at",
            .either([
                .word(["accept", "tlsClientHello", "requestHead", "responseHead", "idle", "reusedRequest"]),
                .choice(
                    [
                        Field("requestBody", .byteCount, "This many request body bytes were received."),
                        Field("responseHead", .byteCount, "After this many bytes of the response head."),
                        Field("responseBody", .byteCount, "Exactly this many bytes of the response body went to the kernel."),
                    ], beside: []),
            ]), required: true, "The point."),
        Field(
            "of",
            .object([
                Field("connection", .integer(1...1_000_000), "The k-th connection."),
                Field("request", .integer(1...1_000_000), "The k-th request (of `path`, when given too)."),
                Field("path", .text, "Requests of this path."),
                Field("first", .integer(1...1_000_000), "Only the first n matches."),
                Field("every", .integer(1...1_000_000), "Every n-th match."),
            ]), "All given parts must hold; default: always."),
        Field(
            "do",
            .either([
                .word(["close", "reset", "halfClose", "stall"]),
                .choice(
                    [
                        Field("pause", .duration, "Nothing is said for this long, then it goes on."),
                        Field("throttle", .bitRate, "The rest goes out this slowly."),
                        Field("garbage", .text, "These bytes instead of what belongs there, then close."),
                        Field("tlsAlert", .integer(0...255), "A fatal alert of this number."),
                    ], beside: []),
            ]), required: true, "The effect."),
    ])
}
