package import AdapterProtocol

/// What the embedded origin serves and where it misbehaves.
package struct OriginPlan: Hashable, Sendable {
    package var routes: [Route] = []
    package var faults: [Fault] = []
    /// Present: the origin also listens with TLS on 443 and script paths become https URLs.
    package var tls: TLSPlan?
    /// The server closes a kept-alive connection after this much idleness; nil keeps it open.
    package var idleTimeout: Duration?
    package init() {}
}

package struct TLSPlan: Hashable, Sendable {
    package enum Certificate: String, CaseIterable, Hashable, Sendable {
        case valid, expired, notYetValid, wrongHost, selfSigned, unknownAuthority
    }
    package var certificate: Certificate = .valid
    /// The lowest and highest version the server offers, `1.0` … `1.3`.
    package var minimumVersion: String = "1.2"
    package var maximumVersion: String = "1.3"
    package init() {}
}

/// One path, for one host or for any.
package struct Route: Hashable, Sendable {
    /// nil: every host.
    package var host: String?
    package var path: String
    package var content: RouteContent
    package var authentication: AuthenticationPlan?
    /// Time between the complete request and the response head.
    package var delay: Duration?
    package init(host: String? = nil, path: String, content: RouteContent) {
        self.host = host
        self.path = path
        self.content = content
    }
}

package enum RouteContent: Hashable, Sendable {
    case resource(Resource)
    case redirect(status: Int, to: String)
    /// Answers with the request as received: `METHOD target` line, header lines, blank line, then the body.
    case echo
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
    package var ranges: Bool = true
    package var framing: Framing = .contentLength
    /// From the n-th request of this path on (counted from 1) this version is served instead.
    package var replacedAt: Replacement?

    package struct Replacement: Hashable, Sendable {
        package var request: Int
        package var etag: String?
        package var lastModified: String?
        package var body: Body?
        /// Salt of the pattern, so that a spliced file differs at once.
        package var version: UInt64
        package init(request: Int, etag: String? = nil, lastModified: String? = nil, body: Body? = nil, version: UInt64 = 2) {
            self.request = request
            self.etag = etag
            self.lastModified = lastModified
            self.body = body
            self.version = version
        }
    }
    package init(body: Body) { self.body = body }
}

package struct AuthenticationPlan: Hashable, Sendable {
    package enum Scheme: Hashable, Sendable {
        case basic
        case digest(DigestAlgorithm)
    }
    package enum DigestAlgorithm: String, CaseIterable, Hashable, Sendable {
        case md5 = "MD5"
        case sha256 = "SHA-256"
    }
    package var scheme: Scheme
    package var user: String
    package var password: String
    package var realm: String
    /// Digest: a nonce is accepted for this many requests, then answered with `stale=true` (RFC 7616 §3.3). nil: for ever.
    package var nonceUses: Int?
    package init(scheme: Scheme, user: String, password: String, realm: String, nonceUses: Int? = nil) {
        self.scheme = scheme
        self.user = user
        self.password = password
        self.realm = realm
        self.nonceUses = nonceUses
    }
}

/// Point × effect × scope. A new effect makes the compiler name the interpreter.
package struct Fault: Hashable, Sendable {
    package enum Point: Hashable, Sendable {
        case accept
        /// After the ClientHello, before any answer to it.
        case tlsClientHello
        /// The head of the request is complete; nothing of it is answered.
        case requestHead
        /// This many request body bytes have been received.
        case requestBody(Int64)
        /// In place of the response head (or after its first n bytes).
        case responseHead(after: Int64)
        /// Exactly this many bytes of the response body have been handed to the kernel.
        case responseBody(Int64)
        /// The connection idles after a finished exchange.
        case idle
        /// A request arrives on a connection that served one before: the close race of RFC 9112 §9.3.1.
        case reusedRequest
    }
    package enum Effect: Hashable, Sendable {
        /// Orderly FIN after what was sent.
        case close
        /// A RST that really leaves (SO_LINGER 0).
        case reset
        /// FIN on our side, still reading.
        case halfClose
        /// Nothing more is said; the connection stays open.
        case stall
        /// Nothing is said for this long, then the exchange goes on.
        case pause(Duration)
        case throttle(BitRate)
        /// These bytes instead of what belongs there, then close.
        case garbage(String)
        case tlsAlert(UInt8)
    }
    /// All given parts must hold; counts start at 1.
    package struct Scope: Hashable, Sendable {
        package var connection: Int?
        /// The k-th request that the origin receives (of `path`, when that is given too).
        package var request: Int?
        package var path: String?
        /// Only the first n matches, then normal.
        package var first: Int?
        package var every: Int?
        package init(
            connection: Int? = nil, request: Int? = nil, path: String? = nil, first: Int? = nil, every: Int? = nil
        ) {
            self.connection = connection
            self.request = request
            self.path = path
            self.first = first
            self.every = every
        }
    }
    package var point: Point
    package var effect: Effect
    package var scope: Scope
    package init(point: Point, effect: Effect, scope: Scope = Scope()) {
        self.point = point
        self.effect = effect
        self.scope = scope
    }
}

/// The lab's position-dependent body: each byte is a function of resource, version and offset, so that a repeat, a gap or a splice
/// is located to the byte.
package enum PatternBody {
    /// FNV-1a of the path, salted with the version.
    package static func key(path: String, version: UInt64) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ (version &* 0x9e37_79b9_7f4a_7c15)
        for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return hash
    }
    /// Each aligned group of eight bytes is one mixed counter (SplitMix64), little-endian.
    package static func byte(key: UInt64, at offset: Int64) -> UInt8 {
        UInt8(truncatingIfNeeded: word(key: key, index: UInt64(bitPattern: offset) >> 3) >> ((UInt64(bitPattern: offset) & 7) << 3))
    }
    package static func bytes(key: UInt64, from offset: Int64, count: Int) -> [UInt8] {
        (0..<Int64(count)).map { byte(key: key, at: offset + $0) }
    }
    private static func word(key: UInt64, index: UInt64) -> UInt64 {
        var z = key &+ (index &+ 1) &* 0x9e37_79b9_7f4a_7c15
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
