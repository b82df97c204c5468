import AdapterProtocol

/// Converts an entry of `faults:` into point × effect × scope.
struct FaultReader {
    static let shape = Shape.object([
        Field("at", points.shape, required: true, "The point. \(points.meanings)."),
        Field("for", .object(scope.fields()), "All given parts must hold; default: always."),
        Field("do", effects.shape, required: true, "The effect. \(effects.meanings)."),
        Field("after", .duration, "The effect comes this long after the point; default at once."),
    ])

    static let points = Alternatives<Fault.Point>(
        words: [
            .init("accept", .accept, "the connection is open"),
            .init("tlsStart", .tlsStart, "TLS begins, before the ClientHello is read"),
            .init("tlsClientHello", .tlsClientHello, "the ClientHello is complete, before the reply"),
            .init("tlsFinished", .tlsFinished, "the server's handshake messages are sent except Finished"),
            .init("requestHead", .requestHead, "the request's head is complete"),
            .init("responseHead", .responseHead(after: 0), "instead of the response head"),
            .init("statusLine", .statusLine, "after the status line"),
            .init("trailers", .trailers, "after the line of the last chunk, before trailers and end"),
            .init("idle", .idle, "the exchange is complete and the connection is idle"),
            .init("reusedRequest", .reusedRequest, "a request arrives on a reused connection"),
        ],
        keys: [
            .init("requestBody", .byteCount, "This many request body bytes were received.") { value, _ in
                value.byteCount.map { .requestBody($0.bytes) }
            },
            .init("responseHead", .byteCount, "After this many bytes of the response head.") { value, _ in
                value.byteCount.map { .responseHead(after: $0.bytes) }
            },
            .init(
                "responseHeader", .text, "In the middle of this header: its name and half its value are sent."
            ) { value, _ in value.text.map { .responseHeader($0) } },
            .init(
                "responseBody", .byteCount,
                "The server's kernel has taken exactly this many bytes of the response body; the client gets them before the effect."
            ) { value, _ in value.byteCount.map { .responseBody($0.bytes) } },
            .init("afterChunks", .integer(0...1_000_000), "After this many complete chunks.") { value, _ in
                value.int.map { .afterChunks($0) }
            },
            .init("insideChunk", .integer(1...1_000_000), "In the middle of the data of the k-th chunk.") { value, _ in
                value.int.map { .insideChunk($0) }
            },
        ])

    private static let scope: [Key<Fault.Scope>] = [
        Key("connection", \.connection, "The k-th connection."),
        Key("request", \.request, "The k-th request (for `path`, if given)."),
        Key("exchange", \.exchange, "The k-th request on its connection; from 2 on the connection is reused."),
        Key("path", \.path, "Requests for this path."),
        Key("stream", \.stream, as: .integer(1...0x7FFF_FFFF), "HTTP/2: the stream of this number."),
        Key("first", \.first, "Only the first n matches, then normal."),
        Key("every", \.every, "Every n-th match."),
    ]

    static let effects = Alternatives<Fault.Effect>(
        words: [
            .init("close", .close, "FIN, in TLS after close_notify"),
            .init("closeWithoutNotify", .closeWithoutNotify, "FIN without close_notify"),
            .init("reset", .reset, "RST"),
            .init("halfClose", .halfClose, "FIN, but the server continues to read"),
            .init("stopReading", .stopReading, "the server stops reading and responds at once"),
            .init("stall", .stall, "silence on an open connection"),
            .init("respond", .answer, "the response comes before the request is complete"),
        ] + StreamFaultReader.words,
        keys: [
            .init("pause", .duration, "Silence for this long, then the exchange continues.") { value, _ in
                value.duration.map { .pause($0) }
            },
            .init("throttle", .bitRate, "Bodies continue at this rate.") { value, _ in
                value.bitRate.map { .throttle($0) }
            },
            .init(
                "dribble",
                .object([
                    Field("bytes", .integer(1...65_536), required: true, "The size of a piece."),
                    Field("every", .duration, required: true, "The time before each piece."),
                ]), "The rest is sent in small pieces, including heads."
            ) { value, _ in
                guard let bytes = value.fields?.int("bytes"),
                    let every = value.fields?.duration("every")
                else { return nil }
                return .dribble(bytes: bytes, every: every)
            },
            .init("garbage", .text, "These bytes instead of the correct ones, then close.") { value, _ in
                value.text.map { .garbage($0) }
            },
            .init("noise", .byteCount, "This many random bytes, then close.") { value, _ in
                value.byteCount.map { .noise($0) }
            },
            .init("tlsGarbage", .text, "These bytes in place of a TLS record, then close.") { value, _ in
                value.text.map { .tlsGarbage($0) }
            },
            .init("tlsAlert", .integer(0...255), "A fatal alert of this number.") { value, _ in
                value.integer.map { .tlsAlert(UInt8(clamping: $0)) }
            },
            .init("status", .integer(200...599), "A response with this status instead of the route's, at once.") {
                value, _ in value.int.map { .status($0, []) }
            },
        ] + StreamFaultReader.keys,
        beside: [Field("headers", .headers, "Headers of the response with `status`.")])

    var findings = Findings()

    /// The limit of `noise`, which is held in memory at once.
    private static let mostNoise: Int64 = 1 << 20

