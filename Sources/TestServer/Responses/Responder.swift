import AdapterProtocol
import HTTPFields
import NIOCore
import OpenSSLTLS
import ScenarioLanguage

/// Decides every response of the origin from its plan; its only state is the nonces and its start time.
struct Responder {
    private let routes: [Route]
    private let encodings: EncodedBodies
    private var authenticator: Authenticator
    /// The time of the first response.
    private var start: HTTPDate?

    init(plan: OriginPlan, seed: UInt64) {
        routes = plan.routes
        encodings = EncodedBodies(plan.routes)
        authenticator = Authenticator(seed: seed)
    }

    /// Returns the route of a request: one for its host before one for all hosts.
    func route(for head: RequestHead) -> Route? {
        let candidates = routes.filter { $0.path == head.path }
        return candidates.first { $0.host != nil && $0.host?.lowercased() == head.host }
            ?? candidates.first { $0.host == nil }
    }

    /// - Parameters:
    ///   - pathRequest: The number of the request among those of its path, from 1.
    ///   - connection: nil when exchanges share it (HTTP/2).
    mutating func response(
        to head: RequestHead, pathRequest: Int, connection: Int? = nil, body: BodyInspection, date: HTTPDate
    ) -> ResponsePlan {
        var plan = responseWithoutCookies(
            to: head, pathRequest: pathRequest, connection: connection, body: body, date: date)
        plan.headers += route(for: head)?.cookies.map { HeaderField("Set-Cookie", $0.text(date)) } ?? []
        return plan
    }

    private mutating func responseWithoutCookies(
        to head: RequestHead, pathRequest: Int, connection: Int?, body: BodyInspection, date: HTTPDate
    ) -> ResponsePlan {
        if start == nil { start = date }
        let writer = ResponseWriter(head: head, date: date)
        guard let route = route(for: head) else {
            let known = routes.map { ($0.host.map { "//\($0)" } ?? "") + $0.path }.joined(separator: ", ")
            return writer.text(
                404, "The origin does not have a route for \(head.path). Its routes: \(known.isEmpty ? "none" : known)."
            )
        }
        guard let credentials = route.authentication else {
            return content(of: route, to: head, pathRequest, body, writer)
        }
        switch authenticator.verify(
            head, credentials, pathRequest: pathRequest, connection: connection, bodyDigest: body.digest?.value)
        {
        case .accepted(let fields):
            var plan = content(of: route, to: head, pathRequest, body, writer)
            plan.headers += fields
            return plan
        case .refused(let status, let fields, let reason):
            return writer.text(status, reason, fields)
        }
    }

    private func content(
        of route: Route, to head: RequestHead, _ pathRequest: Int, _ body: BodyInspection, _ writer: ResponseWriter
    ) -> ResponsePlan {
        let variant = route.variants.first { $0.condition.matches(for: head, number: pathRequest) }
        switch variant?.content ?? route.content {
        case .echo:
            guard body.isKept else {
                return writer.text(413, "An echo contains at most \(BodyInspection.longestEcho) body bytes.")
            }
            return writer.plan(
                200, [HeaderField("Content-Type", "text/plain; charset=utf-8")],
                body: .bytes(Responder.echo(head) + body.kept))
        case .redirect(let redirect):
            return redirect.response(to: head, writer)
        case .resource(let resource):
            let selected = SelectedRepresentation(
                of: resource, for: head, number: pathRequest, start: start ?? writer.date, encodings)
            return ResourceResponse(resource: resource, head: head, selected: selected, writer: writer).plan
        }
    }

    private static func echo(_ head: RequestHead) -> [UInt8] {
        let lines = ["\(head.method) \(head.target)"] + head.headers.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}

extension ResponsePlan.Body {
    func part(_ range: Range<Int64>) -> ResponsePlan.Body {
        switch self {
        case .bytes(let bytes): .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
        case .pattern(let key, let from, count: _):
            .pattern(key: key, from: from + range.lowerBound, count: range.upperBound - range.lowerBound)
        }
    }

    /// All bytes; only for a body that fits into memory.
    var allBytes: [UInt8] {
        switch self {
        case .bytes(let bytes): return bytes
        case .pattern(let key, let from, let count):
            var buffer = ByteBuffer()
            PatternFiller.append(key: key, from: from, count: Int(count), to: &buffer)
            return Array(buffer.readableBytesView)
        }
    }
}

extension Redirect {
    /// Returns the redirect. The first of a chain does not have `hop` in its query, the next ones count it.
    fileprivate func response(to head: RequestHead, _ writer: ResponseWriter) -> ResponsePlan {
        let hop = head.query.flatMap { $0.hasPrefix("hop=") ? Int($0.dropFirst(4)) : nil } ?? 0
        let target = hop < hops ? "\(head.path)?hop=\(hop + 1)" : to
        let type = body == nil ? [] : [HeaderField("Content-Type", "text/plain; charset=utf-8")]
        return writer.plan(
            status, [HeaderField("Location", target)] + type, body: .bytes(Array((body ?? "").utf8)),
            overriding: headers)
    }
}
