internal import AdapterProtocol

/// A moment of the lab, counted from the request that names it.
public struct Moment: Hashable, Sendable {
    private var fields: [String: JSONValue]

    private init(_ fields: [String: JSONValue?]) { self.fields = fields.compactMapValues { $0 } }

    var json: JSONValue { .object(fields) }

    /// The k-th packet of one direction. `interface` may be nil in a lab with one interface.
    public static func packet(
        _ number: Int, on interface: InterfaceKind? = nil, in direction: Direction = .downlink
    ) -> Moment {
        Moment([
            "packet": .integer(Int64(number)), "on": interface.map { .text($0.rawValue) },
            "direction": .text(direction.rawValue),
        ])
    }
    /// This long after the request that names the moment.
    public static func sinceStart(_ time: Duration) -> Moment { Moment(["sinceStart": .text(time.protocolText)]) }
    /// The head of the k-th request reached the lab's origin.
    public static func request(_ number: Int) -> Moment { Moment(["request": .integer(Int64(number))]) }
    /// The origin passed this many bytes of the k-th response to the kernel; the client may not have them yet.
    public static func responseSent(_ bytes: Int, request: Int = 1) -> Moment {
        Moment(["responseSent": .text("\(bytes)B"), "request": .integer(Int64(request))])
    }
    /// The client's kernel acknowledged this many bytes of the k-th response.
    public static func acknowledged(_ bytes: Int, request: Int = 1) -> Moment {
        Moment(["acknowledged": .text("\(bytes)B"), "request": .integer(Int64(request))])
    }
    /// The origin accepted its k-th connection.
    public static func connection(_ number: Int) -> Moment { Moment(["connection": .integer(Int64(number))]) }
    /// The k-th DNS query for a name.
    public static func query(_ host: String, count: Int = 1) -> Moment {
        Moment(["query": .text(host), "count": .integer(Int64(count))])
    }

    /// Returns the time this long after the moment.
    public func delayed(by delay: Duration) -> Moment {
        var copy = self
        copy.fields["after"] = .text(delay.protocolText)
        return copy
    }
}

/// A fault of the lab's own origin: a point, an effect and the requests that it applies to.
public struct OriginFault: Hashable, Sendable {
    /// The point of an exchange at which the fault happens.
    public struct Point: Hashable, Sendable {
        let json: JSONValue
        /// A point that is one word of a scenario file, such as `idle`.
        public init(word: String) { json = .text(word) }
        private init(_ json: JSONValue) { self.json = json }
        /// The connection is open.
        public static let accept = Point(word: "accept")
        /// The head of the request is complete.
        public static let requestHead = Point(word: "requestHead")
        /// In place of the response's head.
        public static let responseHead = Point(word: "responseHead")
        /// This many bytes of the response's body were sent.
        public static func responseBody(_ bytes: Int) -> Point {
            Point(.object(["responseBody": .integer(Int64(bytes))]))
        }
        /// This many bytes of the request's body were received.
        public static func requestBody(_ bytes: Int) -> Point {
            Point(.object(["requestBody": .integer(Int64(bytes))]))
        }
    }

    /// The effect of the fault.
    public struct Effect: Hashable, Sendable {
        let json: JSONValue
        /// An effect that is one word of a scenario file, such as `halfClose`.
        public init(word: String) { json = .text(word) }
        private init(_ json: JSONValue) { self.json = json }
        /// The connection is closed.
        public static let close = Effect(word: "close")
        /// The connection is reset.
        public static let reset = Effect(word: "reset")
        /// Nothing more is sent on the open connection.
        public static let stall = Effect(word: "stall")
        /// Nothing is sent for this long.
        public static func pause(_ duration: Duration) -> Effect {
            Effect(.object(["pause": .text(duration.protocolText)]))
        }
        /// The response has this status.
        public static func status(_ status: Int) -> Effect {
            Effect(.object(["status": .integer(Int64(status))]))
        }
    }

    let json: JSONValue

    /// A fault.
    ///
    /// - Parameters:
    ///   - path: only requests for this path of the origin; nil for all.
    ///   - first: only the first matches from now on; nil for all.
    public init(at point: Point, _ effect: Effect, path: String? = nil, first: Int? = nil) {
        var scope: [String: JSONValue] = [:]
        scope["path"] = path.map { .text($0) }
        scope["first"] = first.map { .integer(Int64($0)) }
        var fields = ["at": point.json, "do": effect.json]
        if !scope.isEmpty { fields["for"] = .object(scope) }
        json = .object(fields)
    }
}
