package import AdapterProtocol

/// The response for one path, on one host or on any.
package struct Route: Hashable, Sendable {
    /// nil: every host.
    package var host: String?
    package var path: String
    package var content: RouteContent
    /// The responses for some requests; the first whose condition matches replaces `content`.
    package var variants: [RouteVariant] = []
    /// The cookies set by every response of the route, including a redirect, a 304 and a 401.
    package var cookies: [CookiePlan] = []
    package var authentication: AuthenticationPlan?
    package var resumableUpload: ResumableUploadPlan?
    /// Time between the complete request and the response head.
    package var delay: Duration?
    package var wire = WirePlan()
    package init(host: String? = nil, path: String, content: RouteContent) {
        self.host = host
        self.path = path
        self.content = content
    }

    /// The response of the route itself, then those of its variants.
    package var contents: [RouteContent] { [content] + variants.map(\.content) }
}

package enum RouteContent: Hashable, Sendable {
    case resource(Resource)
    case redirect(Redirect)
    /// The request as received: `METHOD target` line, header lines, blank line, then the body.
    case echo

    package static func redirect(status: Int, to target: String) -> RouteContent {
        .redirect(Redirect(status: status, to: target))
    }
}

/// A different response of a route for some of its requests.
package struct RouteVariant: Hashable, Sendable {
    package var condition: RequestMatcher
    package var content: RouteContent
    package init(condition: RequestMatcher, content: RouteContent) {
        self.condition = condition
        self.content = content
    }
}

/// A condition on the requests of a path; all given parts must hold.
package struct RequestMatcher: Hashable, Sendable {
    package enum Field: Hashable, Sendable {
        case present, absent
        /// The field has exactly this value.
        case value(String)
    }
    /// The number of the request, counted per path from 1.
    package var request: Int?
    package var firstRequest: Int?
    package var method: String?
    package var query: String?
    package var headers: [String: Field] = [:]
    /// A name, or `name=value`.
    package var cookie: String?
    package var lacksCookie: String?
    package init() {}
}

/// A response that redirects the client.
package struct Redirect: Hashable, Sendable {
    package var status: Int
    /// The value of Location, byte for byte.
    package var to: String
    package var headers: [HeaderField] = []
    package var body: String?
    /// The number of redirects, each to the route's own path with a different query, before the one to `to`.
    package var hops: Int = 0
    package init(status: Int, to target: String) {
        self.status = status
        to = target
    }
}

/// A representation that the origin serves.
package struct Resource: Hashable, Sendable {
    package enum Body: Hashable, Sendable {
        /// Position-dependent bytes (see `PatternBody`), never held in memory.
        case pattern(ByteCount)
        case text(String)

        /// The number of bytes.
        package var length: Int64 {
            switch self {
            case .pattern(let size): size.bytes
            case .text(let text): Int64(text.utf8.count)
            }
        }
    }
    package enum Framing: String, CaseIterable, Hashable, Sendable {
        case contentLength, chunked
        /// The end of the connection ends the body.
        case untilClose
    }
    package var status: Int = 200
    package var body: Body
    package var contentType: String = "application/octet-stream"
    package var headers: [HeaderField] = []
    /// The ETag as on the wire, including quotes and `W/`.
    package var etag: String?
    /// Last-Modified: an HTTP date as on the wire.
    package var lastModified: String?
    /// Time from Last-Modified to the origin's first response, for heuristic lifetimes.
    package var modifiedAgo: Duration?
    /// Time from the response to its Expires date.
    package var expiresIn: Duration?
    package var ranges = RangePlan()
    package var validation = ValidationPlan()
    package var encoding: EncodingPlan?
    package var framing: Framing = .contentLength
    /// The salt of the pattern; each version has different bytes.
    package var version: UInt64 = 1
    /// The number of times each line of the pattern is repeated in a row (see `PatternBody`).
    package var repeats: Int64 = 1
    /// The version that is served instead from the n-th request of this path on, counted from 1.
    package var replacedAt: Replacement?

    package struct Replacement: Hashable, Sendable {
        package var request: Int
        package var etag: String?
        package var lastModified: String?
        package var body: Body?
        /// The salt of the pattern, so that a spliced file differs immediately.
        package var version: UInt64
        package init(
            request: Int, etag: String? = nil, lastModified: String? = nil, body: Body? = nil, version: UInt64 = 2
        ) {
            self.request = request
            self.etag = etag
            self.lastModified = lastModified
            self.body = body
            self.version = version
        }
    }
    package init(body: Body) { self.body = body }
}
