/// Turns an entry of `faults:` into point × effect × scope.
struct FaultReader {
    var findings = Findings()

    mutating func fault(_ fields: Fields, in plan: OriginPlan) -> Fault? {
        guard let point = point(fields), let effect = effect(fields) else { return nil }
        var scope = Fault.Scope()
        if let of = fields.fields("of") {
            scope = Fault.Scope(
                connection: Findings.int(of.integer("connection")), request: Findings.int(of.integer("request")),
                path: of.text("path"), first: Findings.int(of.integer("first")), every: Findings.int(of.integer("every")))
            checkPath(scope, of, point, fields, in: plan)
        }
        let isHandshake = point == .tlsClientHello
        if isHandshake, plan.tls == nil {
            findings.refuse(fields.place(of: "at"), "there is no TLS handshake without `tls: true` under `origin`")
        }
        if case .tlsAlert = effect, !isHandshake {
            findings.refuse(fields.place(of: "do"), "an alert answers a ClientHello; write `at: tlsClientHello`")
        }
        if isHandshake || point == .accept, scope.path != nil || scope.request != nil {
            findings.refuse(
                fields.place(of: "of"), "no request is known yet at this point; scope it by `connection`, `first` or `every`")
        }
        return Fault(point: point, effect: effect, scope: scope)
    }

    /// A fault that can never happen is a mistake of its author's.
    private mutating func checkPath(_ scope: Fault.Scope, _ of: Fields, _ point: Fault.Point, _ fields: Fields, in plan: OriginPlan)
    {
        guard let path = scope.path else { return }
        let routes = plan.routes.filter { $0.path == path }
        if routes.isEmpty {
            let known = plan.routes.map(\.path)
            findings.refuse(
                of.place(of: "path"), "the origin has no route `\(path.shortened)`\(Spelling.hint(for: path, among: known))")
        }
        guard case .responseBody(let offset) = point, case .resource(let resource) = routes.first?.content else { return }
        let sizes = [resource.body, resource.replacedAt?.body].compactMap(\.self).map { body in
            switch body {
            case .pattern(let size): size.bytes
            case .text(let text): Int64(text.utf8.count)
            }
        }
        if let largest = sizes.max(), offset > largest {
            findings.refuse(fields.place(of: "at"), "this never happens: `\(path)` has only \(largest) bytes, fewer than \(offset)")
        }
    }

    private func point(_ fields: Fields) -> Fault.Point? {
        if let word = fields.text("at") {
            switch word {
            case "accept": return .accept
            case "tlsClientHello": return .tlsClientHello
            case "requestHead": return .requestHead
            case "responseHead": return .responseHead(after: 0)
            case "idle": return .idle
            case "reusedRequest": return .reusedRequest
            default: return nil
            }
        }
        guard let at = fields.fields("at") else { return nil }
        if let bytes = at.byteCount("requestBody") { return .requestBody(bytes.bytes) }
        if let bytes = at.byteCount("responseHead") { return .responseHead(after: bytes.bytes) }
        return at.byteCount("responseBody").map { .responseBody($0.bytes) }
    }

    private func effect(_ fields: Fields) -> Fault.Effect? {
        if let word = fields.text("do") {
            switch word {
            case "close": return .close
            case "reset": return .reset
            case "halfClose": return .halfClose
            case "stall": return .stall
            default: return nil
            }
        }
        guard let effect = fields.fields("do") else { return nil }
        if let pause = effect.duration("pause") { return .pause(pause) }
        if let rate = effect.bitRate("throttle") { return .throttle(rate) }
        if let text = effect.text("garbage") { return .garbage(text) }
        return effect.integer("tlsAlert").map { .tlsAlert(UInt8(clamping: $0)) }
    }
}
