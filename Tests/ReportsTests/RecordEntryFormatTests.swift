import AdapterProtocol
import LinkEmulator
import Record
import ScenarioLanguage
import Testing

@testable import Reports

/// Checks one line for every kind of fact.
struct RecordEntryFormatTests {
    static let facts: [(RecordEntry.Fact, String)] = [
        (
            .runStarted(Example.header("a/b", "T", repetition: 2)),
            "run of a/b starts: adapter foundation, kernel link engine, seed 7, repetition 2"
        ),
        (.network(.interfaceState(.cellular, .up)), "cellular is up"),
        (.network(.interfaceState(.cellular, .down)), "cellular is down"),
        (.network(.interfaceState(.wired, .noRoute)), "wired is up without a route"),
        (.network(.interfaceState(.wifi, .blackhole)), "wifi is up and drops every packet"),
        (.network(.conditionRequested(.wifi, .uplink, "loss 2%")), "wifi from the client, asked: loss 2%"),
        (
            .network(
                .conditionMeasured(
                    .wifi, .uplink, .init(means: .traffic, packets: 40, lost: 40, text: "asked loss 100%, got 100%"))),
            "wifi from the client, measured on the run's own packets: asked loss 100%, got 100%; 40 of 40 packets lost"
        ),
        (
            .network(
                .packet(
                    .wifi, .downlink, index: 12, length: 1500, fate: .changed("dropped by loss"),
                    summary: "TCP 80 > 40312")),
            "wifi to the client, packet 12 (1500 bytes, TCP 80 > 40312): dropped by loss"
        ),
        (
            .network(.resetLost(.wifi, .downlink)),
            "wifi to the client, a RST was lost, which TCP does not repeat"
        ),
        (
            .network(.packetCounts(.wifi, .downlink, packets: 9, bytes: 900)),
            "wifi to the client, in all: 9 packets, 900 bytes"
        ),
        (.network(.dnsService("api.test → nxdomain")), "name service: api.test → nxdomain"),
        (
            .name(DNSFact(host: "a.test", type: "AAAA", reply: "silent", client: "::1")),
            "::1 queries a.test AAAA: silent"
        ),
        (
            .server(.accepted(connection: 1, client: "192.0.2.2", port: 7)),
            "connection 1 accepted from 192.0.2.2, port 7"
        ),
        (
            .server(.tlsEstablished(connection: 1, version: "TLS 1.3", serverName: "api.test")),
            "connection 1: TLS 1.3 established for api.test"
        ),
        (
            .server(.tlsEstablished(connection: 1, version: "TLS 1.2", serverName: nil)),
            "connection 1: TLS 1.2 established without a server name"
        ),
        (
            .server(.tlsHello(connection: 1, serverName: "a.test", alpn: ["h2", "x"])),
            "connection 1: ClientHello for a.test, ALPN h2 x"
        ),
        (
            .server(.tlsHello(connection: 1, serverName: nil, alpn: [])),
            "connection 1: ClientHello without a server name, no ALPN"
        ),
        (
            .server(
                .tlsAgreed(
                    connection: 1, TLSAgreement(cipher: "X", isResumed: true, earlyData: .refused, certificate: "CN=a")
                )),
            "connection 1: X, no ALPN, resumed, early data refused, showing CN=a, no client certificate"
        ),
        (.server(.tlsFailed(connection: 1, reason: "unknown CA")), "connection 1: TLS failed: unknown CA"),
        (
            .server(.requestHead(connection: 1, exchange: 2, request: 3, method: "GET", target: "/", headers: [])),
            "request 3 (connection 1, exchange 2): GET /"
        ),
        (
            .server(.requestEnded(request: 3, bodyBytes: 10, differsAt: 4, bodyText: nil)),
            "request 3 complete, body of 10 bytes, wrong from byte 4 on"
        ),
        (
            .server(.requestEnded(request: 3, bodyBytes: 2, differsAt: nil, bodyText: "hi")),
            "request 3 complete, body of 2 bytes: hi"
        ),
        (
            .server(.responseHead(request: 3, status: 204, headers: [HeaderField("A", "b")])),
            "response 3: status 204; A: b"
        ),
        (.server(.responseBody(request: 3, bytes: 5)), "response 3: 5 body bytes sent so far"),
        (.server(.responseEnded(request: 3, bytes: 5)), "response 3 complete, 5 body bytes sent"),
        (
            .server(.fault(connection: 1, request: nil, point: "accept", effect: "close")),
            "fault on connection 1: close at accept"
        ),
        (.server(.closed(connection: 1, by: .client)), "connection 1 closed by the client"),
        (.server(.closed(connection: 1, by: .reset)), "connection 1 reset"),
        (.server(.stream(request: 3, stream: 5, priority: "weight 16")), "request 3 is stream 5 of weight 16"),
        (
            .server(.frame(connection: 1, stream: 5, request: 3, by: .client, type: "RST_STREAM", text: "CANCEL")),
            "connection 1, stream 5, request 3: RST_STREAM from the client: CANCEL"
        ),
        (.server(.badRequest(connection: 1, reason: "no HTTP")), "connection 1: not understood: no HTTP"),
        (.command(sequence: 1, text: "hello"), "command 1 to the adapter: hello"),
        (.adapter(.started(pid: 5, command: "x")), "started as process 5: x"),
        (
            .adapter(.standardError("oh\u{1b}[2J\u{202e}no\r\n")),
            "writes to standard error: oh\\u{1b}[2J\\u{202e}no\\r\\n"
        ),
        (.adapter(.violation("no JSON", line: "{")), "breaks the protocol: no JSON: {"),
        (.adapter(.killed("hang")), "ended by the harness: hang"),
        (.adapter(.exited(code: 3)), "exits with status 3"),
        (.adapter(.signalled(11)), "ended by signal 11 (segmentation fault)"),
        (.adapter(.signalled(40)), "ended by signal 40"),
        (.adapter(.leftFiles([])), "has not left any file"),
        (.adapter(.leftFiles(["a", "b/c"])), "has left a, b/c"),
        (.adapter(.memory(peak: 10_240)), "has held at most 10 KiB of memory so far"),
        (.adapter(.truncatedOutput("{\"ev")), "leaves an unfinished line: {\"ev"),
        (.step("cancel first"), "step: cancel first"),
        (.note(.other("n")), "note: n"),
        (.runEnded(.pass), "run ends: pass"),
        (
            .runEnded(.fail(.crash, [Mismatch(check: "c", expected: "e", found: "f")])),
            "run ends: fail (crash), 1 mismatch"
        ),
        (.runEnded(.unsupported("needs http2")), "run ends: unsupported, needs http2"),
        (.runEnded(.skipped(after: "a/b")), "run ends: skipped, because a/b did not pass"),
        (.runEnded(.error("no tun")), "run ends: error, no tun"),
        (session(.didBecomeInvalid("main", error: nil)), "main.didBecomeInvalid"),
        (
            session(.didBecomeInvalid("main", error: Failure(domain: "Other", code: 4, text: "x"))),
            "main.didBecomeInvalid: Other 4 \"x\""
        ),
        (
            session(
                .hello(
                    .init(name: "N", version: "1", language: "Swift"), capabilities: ["data": true, "nonsense": false])),
            "hello from N 1 (Swift), offering 1 of 2 capabilities"
        ),
        (session(.unsupported(feature: "cache")), "the adapter does not support cache"),
        (session(.adapterFailed(message: "m")), "the adapter itself failed: m"),
        (session(.log("l")), "log: l"),
        (session(.unknown(name: "n", line: "{}")), "unknown event n: {}"),
        (task(.didCreateTask), "t.didCreateTask"),
        (task(.taskIsWaitingForConnectivity), "t.taskIsWaitingForConnectivity"),
        (
            task(
                .didReceiveChallenge(
                    .init(level: .task, method: "httpBasic", realm: "r", host: "h", previousFailureCount: 1))),
            "t.didReceiveChallenge: httpBasic challenge for the task, host h, realm \"r\", previous failures 1"
        ),
        (task(.needNewBodyStream), "t.needNewBodyStream"),
        (task(.willBeginDelayedRequest), "t.willBeginDelayedRequest"),
        (
            task(.didSendBodyData(sent: 1, totalSent: 2, expected: -1)),
            "t.didSendBodyData: 1 bytes, 2 of an unknown number of bytes"
        ),
        (task(.didReceiveInformationalResponse(status: 103)), "t.didReceiveInformationalResponse: 103"),
        (task(.willPerformRedirect(status: 301, url: "u", method: "GET")), "t.willPerformRedirect: 301, to GET u"),
        (
            task(.didReceiveResponse(.init(status: 200, url: "u", headers: [], expectedLength: -1))),
            "t.didReceiveResponse: status 200, an unknown number of bytes expected, u"
        ),
        (task(.didReceiveData([1, 2])), "t.didReceiveData: 2 bytes"),
        (task(.didBecomeDownload), "t.didBecomeDownload"),
        (task(.didResumeAtOffset(offset: 5, expected: 9)), "t.didResumeAtOffset: offset 5, 9 bytes expected in total"),
        (task(.didWriteData(written: 1, totalWritten: 2, expected: 3)), "t.didWriteData: 1 bytes, 2 of 3 bytes"),
        (task(.fileContent(offset: 4, [0])), "t.fileContent: 1 bytes from 4 on"),
        (task(.didFinishDownloading(length: 7)), "t.didFinishDownloading: file of 7 bytes"),
        (task(.willCacheResponse), "t.willCacheResponse"),
        (task(.didFinishCollectingMetrics(transactions: 1)), "t.didFinishCollectingMetrics: 1 transaction"),
        (
            task(
                .didFinishCollectingMetrics(
                    transactions: 1, metrics: TaskMetrics(redirects: 2, length: 3, transactions: [.init()]))),
            "t.didFinishCollectingMetrics: 1 transaction; 2 redirects in 3 µs; unknown, new connection, 0 bytes received, 0 decoded"
        ),
        (task(.didComplete(nil, resumeDataLength: nil)), "t.didComplete: no error"),
        (
            task(.didComplete(Failure(domain: Failure.urlErrorDomain, code: -1005, text: ""), resumeDataLength: 3)),
            "t.didComplete: networkConnectionLost (-1005), 3 bytes of resume data"
        ),
        (task(.completionHandler(nil, nil, resumeDataLength: nil)), "t.completionHandler: no response; no error"),
        (task(.resumeDataProduced(length: nil)), "t.resumeDataProduced: no resume data"),
        (
            task(
                .inspected(state: "running", bytesReceived: 1, bytesSent: 2, expectedToReceive: 3, expectedToSend: -1)),
            "t.inspected: running, received 1 of 3 bytes, sent 2 of an unknown number of bytes"
        ),
        (
            task(
                .cacheInspected(
                    TaskEvent.StoredResponse(
                        response: TaskEvent.Response(
                            status: 200, url: "http://a.test/", headers: [], expectedLength: 3), body: [1, 2, 3]),
                    usage: TaskEvent.CacheUsage(memory: 3, disk: 0))),
            "t.cacheInspected: status 200, 3 bytes expected, http://a.test/, 3 bytes stored, 3 bytes in memory, 0 bytes on disk"
        ),
        (
            task(.storeAccess(TaskEvent.StoreAccess(store: .cache, action: .write, url: "http://a.test/"))),
            "t.storeAccess: cache, write, http://a.test/"
        ),
        (task(.protocolLoad(number: 2, url: "moof://a")), "t.protocolLoad: class 2, moof://a"),
        (task(.propertyRead(.classes, "data upload")), "t.propertyRead: classes data upload"),
        (task(.propertyRead(.response, nil)), "t.propertyRead: response nothing"),
        (task(.cacheInspected(nil, usage: TaskEvent.CacheUsage())), "t.cacheInspected: nothing stored"),
        (task(.callbackBegan(.didComplete, isOnQueue: true)), "t.callbackBegan: didComplete"),
        (
            task(.callbackBegan(.didComplete, isOnQueue: false)),
            "t.callbackBegan: didComplete, not on the session's queue"
        ),
        (task(.streamRead([1, 2], isAtEnd: true, nil)), "t.streamRead: 2 bytes, the last"),
        (task(.streamWritten(nil)), "t.streamWritten"), (task(.readClosed), "t.readClosed"),
        (task(.writeClosed), "t.writeClosed"),
        (task(.didBecomeStreams), "t.didBecomeStreams"),
        (task(.callbackEnded(.didComplete)), "t.callbackEnded: didComplete"),
        (
            task(.progressRead(ProgressReading(completed: 1, total: 4, fraction: 0.25))),
            "t.progressRead: 1 of 4, fraction 0.25"
        ),
        (task(.retainedContent(offset: 65_536, [1, 2])), "t.retainedContent: 2 bytes from 65536 on"),
        (
            task(.retained(length: 65_538, isInPlace: false)),
            "t.retained: 65538 bytes kept, the file is missing from its location"
        ),
        (task(.retained(length: nil, isInPlace: true)), "t.retained: nothing kept, the file is at its location"),
        (task(.retained(length: nil, isInPlace: nil)), "t.retained: nothing kept"),
        (
            .server(.interim(request: 2, status: 103, headers: [HeaderField("Link", "</a>")])),
            "response 2: interim 103; Link: </a>"
        ),
        (.server(.surplus(request: 2, bytes: 6)), "response 2: 6 bytes after its end"),
        (
            .server(.acknowledged(connection: 1, request: 2, bytes: 9)),
            "response 2: 9 body bytes acknowledged by the client's kernel"
        ),
    ]

