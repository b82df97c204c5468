internal import AdapterProtocol

/// A request that the lab's origin received.
public struct Request: Hashable, Sendable {
    /// The number of the request in the lab, from 1.
    public let number: Int
    /// The number of its connection, from 1.
    public let connection: Int
    /// The time since the start of the lab's program.
    public let time: Duration
    /// The method.
    public let method: String
    /// The request target, as sent.
    public let target: String
    /// The header fields in the order of arrival.
    public let headers: [(name: String, value: String)]
    /// The body, if it is short text.
    public let body: String?
    /// The status of the response; nil until it begins.
    public let status: Int?
    /// The number of bytes of the response's body that were passed to the kernel.
    public let sent: Int
    /// True when the whole response was passed to the kernel.
    public let isComplete: Bool

    /// Returns the value of the first field of this name, in any case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Compares all fields.
    public static func == (one: Request, other: Request) -> Bool {
        one.number == other.number && one.connection == other.connection && one.time == other.time
            && one.method == other.method && one.target == other.target && one.body == other.body
            && one.status == other.status && one.sent == other.sent && one.isComplete == other.isComplete
            && one.headers.map(\.name) == other.headers.map(\.name)
            && one.headers.map(\.value) == other.headers.map(\.value)
    }

    /// Hashes the number, which is unique in a lab.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A DNS query that the lab's name servers received.
public struct Query: Hashable, Sendable {
    /// The time since the start of the lab's program.
    public let time: Duration
    /// The name.
    public let host: String
    /// The type, such as `AAAA`.
    public let type: String
    /// The reply in words.
    public let reply: String
}

/// A change that was made.
public struct AppliedChange: Hashable, Sendable {
    /// The time since the start of the lab's program.
    public let time: Duration
    /// The moment, or another cause.
    public let cause: String
    /// Descriptions of the changes.
    public let changes: [String]
}

/// The requests, DNS queries and changes that a lab has seen; it keeps the latest 1,000 of each.
public struct History: Hashable, Sendable {
    /// The requests to the lab's origin.
    public let requests: [Request]
    /// The DNS queries.
    public let queries: [Query]
    /// The changes of the network.
    public let changes: [AppliedChange]
    /// The number of requests so far.
    public let requestCount: Int

    init(_ json: JSONValue?) throws(NetworkError) {
        let fields = HistoryFields(kind: "seen", values: json?.object ?? [:])
        requestCount = try fields.count("requestCount")
        var requests: [Request] = []
        for entry in try fields.objects("requests") { requests.append(try Request(entry)) }
        self.requests = requests
        var queries: [Query] = []
        for entry in try fields.objects("queries") { queries.append(try Query(entry)) }
        self.queries = queries
        var changes: [AppliedChange] = []
        for entry in try fields.objects("changes") { changes.append(try AppliedChange(entry)) }
        self.changes = changes
    }
}

private typealias HistoryFields = JSONFields<NetworkError>

extension NetworkError: JSONFieldError {
    package static func missing(_ field: String, in kind: String, expected: String) -> NetworkError {
        .invalidReply("`\(kind).\(field)` is missing")
    }
    package static func wrongType(_ field: String, in kind: String, expected: String) -> NetworkError {
        .invalidReply("`\(kind).\(field)` is not a \(expected)")
    }
    package static func unknownWord(_ word: String, _ field: String, in kind: String, allowed: [String])
        -> NetworkError
    {
        .invalidReply("`\(kind).\(field)` is `\(word)`")
    }
}

extension Request {
    fileprivate init(_ fields: HistoryFields) throws(NetworkError) {
        number = try fields.count("number")
        connection = try fields.count("connection")
        time = .nanoseconds(try fields.integer("time"))
        method = try fields.text("method")
        target = try fields.text("target")
        headers = try fields.headers("headers").map { ($0.name, $0.value) }
        body = try fields.optional("body", fields.text)
        status = try fields.optional("status", fields.count)
        sent = try fields.count("sent")
        isComplete = try fields.boolean("complete")
    }
}

extension Query {
    fileprivate init(_ fields: HistoryFields) throws(NetworkError) {
        time = .nanoseconds(try fields.integer("time"))
        host = try fields.text("host")
        type = try fields.text("type")
        reply = try fields.text("reply")
    }
}

extension AppliedChange {
    fileprivate init(_ fields: HistoryFields) throws(NetworkError) {
        time = .nanoseconds(try fields.integer("time"))
        cause = try fields.text("cause")
        changes = try fields.texts("changes")
    }
}
