import AdapterProtocol
import Scenario

/// Decides every answer of the origin from its plan; the only memory it has are the nonces it gave out.
struct Responder {
    private let routes: [Route]
    private var authenticator: Authenticator

    init(plan: OriginPlan, seed: UInt64) {
        routes = plan.routes
        authenticator = Authenticator(seed: seed)
    }

    /// The route of a request: one for its host before one for all.
    func route(for head: RequestHead) -> Route? {
        let candidates = routes.filter { $0.path == head.path }
        return candidates.first { $0.host != nil && $0.host?.lowercased() == head.host } ?? candidates.first { $0.host == nil }
    }

    /// `pathRequest` counts the requests of this path from 1.
    mutating func answer(to head: RequestHead, pathRequest: Int, body: BodyInspection, date: HTTPDate) -> ResponsePlan {
        let writer = ResponseWriter(head: head, date: date)
        guard let route = route(for: head) else {
            let known = routes.map { ($0.host.map { "//\($0)" } ?? "") + $0.path }.joined(separator: ", ")
            return writer.text(404, "The origin has no route for \(head.path). It has: \(known.isEmpty ? "none" : known).")
        }
        if let plan = route.authentication {
            switch authenticator.judge(head, plan) {
            case .accepted: break
            case .refused(let challenge, let reason):
                return writer.text(401, reason, [HeaderField("WWW-Authenticate", challenge)])
            }
        }
        switch route.content {
        case .echo:
            guard body.isKept else { return writer.text(413, "An echo holds at most \(BodyInspection.longestEcho) bytes of body.") }
            return writer.plan(
                200, [HeaderField("Content-Type", "text/plain; charset=utf-8")], body: .bytes(Responder.echo(head) + body.kept))
        case .redirect(let status, let target):
            return writer.plan(status, [HeaderField("Location", target)])
        case .resource(let resource):
            return Responder.serve(resource, to: head, pathRequest: pathRequest, writer)
        }
    }

    private static func echo(_ head: RequestHead) -> [UInt8] {
        let lines = ["\(head.method) \(head.target)"] + head.headers.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func serve(_ resource: Resource, to head: RequestHead, pathRequest: Int, _ writer: ResponseWriter) -> ResponsePlan {
        let version = Version(of: resource, path: head.path, pathRequest: pathRequest)
        var validators: [HeaderField] = []
        if let etag = version.etag { validators.append(HeaderField("ETag", etag)) }
        let modified = version.lastModified.map { [HeaderField("Last-Modified", $0)] } ?? []
        let type = [HeaderField("Content-Type", resource.contentType)]
        let accepts = [HeaderField("Accept-Ranges", resource.ranges ? "bytes" : "none")]

        // Conditions and ranges are about the 200 answer (RFC 9110 §13.2.1, §14.2).
        guard resource.status == 200 else {
            return writer.plan(
                resource.status, type + validators + modified, body: version.body, framing: resource.framing,
                overriding: resource.headers)
        }
        let preconditions = Preconditions(
            etag: version.etag.flatMap(EntityTag.init(_:)), lastModified: version.lastModified.flatMap(HTTPDate.init(_:)),
            lastModifiedText: version.lastModified, date: writer.date)
        switch preconditions.judge(head) {
        case .failed:
            return writer.text(412, "A precondition of the request does not hold.", validators)
        case .notModified:
            return writer.plan(304, validators + modified)
        case .proceed(let honoursRange):
            // GET is the only method with ranges (§14.2).
            let asked = resource.ranges && honoursRange && head.method == "GET" ? head.value(of: "range") : nil
            switch ByteRange(asked, length: version.body.count) {
            case .whole:
                return writer.plan(
                    200, type + validators + modified + accepts, body: version.body, framing: resource.framing,
                    overriding: resource.headers)
            case .unsatisfiable:
                return writer.text(
                    416, "The representation has \(version.body.count) bytes.",
                    [HeaderField("Content-Range", "bytes */\(version.body.count)")])
            case .part(let range):
                // Whoever sent If-Range has the other fields already (§15.3.7).
                let others = head.values(of: "if-range").isEmpty ? type + modified : []
                let content = HeaderField("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(version.body.count)")
                return writer.plan(
                    206, others + validators + accepts + [content], body: version.body.part(range), framing: resource.framing,
                    overriding: resource.headers)
            }
        }
    }

    /// What stands at a path when its n-th request comes.
    private struct Version {
        var body: ResponsePlan.Body
        var etag: String?
        var lastModified: String?

        init(of resource: Resource, path: String, pathRequest: Int) {
            var content = resource.body
            var number: UInt64 = 1
            etag = resource.etag
            lastModified = resource.lastModified
            if let next = resource.replacedAt, pathRequest >= next.request {
                // A validator the new version does not name is gone: one that outlives its bytes would be a lie.
                etag = next.etag
                lastModified = next.lastModified
                content = next.body ?? content
                number = next.version
            }
            switch content {
            case .text(let text): body = .bytes(Array(text.utf8))
            case .pattern(let size): body = .pattern(key: PatternBody.key(path: path, version: number), from: 0, count: size.bytes)
            }
        }
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
}