    private static func session(_ kind: SessionEvent.Kind) -> RecordEntry.Fact {
        .session(SessionEvent(sequence: 1, time: 0, kind: kind))
    }
    private static func task(_ event: TaskEvent) -> RecordEntry.Fact { session(.task("t", event)) }

    @Test(arguments: facts)
    func `every fact is formatted as one sentence`(fact: RecordEntry.Fact, line: String) {
        #expect(RecordEntryFormat.line(fact) == line)
    }

    @Test func `every task event is covered`() {
        let names = Self.facts.compactMap { fact, _ -> TaskEventName? in
            guard case .session(let event) = fact, case .task(_, let event) = event.kind else { return nil }
            return event.name
        }
        #expect(Set(names) == Set(TaskEventName.allCases))
    }

    @Test func `a long line is cut`() {
        let line = RecordEntryFormat.line(.note(.other(String(repeating: "x", count: 1000))))
        #expect(line.count == 240 && line.hasSuffix("x…"))
    }

    @Test func `times are relative to the start of the run`() {
        let start: Int64 = 5_000_000_000
        let line = { RecordEntryFormat.line(RecordEntry(time: start + $0, fact: .note(.other("n"))), start: start) }
        #expect(line(0) == " +0.000000 s  harness  note: n")
        #expect(line(12_345_678_999) == "+12.345678 s  harness  note: n")
        // An event of the adapter may carry a time before the first entry.
        #expect(line(-1_500) == " -0.000001 s  harness  note: n")
    }
}
