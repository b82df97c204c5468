import Record
import ScenarioLanguage
import AdapterProtocol

/// The metrics of a task (`urlSession(_:task:didFinishCollecting:)`). The steps of every transaction must be in order and
/// within the task's interval, whatever the check asks.
struct MetricsCheck: Check {
    static let key = "metrics"
    static let basis: Basis? = .urlsession
    static let summary =
        "The metrics that the task reports. The steps of each of its requests are in order and within the task's interval, and none that must have happened is missing."
    static let shape = Shape.object([
        .task,
        Field("transactions", NumberRange.shape, "The number of its requests: a number, or a range such as 1..3."),
        Field("redirects", NumberRange.shape, "The number of redirects that it followed."),
        Field("lastsAtLeast", .duration, "The shortest acceptable time from the creation of the task to its end."),
        .number("request"),
        Field("source", .word(TaskMetrics.Source.allCases.map(\.rawValue)), "The source of its response."),
        Field("reused", .boolean, "True: it used an existing connection."),
        Field("protocol", .text, "The name of its protocol, such as h2."),
        Field("connects", .boolean, "True: it has the dates of connecting; false: none of lookup, connecting and TLS."),
        Field("secures", .boolean, "True: it has the dates of the TLS handshake; false: neither."),
        Field("sent", NumberRange.shape, "The bytes of its body that were sent."),
        Field("received", NumberRange.shape, "The bytes of the response body as received."),
        Field("decoded", NumberRange.shape, "The bytes of the response body after content codings are removed."),
    ])

