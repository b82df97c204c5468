import AdapterProtocol
import LinkEmulator
import Testing

@testable import Record
@testable import ScenarioLanguage
@testable import Conformance
import GeneratedBodies

/// A builder for the record of a made-up run, which judges it by checks in the syntax of scenario files.
///
/// Every entry is a millisecond after the one before, so that the order of entries is also an order in time.
struct Run {
    /// `network:`, `origin:`, `session:` and `steps:` of the scenario.
    let setup: String
    private(set) var entries: [RecordEntry] = []
    private(set) var now: Int64 = 5_000_000_000
    private var sequence: UInt64 = 0

    static let hello = """
        network: { wifi: perfect }
        origin:
          /hello: { text: "hello" }
        steps:
          - data: /hello
            as: first
        """

    /// Starts a run: header, interface, handshake, steps.
    init(_ setup: String = Run.hello, wifi: InterfaceState? = .up, reports: ReportedEvents? = nil) {
        self.setup = setup
        add(
            .runStarted(
                RunHeader(
                    scenario: "test/run", file: "test.yaml", title: "A run", proves: ["DNLD-09"], adapter: "made-up",
                    engine: "kernel",
                    seed: 7, repetition: 1)))
        if let wifi { add(.network(.interfaceState(.wifi, wifi))) }
        add(.adapter(.started(pid: 12, command: "made-up")))
        say(.hello(.init(name: "made-up", version: "1", language: "none"), capabilities: [:], reports: reports))
        add(.stepsBegan)
    }

    /// Creates a run from an existing record.
    init(recording entries: [RecordEntry]) {
        setup = Run.hello
        self.entries = entries
        now = entries.map(\.time).max() ?? now
        sequence = UInt64(entries.count { if case .session = $0.fact { true } else { false } })
    }

    // MARK: Adding entries

    @discardableResult
    mutating func add(_ fact: RecordEntry.Fact) -> Int {
        now += 1_000_000
        entries.append(RecordEntry(time: now, fact: fact))
        return entries.count - 1
    }
    mutating func wait(milliseconds: Int64) { now += milliseconds * 1_000_000 }

    @discardableResult
    mutating func say(_ kind: SessionEvent.Kind) -> Int {
        sequence += 1
        return add(.session(SessionEvent(sequence: sequence, time: now + 1_000_000, kind: kind)))
    }
    @discardableResult
    mutating func report(_ task: TaskName, _ event: TaskEvent) -> Int { say(.task(task, event)) }

    mutating func command(_ command: AdapterCommand) { add(.command(sequence: 1, text: command.summary)) }
    mutating func start(_ task: TaskName) { command(.resume(task)) }

    /// Adds a request head and its end, on a connection that is accepted if it is new.
    mutating func request(
        _ number: Int, _ target: String, method: String = "GET", connection: Int? = nil, _ headers: [HeaderField] = [],
        body: Int64 = 0, differsAt: Int64? = nil, text: String? = nil
    ) {
        let connection = connection ?? number
        let isNew = !entries.contains { entry in
            if case .server(.accepted(connection, client: _, port: _)) = entry.fact { true } else { false }
        }
        if isNew { add(.server(.accepted(connection: connection, client: "192.0.2.2", port: 40000 + connection))) }
        add(
            .server(
                .requestHead(
                    connection: connection, exchange: 1, request: number, method: method, target: target,
                    headers: [HeaderField("Host", "api.test")] + headers)))
        add(.server(.requestEnded(request: number, bodyBytes: body, differsAt: differsAt, bodyText: text)))
    }

    mutating func answer(
        _ number: Int, status: Int = 200, _ headers: [HeaderField] = [], bytes: Int64, ends: Bool = true
    ) {
        add(.server(.responseHead(request: number, status: status, headers: headers)))
        add(.server(.responseBody(request: number, bytes: bytes)))
        if ends { add(.server(.responseEnded(request: number, bytes: bytes))) }
    }

    mutating func reset(connection: Int, request: Int, at byte: Int64) {
        add(
            .server(
                .fault(connection: connection, request: request, point: "response body byte \(byte)", effect: "reset")))
        add(.server(.closed(connection: connection, by: .reset)))
    }

    mutating func response(_ task: TaskName, status: Int = 200, url: String, _ headers: [HeaderField] = []) {
        report(task, .didReceiveResponse(.init(status: status, url: url, headers: headers, expectedLength: -1)))
    }
    @discardableResult
    mutating func complete(_ task: TaskName, _ code: FailureCode? = nil, resumeData: Int? = nil) -> Int {
        report(
            task,
            .didComplete(
                code.map { Failure(domain: Failure.urlErrorDomain, code: $0.rawValue, text: "") },
                resumeDataLength: resumeData))
    }

    /// Adds the `end` command and the exit of the adapter.
    mutating func end(code: Int32 = 0) {
        command(.end)
        add(.adapter(.exited(code: code)))
    }

    // MARK: Judging