    mutating func fault(_ fields: Fields, in plan: OriginPlan) -> Fault? {
        guard let point = Self.points.read("at", of: fields, &findings),
            var effect = Self.effects.read("do", of: fields, &findings)
        else { return nil }
        if case .status(let status, _) = effect, let given = fields.fields("do") {
            effect = .status(status, findings.headers("headers", of: given))
        }
        var scope = Fault.Scope()
        if let of = fields.fields("for") {
            Self.scope.read(of, into: &scope, &findings)
            checkPath(scope, of, point, fields, in: plan)
        }
        checkPoint(point, scope, fields, in: plan)
        checkEffect(effect, point, fields, in: plan)
        return Fault(point: point, effect: effect, scope: scope, delay: fields.duration("after"))
    }

    // MARK: - Impossible faults

    private mutating func checkPoint(_ point: Fault.Point, _ scope: Fault.Scope, _ fields: Fields, in plan: OriginPlan)
    {
        if point.isOfTLS, plan.tls == nil {
            findings.refuse(
                fields.place(of: "at"), "this point needs a TLS handshake; write `tls: true` under `origin`")
        }
        if point.isOfConnection, scope.path != nil || scope.request != nil || scope.exchange != nil {
            findings.refuse(
                fields.place(of: "for"),
                "the request is not known yet at this point; limit it by `connection`, `first` or `every`")
        }
        if case .responseHeader(let name) = point, !HTTPHeadSyntax.isToken(name) {
            findings.refuse(fields.place(of: "at"), "`\(name.shortened)` is not a header name (RFC 9110 §5.6.2)")
        }
        let routes = plan.routes.filter { scope.path == nil || $0.path == scope.path }
        let hasTrailersElsewhere =
            point == .trailers && plan.protocols.contains(.http2) && routes.contains { !$0.wire.trailers.isEmpty }
        if point.isOfChunks, !hasTrailersElsewhere, !routes.isEmpty, !routes.contains(where: \.isChunked) {
            findings.refuse(
                fields.place(of: "at"),
                "this never happens: \(scope.path.map { "`\($0)` is" } ?? "no route is") sent in chunks; write `framing: chunked`"
            )
        }
        if point == .reusedRequest, scope.exchange == 1 {
            findings.refuse(
                fields.place(of: "for"), "this never happens: the first request of a connection is not on a reused one")
        }
    }

    private mutating func checkEffect(
        _ effect: Fault.Effect, _ point: Fault.Point, _ fields: Fields, in plan: OriginPlan
    ) {
        if case .tlsAlert = effect, !point.isOfTLS {
            findings.refuse(
                fields.place(of: "do"),
                "a chosen alert is possible during the handshake only; write `at: tlsStart`, `at: tlsClientHello` or `at: tlsFinished`"
            )
        } else if case .tlsAlert = effect, fields.has("after") {
            findings.refuse(
                fields.place(of: "after"), "an alert cannot be delayed; leave `after` out")
        }
        if effect.needsTLS, plan.tls == nil {
            findings.refuse(fields.place(of: "do"), "this effect needs TLS; write `tls: true` under `origin`")
        }
        if effect.isResponse { checkResponse(point, fields) }
        if case .noise(let count) = effect, count.bytes > FaultReader.mostNoise || count == .zero {
            findings.refuse(fields.place(of: "do"), "noise has from 1B to 1MiB, not \(count)")
        }
        if case .dribble(_, let every) = effect, every == .zero {
            findings.refuse(fields.place(of: "do"), "pieces need time between them; make `every` greater than zero")
        }
        if case .stream(let effect) = effect {
            findings.add(StreamFaultReader.check(effect, point, fields, in: plan))
        }
        if fields.fields("do")?.has("headers") == true, fields.fields("do")?.has("status") == false {
            findings.refuse(
                fields.fields("do")?.place(of: "headers") ?? fields.place, "only a response with `status` has headers")
        }
    }

    private mutating func checkResponse(_ point: Fault.Point, _ fields: Fields) {
        if case .requestBody = point { return }
        guard point == .requestHead || point == .reusedRequest else {
            findings.refuse(
                fields.place(of: "at"),
                "this response must begin before the route's own; write `at: requestHead` or `at: { requestBody: N }`")
            return
        }
        if fields.has("after") {
            findings.refuse(
                fields.place(of: "after"),
                "the route's own response would come first; write `delay` on the route or leave `after` out")
        }
    }

    /// Refuses a fault that can never happen, which is a mistake in the scenario.
    private mutating func checkPath(
        _ scope: Fault.Scope, _ of: Fields, _ point: Fault.Point, _ fields: Fields, in plan: OriginPlan
    ) {
        guard let path = scope.path else { return }
        let routes = plan.routes.filter { $0.path == path }
        if routes.isEmpty {
            let known = plan.routes.map(\.path)
            findings.refuse(
                of.place(of: "path"),
                "the origin does not have a route `\(path.shortened)`\(Spelling.hint(for: path, among: known))")
        }
        guard case .resource(let resource) = routes.first?.content, let chunk = routes.first?.wire.chunkSize.bytes
        else { return }
        let sizes = [resource.body, resource.replacedAt?.body].compactMap(\.?.length)
        guard let largest = sizes.max() else { return }
        let chunks = (largest + chunk - 1) / chunk
        switch point {
        case .responseBody(let offset) where offset > largest:
            findings.refuse(
                fields.place(of: "at"), "this never happens: `\(path)` has only \(largest) bytes, fewer than \(offset)")
        case .afterChunks(let count) where count > chunks, .insideChunk(let count) where count > chunks:
            findings.refuse(
                fields.place(of: "at"),
                "this never happens: `\(path)` has only \(chunks) chunks of \(chunk) bytes, fewer than \(count)")
        default: break
        }
    }
}

extension Route {
    fileprivate var isChunked: Bool {
        if case .resource(let resource) = content { resource.framing == .chunked } else { false }
    }
}
