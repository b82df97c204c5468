import Record
import ScenarioLanguage
import AdapterProtocol

/// One request as the origin received it: the documented wire format of a session (DNLD-09, UPLD-01, UPLD-02, POOL-04;
/// RFC 9110 §14.2).
struct RequestCheck: Check {
    static let key = "request"
    static let summary = "The k-th request that the origin receives."
    private static let one = Shape.integer(1...1_000_000)
    static let shape = Shape.object([
        Field("number", one, required: true, "The number of the request in the run, counted from 1; retries count."),
        Field("method", .text, "The method."),
        Field("path", .text, "The path; with a `?`, the whole target including the query."),
        .expectedHeaders,
        Field(
            "rangeStart", NumberRange.shape,
            "First byte of `Range: bytes=N-`: a number, a range such as 1..65536, or `absent`."),
        Field("bodyBytes", .byteCount, "The length of the complete body."),
        Field("complete", .boolean, "False: its body never ends, so that the server cannot take it for complete."),
        Field("bodyText", .text, "The body's text."),
        Field(
            "bodyEquals", .word(["pattern"]),
            "`pattern`: the body is exactly the one that the harness gave to the task."),
        Field("connection", one, "The number of its connection, counted from 1."),
        Field("protocol", .word(ApplicationProtocol.allCases.map(\.rawValue)), "Its HTTP version."),
        Field(
            "priority", .text, "The priority in its HEADERS frame, such as `weight 201`, or `none`."
        ),
        Field("outranks", one, "A request with a lower priority, as the client signals it (HTTP/2)."),
        Field("sameConnectionAs", one, "A request on the same connection."),
        Field("differentConnectionFrom", one, "A request on another connection."),
    ])

    private let number: Int
    private let method: String?
    private let path: String?
    private let headers: HeaderExpectations
    private let range: NumberRange?
    private let hasNoRange: Bool
    private let bodyBytes: Int64?
    private let isComplete: Bool?
    private let bodyText: String?
    private let isPattern: Bool
    private let connection: Int?
    private let version: ApplicationProtocol?
    private let priority: String?
    private let outranked: Int?
    private let same: Int?
    private let different: Int?

    init(_ fields: Fields) throws(ScenarioError) {
        number = fields.number()
        method = fields.text("method")
        path = fields.text("path")
        headers = try HeaderExpectations("headers", of: fields)
        hasNoRange = fields.text("rangeStart") == "absent"
        range = hasNoRange ? nil : try NumberRange("rangeStart", of: fields)
        bodyBytes = fields.byteCount("bodyBytes")?.bytes
        isComplete = fields.boolean("complete")
        bodyText = fields.text("bodyText")
        isPattern = fields.has("bodyEquals")
        connection = fields.integer("connection").map { Int(clamping: $0) }
        version = fields.text("protocol").flatMap(ApplicationProtocol.init(rawValue:))
        priority = fields.text("priority")
        outranked = fields.integer("outranks").map { Int(clamping: $0) }
        same = fields.integer("sameConnectionAs").map { Int(clamping: $0) }
        different = fields.integer("differentConnectionFrom").map { Int(clamping: $0) }
        for name in ["outranks", "sameConnectionAs", "differentConnectionFrom"]
        where fields.integer(name) == Int64(number) {
            throw fields.error(name, "`\(name)` is the request itself; name another one")
        }
        if isComplete == false {
            for name in ["bodyBytes", "bodyText", "bodyEquals"] where fields.has(name) {
                throw fields.error(name, "`\(name)` is about a complete body; leave it or `complete: false` out")
            }
        }
        // A check without other fields only requires that the request exists.
    }

    /// The harness gives its pattern to an adapter; a program sends what it likes.
    var neededEvents: Set<String> { isPattern ? Self.eventsOfEveryAdapter : [] }