    /// Returns the scenario with these checks, whose lines are numbered from 1000.
    func scenario(_ checks: [String] = ["requests: { atLeast: 0 }"]) throws -> Scenario {
        let text =
            "scenario: A run\nproves: DNLD-09\n\(setup)\nexpect:\n" + checks.map { "  - \($0)" }.joined(separator: "\n")
            + "\n"
        return try ScenarioReader.read(file: "test.yaml", text: text).get()
    }

    func judge(_ check: String) throws -> [Mismatch] {
        let scenario = try scenario([check])
        let written = try #require(scenario.expectations.first?.check as? any Check)
        return written.judge(RecordView(scenario: scenario, entries: entries))
    }

    func view() throws -> RecordView { RecordView(scenario: try scenario(), entries: entries) }

    func outcome(_ checks: [String] = ["requests: { atLeast: 0 }"]) throws -> Outcome {
        Judge.outcome(scenario: try scenario(checks), entries: entries)
    }

    /// Returns the mismatches of the check in one line; nil if it holds. Evidence must always be in the record.
    func found(_ check: String) throws -> String? {
        let mismatches = try judge(check)
        for mismatch in mismatches {
            #expect(mismatch.evidence.allSatisfy(entries.indices.contains), "\(mismatch)")
            #expect(!mismatch.expected.isEmpty && !mismatch.found.isEmpty)
        }
        return mismatches.first?.found
    }
}

extension Run {
    /// Returns a run with one successful data task.
    static func plain() -> Run {
        var run = Run()
        run.start("first")
        run.add(.name(DNSFact(host: "api.test", type: "A", reply: "203.0.113.10", client: "192.0.2.2")))
        run.add(.name(DNSFact(host: "API.test.", type: "AAAA", reply: "none", client: "192.0.2.2")))
        run.request(1, "/hello")
        run.answer(1, [HeaderField("Content-Type", "text/plain"), HeaderField("Content-Length", "5")], bytes: 5)
        run.response(
            "first", url: "http://api.test/hello",
            [HeaderField("Content-Type", "text/plain"), HeaderField("Content-Length", "5")])
        run.report("first", .didReceiveData(Array("he".utf8)))
        run.report("first", .didReceiveData(Array("llo".utf8)))
        run.report("first", .didFinishCollectingMetrics(transactions: 1))
        run.complete("first")
        run.add(.network(.packetCounts(.wifi, .uplink, packets: 6, bytes: 500)))
        run.add(.network(.packetCounts(.wifi, .downlink, packets: 5, bytes: 700)))
        run.end()
        return run
    }

    static let resumeSetup = """
        network: { wifi: perfect }
        origin:
          /big:
            size: 64KiB
            etag: '"v1"'
            replacedBy: { fromRequest: 5, etag: '"v2"', size: 64KiB }
          /other: { size: 64KiB }
        steps:
          - download: /big
            as: first
          - await: first.didComplete
          - download: { resumeData: first }
            as: second
        """

    static func bytes(_ path: String, version: UInt64 = 1, _ range: Range<Int64>) -> [UInt8] {
        PatternBody.bytes(
            key: PatternBody.key(path: path, version: version), from: range.lowerBound, count: range.count)
    }

    /// Returns a run with a download that is interrupted at byte 16,384, resumed at `offset`, reported as resumed at
    /// `told`, and that delivers `file`.
    static func resumed(
        at offset: Int64 = 16_384, told: Int64? = nil, expected: Int64 = 65_536, status: Int = 206, asks: Bool = true,
        file: [UInt8] = bytes("/big", 0..<65_536)
    ) -> Run {
        var run = Run(resumeSetup)
        run.start("first")
        run.request(1, "/big")
        run.answer(1, [HeaderField("ETag", "\"v1\"")], bytes: 16_384, ends: false)
        run.reset(connection: 1, request: 1, at: 16_384)
        run.report("first", .didWriteData(written: 16_384, totalWritten: 16_384, expected: 65_536))
        run.complete("first", .networkConnectionLost, resumeData: 812)
        run.start("second")
        run.request(
            2, "/big", asks ? [HeaderField("Range", "bytes=\(offset)-"), HeaderField("If-Range", "\"v1\"")] : [])
        if status == 206 {
            run.answer(
                2, status: 206, [HeaderField("Content-Range", "bytes \(offset)-65535/65536")], bytes: 65_536 - offset)
        } else {
            run.answer(2, status: status, [HeaderField("Content-Length", "65536")], bytes: 65_536)
        }
        let told = told ?? (status == 206 ? offset : 0)
        run.report("second", .didResumeAtOffset(offset: told, expected: expected))
        run.report("second", .didWriteData(written: 65_536 - told, totalWritten: 65_536, expected: 65_536))
        run.report("second", .fileContent(offset: 0, Array(file.prefix(40_000))))
        if file.count > 40_000 { run.report("second", .fileContent(offset: 40_000, Array(file.dropFirst(40_000)))) }
        run.report("second", .didFinishDownloading(length: Int64(file.count)))
        run.complete("second")
        run.end()
        return run
    }
}