    private let task: TaskName
    private let number: Int
    private let transactions: NumberRange?
    private let redirects: NumberRange?
    private let lastsAtLeast: Duration?
    private let source: TaskMetrics.Source?
    private let isReused: Bool?
    private let protocolName: String?
    private let connects: Bool?
    private let secures: Bool?
    private let counts: [(name: String, range: NumberRange, count: @Sendable (TaskMetrics.Transaction) -> Int64)]

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        number = fields.number()
        transactions = try NumberRange("transactions", of: fields)
        redirects = try NumberRange("redirects", of: fields)
        lastsAtLeast = fields.duration("lastsAtLeast")
        source = fields.text("source").flatMap(TaskMetrics.Source.init(rawValue:))
        isReused = fields.boolean("reused")
        protocolName = fields.text("protocol")
        connects = fields.boolean("connects")
        secures = fields.boolean("secures")
        var counts: [(name: String, range: NumberRange, count: @Sendable (TaskMetrics.Transaction) -> Int64)] = []
        if let range = try NumberRange("sent", of: fields) { counts.append(("sent", range, \.bodyBytesSent)) }
        if let range = try NumberRange("received", of: fields) {
            counts.append(("received", range, \.bodyBytesReceived))
        }
        if let range = try NumberRange("decoded", of: fields) { counts.append(("decoded", range, \.bodyBytesDecoded)) }
        self.counts = counts
    }

    var neededEvents: Set<String> { [TaskEventName.didFinishCollectingMetrics.rawValue] }
    var needs: Set<Capability> { [.metrics, .transactionMetrics] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let found = record.occurrences(of: task, .didFinishCollectingMetrics)
        guard let first = found.first, case .didFinishCollectingMetrics(_, let given) = first.event else {
            return mismatch(expected: "the metrics of \(task)", found: "none", evidence: [])
        }
        guard let metrics = given else {
            return mismatch(
                expected: "the steps of \(task)'s requests", found: "their number only", evidence: [first.moment])
        }
        var differences = unordered(metrics)
        let completions = record.completions(of: task)
        if let last = metrics.transactions.last, completions.count == 1, completions[0].failure == nil {
            differences += missing(last, in: metrics.transactions.count)
        }
        func compare(_ name: String, _ range: NumberRange?, _ value: Int64) {
            guard let range, !range.contains(value) else { return }
            differences.append(("\(name) \(range.description)", "\(name) \(value)"))
        }
        compare("transactions", transactions, Int64(metrics.transactions.count))
        compare("redirects", redirects, Int64(metrics.redirects))
        if number <= metrics.transactions.count {
            differences += differing(metrics.transactions[number - 1]).map {
                ("\($0.expected) in request \(number)", $0.found)
            }
            for (name, range, count) in counts {
                compare("\(name) of request \(number)", range, count(metrics.transactions[number - 1]))
            }
        } else if number > 1 || asksTransaction {
            differences.append(("request \(number)", counted(metrics.transactions.count, "request")))
        }
        var mismatches: [Mismatch] = []
        if let lastsAtLeast, .microseconds(metrics.length) < lastsAtLeast {
            mismatches = mismatch(
                expected: "the metrics of \(task): an interval of at least \(lastsAtLeast)",
                found: "\(Duration.microseconds(metrics.length))", evidence: [first.moment], dependsOnTime: true)
        }
        guard !differences.isEmpty else { return mismatches }
        return mismatches
            + mismatch(
                expected: "the metrics of \(task): " + differences.map(\.expected).joined(separator: ", "),
                found: differences.map(\.found).joined(separator: ", "), evidence: [first.moment])
    }

    private typealias Difference = (expected: String, found: String)

    private var asksTransaction: Bool {
        source != nil || isReused != nil || protocolName != nil || connects != nil || secures != nil || !counts.isEmpty
    }

    private func differing(_ transaction: TaskMetrics.Transaction) -> [Difference] {
        var differences: [Difference] = []
        if let source, transaction.source != source {
            differences.append(("source \(source.rawValue)", "source \(transaction.source.rawValue)"))
        }
        if let isReused, transaction.isReused != isReused {
            differences.append(
                (isReused ? "a reused connection" : "a new connection", isReused ? "a new one" : "a reused one"))
        }
        if let protocolName, transaction.protocolName != protocolName {
            differences.append(("protocol \(protocolName)", "protocol \(transaction.protocolName ?? "none")"))
        }
        let handshake: [TaskMetrics.Step] = [.secureConnectionStart, .secureConnectionEnd]
        if let connects {
            let steps: [TaskMetrics.Step] =
                connects
                ? [.connectStart, .connectEnd]
                : [.domainLookupStart, .domainLookupEnd, .connectStart, .connectEnd] + handshake
            differences += present(connects, steps, in: transaction)
        }
        if let secures { differences += present(secures, handshake, in: transaction) }
        return differences
    }

    private func present(
        _ isPresent: Bool, _ steps: [TaskMetrics.Step], in transaction: TaskMetrics.Transaction
    ) -> [Difference] {
        let wrong = steps.filter { (transaction.times[$0] != nil) != isPresent }.map(\.rawValue)
        guard !wrong.isEmpty else { return [] }
        let names = wrong.joined(separator: " and ")
        return [isPresent ? (names, "no \(names)") : ("no \(names)", names)]
    }

    /// A lookup may end after the first connection attempt has begun (RFC 8305 §3), and a response may begin before the
    /// request ends.
    private static let orders: [[TaskMetrics.Step]] = [
        [
            .fetchStart, .domainLookupStart, .connectStart, .secureConnectionStart, .secureConnectionEnd, .connectEnd,
            .requestStart, .responseStart, .responseEnd,
        ],
        [.domainLookupStart, .domainLookupEnd, .connectEnd], [.requestStart, .requestEnd],
    ]

    /// Returns the dates that the request of a complete response must have, but does not.
    private func missing(_ transaction: TaskMetrics.Transaction, in number: Int) -> [Difference] {
        guard transaction.source == .network else { return [] }
        let steps: [TaskMetrics.Step] = [.requestStart, .responseStart, .responseEnd]
        return steps.filter { transaction.times[$0] == nil }.map { ("\($0.rawValue) of request \(number)", "none") }
    }

    private func unordered(_ metrics: TaskMetrics) -> [Difference] {
        var differences: [Difference] = []
        for (index, transaction) in metrics.transactions.enumerated() {
            if transaction.times[.fetchStart] == nil {
                differences.append(("fetchStart of request \(index + 1)", "none"))
            }
            for order in Self.orders {
                let known = order.compactMap { step in transaction.times[step].map { (step: step, time: $0) } }
                for (earlier, later) in zip(known, known.dropFirst()) where earlier.time > later.time {
                    differences.append(
                        (
                            "\(earlier.step.rawValue) before \(later.step.rawValue) in request \(index + 1)",
                            "at \(earlier.time) and at \(later.time) µs"
                        ))
                }
            }
            for (step, time) in transaction.times.sorted(by: { $0.value < $1.value })
            where time < 0 || time > metrics.length {
                differences.append(
                    (
                        "\(step.rawValue) of request \(index + 1) within the task's \(metrics.length) µs",
                        "at \(time) µs"
                    ))
            }
        }
        return differences
    }
}
