import AdapterProtocol

/// Converts an entry of `faults:` into point × effect × scope.
struct FaultReader {
    var findings = Findings()

    /// The limit of `noise`, which is held in memory at once.
    private static let mostNoise: Int64 = 1 << 20

    mutating func fault(_ fields: Fields, in plan: OriginPlan) -> Fault? {
        guard let point = point(fields), let effect = effect(fields) else { return nil }
        var scope = Fault.Scope()
        if let of = fields.fields("for") {
            scope = Fault.Scope(
                connection: Findings.int(of.integer("connection")), request: Findings.int(of.integer("request")),
                path: of.text("path"), first: Findings.int(of.integer("first")),
                every: Findings.int(of.integer("every")),
                exchange: Findings.int(of.integer("exchange")), stream: Findings.int(of.integer("stream")))
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
            findings.refuse(fields.place(of: "at"), "there is no TLS handshake without `tls: true` under `origin`")
        }
        if point.isOfConnection, scope.path != nil || scope.request != nil || scope.exchange != nil {
            findings.refuse(
                fields.place(of: "for"),
                "no request is known yet at this point; scope it by `connection`, `first` or `every`")
        }
        if case .responseHeader(let name) = point, !HTTPHeadSyntax.isToken(name) {
            findings.refuse(fields.place(of: "at"), "`\(name.shortened)` is no header name (RFC 9110 §5.6.2)")
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
                fields.place(of: "for"), "this never happens: the first request of a connection finds it new")
        }
    }

    private mutating func checkEffect(
        _ effect: Fault.Effect, _ point: Fault.Point, _ fields: Fields, in plan: OriginPlan
    ) {
        switch effect {
        case .tlsAlert:
            if !point.isOfTLS {
                findings.refuse(
                    fields.place(of: "do"),
                    "an alert of one's choice belongs to the handshake; write `at: tlsStart`, `at: tlsClientHello` or `at: tlsFinished`"
                )
            } else if fields.has("after") {
                findings.refuse(
                    fields.place(of: "after"), "an alert comes where the handshake stands, not later; leave `after` out"
                )
            }
        case .tlsGarbage, .closeWithoutNotify:
            if plan.tls == nil {
                findings.refuse(fields.place(of: "do"), "there is no TLS without `tls: true` under `origin`")
            }
        case .answer, .status:
            checkResponse(effect, point, fields)
        case .noise(let count):
            if count.bytes > FaultReader.mostNoise || count == .zero {
                findings.refuse(fields.place(of: "do"), "noise has 1B to 1MiB, not \(count)")
            }
        case .dribble(_, let every):
            if every == .zero {
                findings.refuse(fields.place(of: "do"), "pieces need time between them; `every` is greater than zero")
            }
        case .stream(let effect):
            findings.add(StreamFaultReader.check(effect, point, fields, in: plan))
        case .close, .reset, .halfClose, .stopReading, .stall, .pause, .throttle, .garbage:
            break
        }
        if fields.fields("do")?.has("headers") == true, fields.fields("do")?.has("status") == false {
            findings.refuse(
                fields.fields("do")?.place(of: "headers") ?? fields.place, "only an answer with `status` has headers")
        }
    }

    private mutating func checkResponse(_ effect: Fault.Effect, _ point: Fault.Point, _ fields: Fields) {
        switch point {
        case .requestBody: break
        case .requestHead, .reusedRequest:
            if fields.has("after") {
                findings.refuse(
                    fields.place(of: "after"),
                    "the route's own answer would come first; write `delay` on the route or leave `after` out")
            }
        case .accept, .tlsStart, .tlsClientHello, .tlsFinished, .responseHead, .statusLine, .responseHeader,
            .responseBody,
            .afterChunks, .insideChunk, .trailers, .idle:
            findings.refuse(
                fields.place(of: "at"),
                "an answer can only begin before the route's own; write `at: requestHead` or `at: { requestBody: N }`")
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
                "the origin has no route `\(path.shortened)`\(Spelling.hint(for: path, among: known))")
        }
        guard case .resource(let resource) = routes.first?.content, let chunk = routes.first?.wire.chunkSize.bytes
        else { return }
        let sizes = [resource.body, resource.replacedAt?.body].compactMap(\.self).map { body in
            switch body {
            case .pattern(let size): size.bytes
            case .text(let text): Int64(text.utf8.count)
            }
        }
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
        case .accept, .tlsStart, .tlsClientHello, .tlsFinished, .requestHead, .requestBody, .responseHead, .statusLine,
            .responseHeader, .responseBody, .afterChunks, .insideChunk, .trailers, .idle, .reusedRequest:
            break
        }
    }

    // MARK: - Words

    private func point(_ fields: Fields) -> Fault.Point? {
        if let word = fields.text("at") { return FaultShape.definitions.first { $0.word == word }?.point }
        guard let at = fields.fields("at") else { return nil }
        if let bytes = at.byteCount("requestBody") { return .requestBody(bytes.bytes) }
        if let bytes = at.byteCount("responseHead") { return .responseHead(after: bytes.bytes) }
        if let name = at.text("responseHeader") { return .responseHeader(name) }
        if let count = Findings.int(at.integer("afterChunks")) { return .afterChunks(count) }
        if let number = Findings.int(at.integer("insideChunk")) { return .insideChunk(number) }
        return at.byteCount("responseBody").map { .responseBody($0.bytes) }
    }

    private mutating func effect(_ fields: Fields) -> Fault.Effect? {
        if let word = fields.text("do") { return FaultShape.effects.first { $0.word == word }?.effect }
        guard let effect = fields.fields("do") else { return nil }
        if let pause = effect.duration("pause") { return .pause(pause) }
        if let rate = effect.bitRate("throttle") { return .throttle(rate) }
        if let dribble = effect.fields("dribble") {
            guard let bytes = Findings.int(dribble.integer("bytes")), let every = dribble.duration("every") else {
                return nil
            }
            return .dribble(bytes: bytes, every: every)
        }
        if let text = effect.text("garbage") { return .garbage(text) }
        if let count = effect.byteCount("noise") { return .noise(count) }
        if let stream = StreamFaultReader.effect(effect, &findings) { return .stream(stream) }
        if let text = effect.text("tlsGarbage") { return .tlsGarbage(text) }
        if let status = Findings.int(effect.integer("status")) {
            return .status(status, findings.headers("headers", of: effect))
        }
        return effect.integer("tlsAlert").map { .tlsAlert(UInt8(clamping: $0)) }
    }
}

extension Route {
    fileprivate var isChunked: Bool {
        if case .resource(let resource) = content { resource.framing == .chunked } else { false }
    }
}
