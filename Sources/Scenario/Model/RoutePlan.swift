package import AdapterProtocol

/// One path, for one host or for any.
package struct Route: Hashable, Sendable {
    /// nil: every host.
    package var host: String?
    package var path: String
    package var content: RouteContent
    /// The first whose condition a request meets answers in place of `content`.
    package var variants: [RouteVariant] = []
    /// Set with every answer of the route: also with a redirect, a 304 and a 401.
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

    /// The answer of the route itself, then those of its variants.
    package var contents: [RouteContent] { [content] + variants.map(\.content) }
}

package enum RouteContent: Hashable, Sendable {
    case resource(Resource)
    case redirect(Redirect)
    /// Answers with the request as received: `METHOD target` line, header lines, blank line, then the body.
    case echo

    package static func redirect(status: Int, to target: String) -> RouteContent {
        .redirect(Redirect(status: status, to: target))
    }
}

/// Another answer of a route, for some of its requests.
package struct RouteVariant: Hashable, Sendable {
    package var condition: RequestMatcher
    package var content: RouteContent
    package init(condition: RequestMatcher, content: RouteContent) {
        self.condition = condition
        self.content = content
    }
}

/// Which requests of a path are meant; everything that is said must hold.
package struct RequestMatcher: Hashable, Sendable {
    package enum Field: Hashable, Sendable {
        case present, absent
        /// The field has exactly this value.
        case value(String)
    }
    /// Counted per path, from 1.
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

/// An answer that sends the client elsewhere.
package struct Redirect: Hashable, Sendable {
    package var status: Int
    /// Location byte for byte.
    package var to: String
    package var headers: [HeaderField] = []
    package var body: String?
    /// So many redirects, each to the route's own path with another query, before the one to `to`.
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
    }
    package enum Framing: String, CaseIterable, Hashable, Sendable {
        case contentLength, chunked
        /// The body ends when the connection does.
        case untilClose
    }
    package var status: Int = 200
    package var body: Body
    package var contentType: String = "application/octet-stream"
    package var headers: [HeaderField] = []
    /// As on the wire, quotes and `W/` included.
    package var etag: String?
    /// An HTTP date as on the wire.
    package var lastModified: String?
    /// Last-Modified is this long before the origin's first answer, for heuristic lifetimes.
    package var modifiedAgo: Duration?
    /// Expires is this long after the answer.
    package var expiresIn: Duration?
    package var ranges = RangePlan()
    package var validation = ValidationPlan()
    package var encoding: EncodingPlan?
    package var framing: Framing = .contentLength
    /// Salt of the pattern; another version has other bytes.
    package var version: UInt64 = 1
    /// How often each line of the pattern comes in a row (see `PatternBody`).
    package var repeats: Int64 = 1
    /// From the n-th request of this path on (counted from 1) this version is served instead.
    package var replacedAt: Replacement?

    package struct Replacement: Hashable, Sendable {
        package var request: Int
        package var etag: String?
        package var lastModified: String?
        package var body: Body?
        /// Salt of the pattern, so that a spliced file differs at once.
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
