import AdapterProtocol
import LinkEmulator
import Testing

@testable import Record

/// Tests of the format through golden lines, which other programs read: a change here is a new version of the record.
@Suite struct RecordLineTests {
    private static let header = RunHeader(
        scenario: "resume/reset-at-byte", file: "Scenarios/resume/reset-at-byte.yaml", title: "A \"download\"\nresumes",
        proves: ["DNLD-09"],
        adapter: "foundation", engine: "kernel", seed: .max, repetition: 2)

    private static let reported = RunHeader(
        scenario: "a", file: "a.yaml", title: "A", proves: [], adapter: "x", engine: "kernel", seed: 1, repetition: 1,
        cites: ["RFC 9110 §15.4"], report: "issue 7")

    private static let universal = RunHeader(
        scenario: "a", file: "a.yaml", title: "A", proves: [], adapter: "x", engine: "kernel", seed: 1, repetition: 1,
        basis: .rfc, profile: .httpClient)

    static let golden: [(RecordEntry.Fact, String)] = [
        (
            .runStarted(universal),
            #"{"adapter":"x","at":5,"basis":"rfc","engine":"kernel","fact":"runStarted","file":"a.yaml","profile":"http-client","proves":[],"repetition":1,"scenario":"a","seed":"1","title":"A","v":2}"#
        ),
        (
            .notJudged(NotJudged(check: "redirect", line: 12, reason: .unreported(["willPerformRedirect"]))),
            #"{"at":5,"check":"redirect","events":["willPerformRedirect"],"fact":"notJudged","line":12}"#
        ),
        (
            .notJudged(NotJudged(check: "order", line: 3, reason: .outside(.browser, .policy))),
            #"{"at":5,"basis":"policy","check":"order","fact":"notJudged","line":3,"profile":"browser"}"#
        ),
        (
            .runStarted(reported),
            #"{"adapter":"x","at":5,"cites":["RFC 9110 §15.4"],"engine":"kernel","fact":"runStarted","file":"a.yaml","proves":[],"repetition":1,"report":"issue 7","scenario":"a","seed":"1","title":"A","v":2}"#
        ),
        (
            .runStarted(header),
            #"{"adapter":"foundation","at":5,"engine":"kernel","fact":"runStarted","file":"Scenarios/resume/reset-at-byte.yaml","proves":["DNLD-09"],"repetition":2,"scenario":"resume/reset-at-byte","seed":"18446744073709551615","title":"A \"download\"\nresumes","v":2}"#
        ),
        (
            .network(.interfaceState(.wifi, .noRoute)),
            #"{"at":5,"fact":"interfaceState","interface":"wifi","state":"noRoute"}"#
        ),
        (
            .network(.conditionRequested(.cellular, .uplink, "12Mbit/s")),
            #"{"at":5,"direction":"uplink","fact":"conditionAsked","interface":"cellular","text":"12Mbit/s"}"#
        ),
        (
            .network(
                .conditionMeasured(
                    .wired, .downlink,
                    .init(
                        means: .probe, packets: 20, lost: 1, delayMinimum: 1, delayMedian: 2, delayMaximum: 3,
                        bitsPerSecond: 4,
                        lateness: 5,
                        text: "t"))),
            #"{"at":5,"bitsPerSecond":4,"delayMaximum":3,"delayMedian":2,"delayMinimum":1,"direction":"downlink","fact":"conditionMeasured","interface":"wired","lateness":5,"lost":1,"means":"probe","packets":20,"text":"t"}"#
        ),
        (
            .network(.conditionMeasured(.wifi, .downlink, .init(means: .traffic, packets: 0, lost: 0, text: ""))),
            #"{"at":5,"direction":"downlink","fact":"conditionMeasured","interface":"wifi","lost":0,"means":"traffic","packets":0,"text":""}"#
        ),
        (
            .network(.packet(.wifi, .downlink, index: 1, length: 60, fate: .changed("lost"), summary: "TCP SYN")),
            #"{"at":5,"direction":"downlink","fact":"packet","fate":"lost","interface":"wifi","length":60,"number":1,"summary":"TCP SYN"}"#
        ),
        (
            .network(.resetLost(.wifi, .downlink)),
            #"{"at":5,"direction":"downlink","fact":"resetLost","interface":"wifi"}"#
        ),
        (
            .network(.packetCounts(.wifi, .uplink, packets: 7, bytes: 420)),
            #"{"at":5,"bytes":420,"direction":"uplink","fact":"packetCounts","interface":"wifi","packets":7}"#
        ),
        (
            .network(.interfaceChanged(.wifi, "down, route through eth0")),
            #"{"at":5,"fact":"interfaceChanged","interface":"wifi","text":"down, route through eth0"}"#
        ),
        (.network(.dnsService("* silent")), #"{"at":5,"fact":"nameService","text":"* silent"}"#),
        (
            .name(DNSFact(host: "api.test", type: "AAAA", reply: "nxdomain", client: "192.0.2.2")),
            #"{"at":5,"client":"192.0.2.2","fact":"query","host":"api.test","reply":"nxdomain","type":"AAAA"}"#
        ),
        (
            .server(.accepted(connection: 1, client: "192.0.2.2", port: 40312)),
            #"{"at":5,"client":"192.0.2.2","connection":1,"fact":"accepted","port":40312}"#
        ),
        (
            .server(.tlsEstablished(connection: 1, version: "1.3", serverName: "api.test")),
            #"{"at":5,"connection":1,"fact":"tlsEstablished","serverName":"api.test","version":"1.3"}"#
        ),
        (
            .server(.tlsEstablished(connection: 1, version: "1.2", serverName: nil)),
            #"{"at":5,"connection":1,"fact":"tlsEstablished","version":"1.2"}"#
        ),
        (
            .server(.tlsHello(connection: 1, serverName: "api.test", alpn: ["h2", "http/1.1"])),
            #"{"alpn":["h2","http/1.1"],"at":5,"connection":1,"fact":"tlsHello","serverName":"api.test"}"#
        ),
        (
            .server(.tlsHello(connection: 1, serverName: nil, alpn: [])),
            #"{"alpn":[],"at":5,"connection":1,"fact":"tlsHello"}"#
        ),
        (
            .server(
                .tlsAgreed(connection: 1, TLSAgreement(cipher: "X", alpn: "h2", isResumed: true, certificate: "CN=a"))),
            #"{"alpn":"h2","at":5,"certificate":"CN=a","cipher":"X","connection":1,"earlyData":"notSent","fact":"tlsAgreed","resumed":"yes"}"#
        ),
        (
            .server(
                .tlsAgreed(connection: 1, TLSAgreement(cipher: "X", earlyData: .refused, clientCertificate: "CN=c"))),
            #"{"at":5,"cipher":"X","clientCertificate":"CN=c","connection":1,"earlyData":"refused","fact":"tlsAgreed","resumed":"no"}"#
        ),
        (
            .server(.tlsFailed(connection: 2, reason: "alert 48")),
            #"{"at":5,"connection":2,"fact":"tlsFailed","reason":"alert 48"}"#
        ),
        (
            .server(
                .requestHead(
                    connection: 1, exchange: 2, request: 3, method: "GET", target: "/big?x",
                    headers: [
                        HeaderField("Host", "api.test"), HeaderField("Accept", "*/*"), HeaderField("Accept", "b"),
                    ])),
            #"{"at":5,"connection":1,"exchange":2,"fact":"requestHead","headers":[["Host","api.test"],["Accept","*/*"],["Accept","b"]],"method":"GET","request":3,"target":"/big?x"}"#
        ),
        (
            .server(.requestEnded(request: 3, bodyBytes: 5, differsAt: 4, bodyText: "hello")),
            #"{"at":5,"bodyBytes":5,"bodyText":"hello","differsAt":4,"fact":"requestEnded","request":3}"#
        ),
        (
            .server(.requestEnded(request: 3, bodyBytes: 0, differsAt: nil, bodyText: nil)),
            #"{"at":5,"bodyBytes":0,"fact":"requestEnded","request":3}"#
        ),
        (
            .server(.responseHead(request: 3, status: 206, headers: [])),
            #"{"at":5,"fact":"responseHead","headers":[],"request":3,"status":206}"#
        ),
        (
            .server(.responseBody(request: 3, bytes: 65_536)),
            #"{"at":5,"bytes":65536,"fact":"responseBody","request":3}"#
        ),
        (
            .server(.responseEnded(request: 3, bytes: 65_536)),
            #"{"at":5,"bytes":65536,"fact":"responseEnded","request":3}"#
        ),
        (
            .server(.interim(request: 3, status: 103, headers: [HeaderField("Link", "</a>")])),
            #"{"at":5,"fact":"interim","headers":[["Link","</a>"]],"request":3,"status":103}"#
        ),
        (.server(.surplus(request: 3, bytes: 6)), #"{"at":5,"bytes":6,"fact":"trailingBytes","request":3}"#),
        (
            .server(.acknowledged(connection: 2, request: 3, bytes: 65_536)),
            #"{"at":5,"bytes":65536,"connection":2,"fact":"acknowledged","request":3}"#
        ),
        (
            .server(.fault(connection: 1, request: 3, point: "response body byte 65536", effect: "reset")),
            #"{"at":5,"connection":1,"effect":"reset","fact":"fault","point":"response body byte 65536","request":3}"#
        ),
        (
            .server(.fault(connection: 1, request: nil, point: "accept", effect: "close")),
            #"{"at":5,"connection":1,"effect":"close","fact":"fault","point":"accept"}"#
        ),
        (.server(.closed(connection: 1, by: .reset)), #"{"at":5,"by":"reset","connection":1,"fact":"closed"}"#),
        (
            .server(.stream(request: 3, stream: 5, priority: "weight 16, depends on 0")),
            #"{"at":5,"fact":"stream","priority":"weight 16, depends on 0","request":3,"stream":5}"#
        ),
        (.server(.stream(request: 3, stream: 5, priority: nil)), #"{"at":5,"fact":"stream","request":3,"stream":5}"#),
        (
            .server(.frame(connection: 1, stream: 5, request: 3, by: .client, type: "RST_STREAM", text: "CANCEL")),
            #"{"at":5,"by":"client","connection":1,"fact":"frame","request":3,"stream":5,"text":"CANCEL","type":"RST_STREAM"}"#
        ),
        (
            .server(.frame(connection: 1, stream: 0, request: nil, by: .server, type: "PING", text: "")),
            #"{"at":5,"by":"server","connection":1,"fact":"frame","stream":0,"text":"","type":"PING"}"#
        ),
        (
            .server(.badRequest(connection: 1, reason: "r")),
            #"{"at":5,"connection":1,"fact":"badRequest","reason":"r"}"#
        ),
        (.command(sequence: 4, text: "resume first"), #"{"at":5,"fact":"command","seq":4,"text":"resume first"}"#),
        (
            .session(SessionEvent(sequence: 9, time: 4, kind: .task("first", .didReceiveData([0, 255])))),
            #"{"at":5,"event":{"base64":"AP8=","event":"didReceiveData","length":2,"seq":9,"task":"first","time":4,"v":2},"fact":"session"}"#
        ),
        (
            .session(
                SessionEvent(
                    sequence: 9, time: 4,
                    kind: .task("first", .didComplete(Failure(domain: "d", code: -1, text: "t"), resumeDataLength: 3)))),
            #"{"at":5,"event":{"error":{"code":-1,"domain":"d","text":"t"},"event":"didComplete","resumeDataLength":3,"seq":9,"task":"first","time":4,"v":2},"fact":"session"}"#
        ),
        (.adapter(.started(pid: 12, command: "a b")), #"{"at":5,"command":"a b","fact":"adapterStarted","pid":12}"#),
        (.adapter(.standardError("é\u{1b}")), "{\"at\":5,\"fact\":\"standardError\",\"text\":\"é\\u001b\"}"),
        (.adapter(.violation("gap", line: "{}")), #"{"at":5,"fact":"violation","line":"{}","text":"gap"}"#),
        (.adapter(.killed("timeout: time")), #"{"at":5,"fact":"killed","reason":"timeout: time"}"#),
        (.adapter(.exited(code: 3)), #"{"at":5,"code":3,"fact":"exited"}"#),
        (.adapter(.signalled(11)), #"{"at":5,"fact":"signalled","signal":11}"#),
        (.adapter(.leftFiles(["a", "b/c"])), #"{"at":5,"fact":"filesLeft","files":["a","b/c"]}"#),
        (
            .adapter(.process(generation: 2, "launched")),
            #"{"at":5,"change":"launched","fact":"process","generation":2}"#
        ),
        (
            .adapter(.relaunchRequested(arguments: ["updates"])),
            #"{"arguments":["updates"],"at":5,"fact":"relaunchRequested"}"#
        ),
        (
            .adapter(.connectionOwner(connection: 3, .daemon)),
            #"{"at":5,"connection":3,"fact":"connectionOwner","owner":"daemon"}"#
        ),
        (
            .network(.power(PowerState(isExternal: false, battery: 40))),
            #"{"at":5,"battery":40,"external":false,"fact":"power"}"#
        ),
        (.adapter(.memory(peak: 4_096)), #"{"at":5,"fact":"memory","peak":4096}"#),
        (.adapter(.truncatedOutput("{")), #"{"at":5,"fact":"truncatedOutput","text":"{"}"#),
        (.step("await"), #"{"at":5,"fact":"step","text":"await"}"#),
        (.adapter(.killed("interrupted")), #"{"at":5,"fact":"killed","reason":"interrupted"}"#),
        (.stepsBegan, #"{"at":5,"fact":"step","text":"the steps begin"}"#),
        (.note(.other("n")), #"{"at":5,"fact":"note","text":"n"}"#),
        (.note(.harnessFault("no TUN")), #"{"at":5,"fact":"note","text":"harness fault: no TUN"}"#),
        (.note(.conditionNotKept("late")), #"{"at":5,"fact":"note","text":"the condition was not kept: late"}"#),
        (.note(.unsupported("tls")), #"{"at":5,"fact":"note","text":"unsupported: tls"}"#),
        (
            .network(.packet(.wifi, .uplink, index: 2, length: 60, fate: .dropped("loss"), summary: "UDP")),
            #"{"at":5,"direction":"uplink","fact":"packet","fate":"dropped: loss","interface":"wifi","length":60,"number":2,"summary":"UDP"}"#
        ),
        (
            .network(.packet(.wifi, .uplink, index: 1, length: 60, fate: .passes, summary: "UDP")),
            #"{"at":5,"direction":"uplink","fact":"packet","fate":"passes","interface":"wifi","length":60,"number":1,"summary":"UDP"}"#
        ),
        (
            .server(
                .fault(
                    connection: 1, request: nil, point: "idle",
                    effect: "pause: 1.0 seconds, 2.0 seconds after")),
            #"{"at":5,"connection":1,"effect":"pause: 1.0 seconds, 2.0 seconds after","fact":"fault","point":"idle"}"#
        ),
        (
            .network(
                .conditionMeasured(
                    .wifi, .uplink, .init(means: .probe, packets: 1, lost: 0, isPastFilters: true, text: ""))),
            #"{"at":5,"direction":"uplink","fact":"conditionMeasured","interface":"wifi","lost":0,"means":"probe","packets":1,"pastFilters":true,"text":""}"#
        ),
        (.runEnded(.pass), #"{"at":5,"fact":"runEnded","outcome":"pass"}"#),
        (
            .runEnded(
                .fail(
                    .wrong,
                    [
                        Mismatch(check: "file", line: 3, expected: "e", found: "f", evidence: [1, 2]),
                        Mismatch(check: "i", expected: "", found: ""),
                    ])),
            #"{"at":5,"fact":"runEnded","kind":"wrong","mismatches":[{"check":"file","evidence":[1,2],"expected":"e","found":"f","line":3},{"check":"i","evidence":[],"expected":"","found":""}],"outcome":"fail"}"#
        ),
        (.runEnded(.unsupported("tls")), #"{"at":5,"fact":"runEnded","outcome":"unsupported","reason":"tls"}"#),
        (.runEnded(.skipped(after: "a/b")), #"{"at":5,"dependsOn":"a/b","fact":"runEnded","outcome":"skipped"}"#),
        (.runEnded(.error("no disk")), #"{"at":5,"fact":"runEnded","outcome":"error","reason":"no disk"}"#),
    ]

    @Test(arguments: golden.indices)
    func `every fact has its line and is read back from it`(index: Int) throws {
        let (fact, line) = Self.golden[index]
        let entry = RecordEntry(time: 5, fact: fact)
        #expect(entry.encodedLine() == line)
        #expect(try RecordEntry.decode(line: line) == entry)
    }

    @Test func `a fact from a newer version is kept as a note`() throws {
        let line = #"{"at":7,"fact":"teleported","to":"mars"}"#
        #expect(try RecordEntry.decode(line: line) == RecordEntry(time: 7, fact: .note(.other(line))))
    }

    @Test func `an event from a newer adapter is kept`() throws {
        let event = SessionEvent(sequence: 3, time: 4, kind: .unknown(name: "didDream", line: #"{"event":"didDream"}"#))
        let entry = RecordEntry(time: 5, fact: .session(event))
        #expect(try RecordEntry.decode(line: entry.encodedLine()) == entry)
    }

    @Test(arguments: [
        (#"{"at":5"#, "not a JSON object"), ("[]", "not a JSON object"), (#"{"at":5}"#, "without a usable 'fact'"),
        (#"{"fact":"note","text":"n"}"#, "without a usable 'at'"),
        (#"{"at":5,"fact":"note"}"#, "without a usable 'text'"),
        (#"{"at":5,"fact":"closed","by":"x","connection":"1"}"#, "without a usable 'connection'"),
        (#"{"at":5,"fact":"interfaceState","interface":"satellite","state":"up"}"#, "without a usable 'interface'"),
        (#"{"at":5,"fact":"responseHead","headers":[["a"]],"request":3,"status":206}"#, "without a usable 'headers'"),
        (#"{"at":5,"fact":"exited","code":9999999999}"#, "without a usable 'code'"),
        (
            #"{"at":5,"fact":"packetCounts","interface":"wifi","direction":"uplink","packets":-1,"bytes":0}"#,
            "without a usable 'packets'"
        ),
        (
            #"{"at":5,"fact":"runEnded","outcome":"fail","kind":"wrong","mismatches":[{"check":"c","expected":"e","found":"f","evidence":["x"]}]}"#,
            "'evidence'"
        ),
        (#"{"at":5,"fact":"session","event":{"event":"didReceiveData"}}"#, "without a usable 'event"),
        (#"{"at":5,"fact":"runStarted","v":1}"#, "record version 1, but this program reads version 2"),
        (#"{"at":5,"fact":"runStarted"}"#, "record version none"),
    ])
    func `the error for a wrong line names the problem`(line: String, message: String) {
        let error = #expect(throws: RecordError.self) { try RecordEntry.decode(line: line) }
        #expect(error.map { "\($0)".contains(message) } == true, "\(String(describing: error))")
    }
}