    var needs: Set<Capability> {
        var needs: Set<Capability> = version == .http2 || outranked != nil ? [.http2] : []
        // The first request of each connection has at least the number of that connection.
        if same != nil || connection.map({ $0 < number }) ?? false { needs.insert(.connectionReuse) }
        return needs
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        guard let request = record.request(number) else {
            return mismatch(
                expected: "request \(number)", found: counted(record.requests.count, "request"),
                evidence: record.requests.suffix(3).map(\.moment))
        }
        var differences = headers.differences(from: request.headers)
        var evidence = [request.moment]
        if let method, request.method != method { differences.append((method, request.method)) }
        if let path, (path.contains("?") ? request.target : request.path) != path {
            differences.append((path, request.target))
        }
        compareRange(request, &differences)
        compareBody(request, record, &differences)
        if let connection, request.connection != connection {
            differences.append(("connection \(connection)", "connection \(request.connection)"))
        }
        let spoken = request.stream == nil ? ApplicationProtocol.http1 : .http2
        if let version, version != spoken { differences.append((version.rawValue, spoken.rawValue)) }
        if let priority, !(request.priority ?? "none").contains(priority) {
            differences.append(
                ("the priority \(quoted(priority))", "the priority \(quoted(request.priority ?? "none"))"))
        }
        if let outranked {
            let theirs = record.request(outranked)
            if theirs.map(request.outranks) != true {
                differences.append(
                    (
                        "more important than request \(outranked)",
                        theirs.map { "\(request.rankDescription), request \(outranked) \($0.rankDescription)" }
                            ?? "no request \(outranked)"
                    ))
                evidence += theirs.map { [$0.moment] } ?? []
            }
        }
        for (other, isSame) in [(same, true), (different, false)] {
            guard let other else { continue }
            let expected = isSame ? "the connection of request \(other)" : "another connection than request \(other)"
            guard let theirs = record.request(other) else {
                differences.append((expected, "no request \(other)"))
                continue
            }
            if (theirs.connection == request.connection) != isSame {
                differences.append(
                    (expected, "connection \(request.connection), request \(other) on connection \(theirs.connection)"))
                evidence.append(theirs.moment)
            }
        }
        guard !differences.isEmpty else { return [] }
        return mismatch(
            expected: "request \(number): " + differences.map(\.expected).joined(separator: "; "),
            found: differences.map(\.found).joined(separator: "; "), evidence: evidence)
    }

    private func compareRange(_ request: WireRequest, _ differences: inout [(expected: String, found: String)]) {
        let found = request.header("Range").map { "Range: \($0.shortened)" } ?? "no Range"
        if hasNoRange, request.header("Range") != nil { differences.append(("no Range", found)) }
        if let range, request.rangeStart.map(range.contains) != true {
            differences.append(("Range from byte \(range.description) on", found))
        }
    }

    private func compareBody(
        _ request: WireRequest, _ record: RecordView, _ differences: inout [(expected: String, found: String)]
    ) {
        if isComplete == false, let length = request.bodyBytes {
            differences.append(("a body without an end", "a complete body of \(length) bytes"))
        }
        guard isComplete == true || bodyBytes != nil || bodyText != nil || isPattern else { return }
        guard let length = request.bodyBytes else {
            return differences.append(("a complete body", "a body without an end"))
        }
        if let bodyBytes, length != bodyBytes {
            differences.append(("\(bodyBytes) body bytes", "\(length) body bytes"))
        }
        if let bodyText, (length == 0 ? "" : request.bodyText ?? "") != bodyText {
            differences.append(
                (
                    "body \(quoted(bodyText))",
                    length == 0
                        ? "an empty body"
                        : request.bodyText.map { "body \(quoted($0))" } ?? "\(length) bytes of another body"
                ))
        }
        guard isPattern else { return }
        if let offset = request.bodyDiffersAt {
            differences.append(("the task's body", "another byte at \(offset) of the body"))
        } else if request.bodyText != nil {
            differences.append(("the task's body", "a text of \(length) bytes"))
        } else if bodyBytes == nil, let sizes = sizes(of: request, record), !sizes.contains(length) {
            // A truncated pattern is correct byte for byte, so the length is compared too.
            differences.append(
                ("\(sizes.sorted().map { "\($0)" }.joined(separator: " or ")) body bytes", "\(length) body bytes"))
        }
    }

    /// Returns the lengths of the bodies that the steps' tasks send to this path; nil if there are none.
    private func sizes(of request: WireRequest, _ record: RecordView) -> Set<Int64>? {
        var sizes: Set<Int64> = []
        for case .task(let task, let body?, starts: _) in record.scenario.script {
            guard case .pattern(let size) = body.content,
                record.targets(of: task.task).contains(where: { $0.matches(request) })
            else {
                continue
            }
            sizes.insert(size.bytes)
        }
        return sizes.isEmpty ? nil : sizes
    }
}
