@testable import Record
import AdapterProtocol
import Testing

@testable import Conformance

/// Tests of the check of metrics: besides what it asks, the steps must be in order and within the task's interval.
@Suite struct MetricsCheckTests {
    static let metrics: TaskMetrics = {
        var first = TaskMetrics.Transaction()
        first.source = .network
        first.protocolName = "h2"
        first.times = [
            .fetchStart: 0, .domainLookupStart: 10, .domainLookupEnd: 30, .connectStart: 20, .secureConnectionStart: 40,
            .secureConnectionEnd: 50, .connectEnd: 50, .requestStart: 60, .requestEnd: 90, .responseStart: 80,
            .responseEnd: 100,
        ]
        (first.bodyBytesSent, first.bodyBytesReceived, first.bodyBytesDecoded) = (1, 2, 3)
        var second = TaskMetrics.Transaction()
        second.isReused = true
        second.times = [
            .fetchStart: 110, .requestStart: 120, .requestEnd: 130, .responseStart: 140, .responseEnd: 5000,
        ]
        return TaskMetrics(redirects: 1, length: 5000, transactions: [first, second])
    }()

    static func run(_ metrics: TaskMetrics? = MetricsCheckTests.metrics) -> Run {
        var run = Run(CheckCompletenessTests.two)
        run.start("first")
        run.report(
            "first", .didFinishCollectingMetrics(transactions: metrics?.transactions.count ?? 2, metrics: metrics))
        run.complete("first")
        run.end()
        return run
    }

    private static func run(_ step: TaskMetrics.Step, at time: Int64, in index: Int = 0) -> Run {
        var metrics = metrics
        metrics.transactions[index].times[step] = time
        return run(metrics)
    }

    @Test(arguments: [
        (TaskMetrics.Step.fetchStart, 11, "fetchStart before domainLookupStart in request 1"),
        (.domainLookupEnd, 51, "domainLookupEnd before connectEnd"),
        (.connectStart, 9, "domainLookupStart before connectStart"),
        (.connectEnd, 49, "secureConnectionEnd before connectEnd"), (.requestEnd, 59, "requestStart before requestEnd"),
        (.responseEnd, 79, "responseStart before responseEnd"), (.fetchStart, -1, "within the task's 5000 µs"),
        (.requestEnd, 5001, "within the task's 5000 µs"),
    ])
    func `a step out of order or outside the interval fails`(step: TaskMetrics.Step, time: Int64, words: String) throws
    {
        let found = try Self.run(step, at: time).judge("metrics: { task: first, transactions: 2 }").first?.expected
        #expect(found?.contains(words) == true, "\(found ?? "no mismatch")")
    }

    @Test func `a connection attempt may begin before the lookup ends, and a response before the request ends`() throws
    {
        #expect(try Self.run().found("metrics: { task: first }") == nil)
    }

    @Test(arguments: [Int64.min, -1, .max])
    func `an absurd interval or time is a mismatch and not a trap`(value: Int64) throws {
        var metrics = Self.metrics
        metrics.length = value
        metrics.transactions[0].times[.connectStart] = .max
        metrics.transactions[0].times[.secureConnectionStart] = .min
        #expect(try Self.run(metrics).found("metrics: { task: first }") != nil)
    }

    @Test(arguments: [
        (0, TaskMetrics.Step.fetchStart, "fetchStart of request 1"), (1, .fetchStart, "fetchStart of request 2"),
        (1, .requestStart, "requestStart of request 2"), (1, .responseStart, "responseStart of request 2"),
        (1, .responseEnd, "responseEnd of request 2"),
    ])
    func `a date that a complete response must have fails if it is missing`(
        index: Int, step: TaskMetrics.Step, words: String
    ) throws {
        var metrics = Self.metrics
        metrics.transactions[1].source = .network
        metrics.transactions[index].times[step] = nil
        #expect(try Self.run(metrics).judge("metrics: { task: first }").first?.expected.contains(words) == true)
        metrics.transactions[1].source = .cache
        let needsNoResponse = step != .fetchStart
        #expect(try Self.run(metrics).judge("metrics: { task: first }").isEmpty == needsNoResponse)
    }

    @Test(arguments: [
        ("number: 1, connects: false", "no domainLookupStart and domainLookupEnd"),
        ("number: 2, secures: true", "secureConnectionStart and secureConnectionEnd in request 2"),
    ])
    func `dates that are present or missing against the expectation fail`(fields: String, words: String) throws {
        let expected = try Self.run().judge("metrics: { task: first, \(fields) }").first?.expected
        #expect(expected?.contains(words) == true, "\(expected ?? "no mismatch")")
    }

    @Test func `only the interval depends on time`() throws {
        #expect(try Self.run().judge("metrics: { task: first, lastsAtLeast: 6ms }").map(\.dependsOnTime) == [true])
        #expect(
            try Self.run().judge("metrics: { task: first, lastsAtLeast: 6ms, redirects: 2 }").map(\.dependsOnTime)
                == [true, false])
    }

    @Test func `the number of requests alone is not enough`() throws {
        #expect(
            try Self.run(nil).found("metrics: { task: first, transactions: 2 }")?.contains("their number only") == true)
    }

    @Test func `a request that the metrics do not list fails`() throws {
        #expect(try Self.run().found("metrics: { task: first, number: 3 }")?.contains("2 requests") == true)
    }
}
