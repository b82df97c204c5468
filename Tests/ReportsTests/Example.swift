import AdapterProtocol
import LinkEmulator
import Record
import ScenarioLanguage
import Conformance

@testable import Reports

/// A small run with every kind of outcome, for the golden texts.
enum Example {
    static func header(_ scenario: String, _ title: String, proves: [String] = [], repetition: Int = 1) -> RunHeader {
        RunHeader(
            scenario: scenario, file: "Scenarios/\(scenario).yaml", title: title, proves: proves, adapter: "foundation",
            engine: "kernel",
            seed: 7, repetition: repetition)
    }

    static func result(
        _ scenario: String, _ title: String, proves: [String] = [], repetition: Int = 1, _ outcome: Outcome,
        milliseconds: Int,
        recorded: Bool = true
    ) -> RunResult {
        RunResult(
            header: header(scenario, title, proves: proves, repetition: repetition), tags: [], outcome: outcome,
            duration: .milliseconds(milliseconds), recordFile: recorded ? "out/\(scenario).jsonl" : nil,
            captureFile: nil)
    }

    static func event(_ sequence: UInt64, _ task: TaskName, _ event: TaskEvent) -> RecordEntry.Fact {
        .session(SessionEvent(sequence: sequence, time: 0, kind: .task(task, event)))
    }

    /// A download cut by a reset and resumed at the wrong offset.
    static let record: [RecordEntry] = {
        let big: [HeaderField] = [HeaderField("Host", "api.test"), HeaderField("Accept", "*/*")]
        let facts: [(Int64, RecordEntry.Fact)] = [
            (
                0,
                .runStarted(
                    header("resume/reset-at-byte", "A download reset at byte 65,536 resumes from the bytes it holds"))
            ),
            (1_250, .network(.interfaceState(.wifi, .up))),
            (1_300, .network(.conditionRequested(.wifi, .downlink, "30.0Mbit/s, delay 10 ms"))),
            (
                41_007,
                .network(
                    .conditionMeasured(
                        .wifi, .downlink,
                        .init(
                            means: .probe, packets: 20, lost: 0, delayMinimum: 10_040_000, delayMedian: 10_110_000,
                            delayMaximum: 10_900_000,
                            bitsPerSecond: 29_800_000, lateness: 80_000, text: "asked 10 ms, got 10.11 ms")))
            ),
            (60_000, .adapter(.started(pid: 4711, command: "foundation-adapter"))),
            (90_000, .step("download /big as first")),
            (90_100, .command(sequence: 3, text: "makeTask first")),
            (92_000, .name(DNSFact(host: "api.test", type: "A", reply: "203.0.113.10", client: "192.0.2.2"))),
            (104_000, .server(.accepted(connection: 1, client: "192.0.2.2", port: 40312))),
            (
                104_800,
                .server(
                    .requestHead(connection: 1, exchange: 1, request: 1, method: "GET", target: "/big", headers: big))
            ),
            (104_810, .server(.requestEnded(request: 1, bodyBytes: 0, differsAt: nil, bodyText: nil))),
            (104_900, .server(.responseHead(request: 1, status: 200, headers: [HeaderField("ETag", "\"v1\"")]))),
            (
                125_000,
                event(
                    4, "first",
                    .didReceiveResponse(
                        .init(status: 200, url: "http://api.test/big", headers: [], expectedLength: 1_048_576)))
            ),
            (131_000, .server(.responseBody(request: 1, bytes: 65_536))),
            (131_050, .server(.fault(connection: 1, request: 1, point: "response body byte 65536", effect: "reset"))),
            (131_060, .server(.closed(connection: 1, by: .reset))),
            (
                142_000,
                event(
                    5, "first",
                    .didComplete(
                        Failure(domain: Failure.urlErrorDomain, code: -1005, text: "The network connection was lost."),
                        resumeDataLength: 812))
            ),
            (150_000, .step("download http://api.test/big as second from the resume data of first")),
            (
                168_000,
                .server(
                    .requestHead(
                        connection: 2, exchange: 1, request: 2, method: "GET", target: "/big",
                        headers: big + [HeaderField("Range", "bytes=65536-"), HeaderField("If-Range", "\"v1\"")]))
            ),
            (
                168_100,
                .server(
                    .responseHead(
                        request: 2, status: 206, headers: [HeaderField("Content-Range", "bytes 65536-1048575/1048576")])
                )
            ),
            (191_000, event(6, "second", .didResumeAtOffset(offset: 0, expected: 1_048_576))),
            (420_000, event(7, "second", .didFinishDownloading(length: 1_048_576))),
            (421_000, event(8, "second", .didComplete(nil, resumeDataLength: nil))),
            (430_000, .runEnded(.fail(.wrong, mismatches))),
        ]
        // An arbitrary start: times are reported relative to the first entry.
        return facts.map { RecordEntry(time: 8_000_000_000_123 + $0.0 * 1000, fact: $0.1) }
    }()

    static let mismatches = [
        Mismatch(
            check: "resumeOffset", line: 23, expected: "second.didResumeAtOffset is 65536, as in Content-Range",
            found: "second.didResumeAtOffset is 0", evidence: [19, 20]),
        Mismatch(
            check: "order", line: 25,
            expected: "second.didWriteData between didResumeAtOffset and didFinishDownloading",
            found: "no second.didWriteData"),
    ]

    static var suite: SuiteReport {
        let violation = Mismatch(
            check: "protocol", expected: "sequence numbers without gaps",
            found: "9 after 7:\n{\"event\": \"<]]>\u{1b}[31m\"}", evidence: [2])
        return SuiteReport(
            runs: [
                ReportedRun(
                    result(
                        "resume/weak-validator", "A weak validator is not resumed from", proves: ["DNLD-11"], .pass,
                        milliseconds: 812),
                    record: record),
                ReportedRun(
                    result(
                        "resume/reset-at-byte", "A download reset at byte 65,536 resumes from the bytes it holds",
                        proves: ["DNLD-9", "DNLD-10"], .fail(.wrong, mismatches), milliseconds: 1240),
                    record: record),
                ReportedRun(
                    result(
                        "resume/reset-twice", "Two resets", proves: ["DNLD-10"],
                        .skipped(after: "resume/reset-at-byte"), milliseconds: 0, recorded: false),
                    record: []),
                ReportedRun(
                    result(
                        "tls/version-limits", "TLS 1.0 is refused", proves: ["TLS-04"],
                        .unsupported("needs tlsVersionLimits"), milliseconds: 95),
                    record: record),
                ReportedRun(
                    result(
                        "order/body", "Body bytes & \"quotes\"", proves: ["EVNT-02"], .fail(.violation, [violation]),
                        milliseconds: 2005),
                    baselineStatus: .expected(reason: "foundation#5191 <open>"), record: record),
                ReportedRun(
                    result(
                        "order/redirect", "Redirects are reported first", proves: ["EVNT-02", "REDR-01"], .pass,
                        milliseconds: 61_250),
                    baselineStatus: .unexpectedPass(reason: "seen once"), record: record),
                ReportedRun(
                    result(
                        "top", "The machine breaks", proves: ["CONN-06"],
                        .error("the lab could not be built: no /dev/net/tun"), milliseconds: 30),
                    record: Array(record.prefix(2))),
            ],
            staleBaselineLines: ["baseline/foundation.yaml:12: resume/renamed"],
            requirementTitles: [
                "CONN-06": "Waits for connectivity", "DNLD-9": "Resume data after a lost connection",
                "DNLD-10": "Range and If-Range",
                "DNLD-11": "Weak validators", "DNLD-12": "Never resumed twice", "EVNT-02": "Order of events",
            ],
            startedAt: 1_795_240_162, elapsed: .milliseconds(65_612), artifactDirectory: "out")
    }
}
