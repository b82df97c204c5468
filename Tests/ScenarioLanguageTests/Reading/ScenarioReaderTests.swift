@testable import Record
import AdapterProtocol
import LinkEmulator
import Testing

@testable import ScenarioLanguage
@testable import Conformance

/// Tests of the reader. The values in the samples differ from every default, so that a dropped or swapped field is
/// found.
struct ScenarioReaderTests {
    @Test func `the smallest scenario gets the documented defaults`() throws {
        let scenario = try ScenarioReader.read(path: Sample.folder + "/minimal.yaml").get()
        #expect(scenario.id == "minimal")
        #expect(scenario.proves == ["DATA-01"])
        #expect(scenario.limit == .seconds(20))
        #expect(scenario.requestBudget == 50)
        #expect(scenario.network.interfaces.map(\.kind) == [.wifi])
        #expect(scenario.network.interfaces.first?.link.name == "good-wifi")
        #expect(scenario.network.families == .both)
        #expect(scenario.network.dns.rules == [DNSRule(host: "api.test", content: .origin)])
        #expect(scenario.sessions == [SessionPlan(name: .main, configuration: SessionConfiguration())])
        var task = TaskDescription(task: "task1", kind: .data, url: "http://api.test/hello")
        task.session = .main
        #expect(scenario.script == [.task(task, body: nil, starts: true)])
        #expect(scenario.needs.isSuperset(of: [.data, .delegate]))
        #expect(!scenario.needs.contains(.tls))
        #expect(scenario.expectations.map(\.line) == [8])
    }

    @Test func `a resumed download keeps its URL and names its source`() throws {
        let scenario = try ScenarioReader.read(file: "x", text: try Sample.text("resumes.yaml")).get()
        #expect(
            scenario.origin.faults == [
                Fault(point: .responseBody(65536), effect: .reset, scope: Fault.Scope(request: 1))
            ])
        guard case .task(let second, _, true) = scenario.script.last else {
            Issue.record("the last step makes no task")
            return
        }
        #expect(second.kind == .download)
        #expect(second.resumesFrom == "first")
        #expect(second.url == "http://api.test/big")
        #expect(scenario.script[1] == .await(Trigger(.event("first", .didComplete, count: 1))))
        #expect(scenario.needs.isSuperset(of: [.download, .resumeData, .delegate]))
    }

    @Test func `an await can also end with the tasks, and a change can stop the program`() throws {
        let text = """
            scenario: A body
            proves: [DATA-01]
            origin: { /a: { text: hello } }
            steps:
              - { data: /a, as: first }
              - { await: first.didReceiveData, orTasksEnd: true }
              - { await: { request: 2 } }
              - { set: { program: stopped } }
              - { set: { program: running } }
            expect:
              - requests: { count: 1 }
            """
        let scenario = try ScenarioReader.read(file: "a.yaml", text: text).get()
        var awaited = Trigger(.event("first", .didReceiveData, count: 1))
        awaited.orTasksEnd = true
        #expect(
            scenario.script.dropFirst() == [
                .await(awaited), .await(Trigger(.request(2))), .change([.program(.state(.stopped))]),
                .change([.program(.state(.running))]),
            ])
    }

    @Test func `every construct of the language reaches the model`() throws {
        let scenario = try ScenarioReader.read(
            file: "a/Scenarios/b/everything.yaml", text: try Sample.text("everything.yaml")
        )
        .get()
        #expect(scenario.id == "b/everything")
        #expect(scenario.cites == ["RFC 9110 §15.4", "RFC 9112 §9.3.1"])
        #expect(scenario.report == "https://example.org/issues/7")
        #expect(scenario.tags == ["slow", "sample"])
        #expect(scenario.after == "other/first")
        #expect(scenario.limit == .seconds(30))
        #expect(scenario.requestBudget == 40)
        checkNetwork(scenario.network)
        checkOrigin(scenario.origin)
        checkSessions(scenario.sessions)
        checkScript(scenario.script)
        checkTimeline(scenario.timeline)
        #expect(
            scenario.needs.isSuperset(of: [
                .metrics, .data, .upload, .download, .delegate, .completionHandler, .resumeData,
                .cancelProducingResumeData,
                .suspend,
                .cancel, .invalidate, .waitsForConnectivity, .requestTimeout, .resourceTimeout,
                .maximumConnectionsPerHost, .pipelining,
                .sessionHeaders, .allowsCellularAccess, .tls, .tlsVersionLimits, .serverTrustChallenge, .basicChallenge,
                .digestChallenge, .redirectDecision, .responseDisposition, .becomeDownload, .inspectTask,
            ]))
        #expect(!scenario.needs.contains(.backgroundSession))
    }

    private func checkNetwork(_ network: NetworkPlan) {
        #expect(network.families == .ipv6)
        #expect(network.nat64 == NAT64Plan(prefix: "2001:db8:64::/96", dns64: true))
        let cellular = network.interfaces.first { $0.kind == .cellular }
        #expect(cellular?.state == .down)
        #expect(cellular?.link.name == "custom")
        #expect(
            cellular?.link.downlink.effects.contains(.delay(.milliseconds(80), jitter: nil)) == true
                && cellular?.link.downlink.effects.contains(.loss(.independent(Probability(0.02)!))) == true
                && cellular?.link.downlink.effects.contains(.mtu(1400)) == true)
        #expect(cellular?.link.uplink.effects.contains(.rate(BitRate(bitsPerSecond: 1_500_000)!)) == true)
        #expect(
            cellular?.link.uplink.effects.contains(.delay(.milliseconds(35), jitter: nil)) == true,
            "the profile's own delay stays")
        #expect(
            cellular?.link.uplink.effects.filter(Impairment.rate.matches).count == 1,
            "the profile's own rate is replaced")
        #expect(
            cellular?.link.downlink.effects.filter(Impairment.delay.matches).count == 1,
            "the profile's own delay is replaced")
        let wired = network.interfaces.first { $0.kind == .wired }
        #expect(
            wired?.link.downlink.effects == [
                .delay(
                    .milliseconds(15),
                    jitter: .init(amount: .milliseconds(5), distribution: .uniform, allowsReordering: true)),
                .loss(
                    .gilbertElliott(
                        p: Probability(0.004)!, r: Probability(0.2)!, lossInBad: .certain, lossInGood: .zero)),
                .duplicate(Probability(0.01)!), .reorder(Probability(0.005)!), .corrupt(Probability(0.01)!),
                .queue(bytes: ByteCount(65536)!, packets: 100),
                .outages(every: .seconds(10), lasting: .milliseconds(500)),
            ])
        #expect(wired?.link.uplink == wired?.link.downlink)
        #expect(
            network.dns.rules == [
                DNSRule(host: "slow.test", content: .origin, delay: .seconds(3)),
                DNSRule(host: "gone.test", content: .nxdomain),
                DNSRule(host: "dead.test", content: .silent),
                DNSRule(host: "lit.test", content: .addresses(["203.0.113.99", "2001:db8::1"])),
                DNSRule(host: "*", content: .servfail),
            ])
    }

    private func checkOrigin(_ origin: OriginPlan) {
        #expect(origin.tls?.certificate == .expired)
        #expect(origin.tls?.minimumVersion == "1.2")
        #expect(origin.idleTimeout == .seconds(1))
        var big = Resource(body: .pattern(ByteCount(1 << 20)!))
        big.etag = "\"v1\""
        big.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
        big.contentType = "application/zip"
        big.headers = [HeaderField("X-A", "1"), HeaderField("Set-Cookie", "a=1"), HeaderField("Set-Cookie", "b=2")]
        big.framing = .chunked
        big.replacedAt = .init(
            request: 2, etag: "\"v2\"", lastModified: "Mon, 07 Nov 1994 08:49:37 GMT",
            body: .pattern(ByteCount(2 << 20)!))
        #expect(origin.routes.first { $0.path == "/big" }?.content == .resource(big))
        #expect(origin.routes.first { $0.path == "/big" }?.delay == .seconds(2))
        #expect(
            origin.routes.first { $0.path == "/secret" }?.authentication
                == AuthenticationPlan(scheme: .basic, user: "u", password: "p", realm: "lab"))
        #expect(
            origin.routes.first { $0.path == "/digest" }?.authentication
                == AuthenticationPlan(
                    scheme: .digest(.init(algorithm: .md5, nonceUses: 1)), user: "u", password: "p", realm: "lab"))
        #expect(origin.routes.first { $0.path == "/old" }?.content == .redirect(status: 307, to: "/hello"))
        #expect(origin.routes.first { $0.path == "/echo" }?.content == .echo)
        #expect(origin.routes.first { $0.host == "other.test" }?.path == "/x")
        #expect(
            Array(origin.faults.prefix(9)) == [
                Fault(point: .accept, effect: .close, scope: .init(connection: 3)),
                Fault(point: .tlsClientHello, effect: .tlsAlert(40), scope: .init(connection: 4)),
                Fault(point: .requestHead, effect: .halfClose, scope: .init(request: 9)),
                Fault(point: .requestBody(10240), effect: .pause(.seconds(2)), scope: .init(path: "/echo", first: 2)),
                Fault(
                    point: .responseHead(after: 0), effect: .garbage("\0\u{1}\r\n"),
                    scope: .init(path: "/hello", every: 3)),
                Fault(point: .responseHead(after: 12), effect: .stall, scope: .init(request: 7)),
                Fault(
                    point: .responseBody(65536), effect: .throttle(BitRate(bitsPerSecond: 10000)!),
                    scope: .init(request: 1, path: "/big")),
                Fault(point: .idle, effect: .reset), Fault(point: .reusedRequest, effect: .close),
            ])
    }

    private func checkSessions(_ sessions: [SessionPlan]) {
        var main = SessionConfiguration()
        main.kind = .standard
        main.waitsForConnectivity = true
        main.requestTimeout = .seconds(2)
        main.resourceTimeout = .seconds(5)
        main.headers = [HeaderField("X-S", "yes")]
        main.maximumConnectionsPerHost = 1
        main.pipelining = true
        main.delegateQueue = DelegateQueue(width: 4)
        main.delegateMethods = .completion
        main.allowsCellularAccess = false
        main.allowsExpensiveNetworkAccess = false
        main.allowsConstrainedNetworkAccess = false
        main.minimumTLSVersion = .tls12
        main.maximumTLSVersion = .tls13
        #expect(
            sessions == [
                SessionPlan(name: .main, configuration: main),
                SessionPlan(name: "other", configuration: SessionConfiguration()),
            ])
    }

    private func checkScript(_ script: [ScriptStep]) {
        var first = TaskDescription(task: "first", kind: .data, url: "https://api.test/hello")
        first.session = "other"
        first.method = "POST"
        first.headers = [HeaderField("X-B", "two")]
        first.timeout = .seconds(1)
        first.policies.challenges = [
            .credential(user: "u", password: "p"), .cancel, .performDefaultHandling, .rejectProtectionSpace,
        ]
        first.policies.redirect = .refuse
        first.policies.response = .becomeDownload
        var second = TaskDescription(task: "task2", kind: .upload, url: "https://up.test/echo?x=1")
        second.method = "POST"
        second.delivery = .completionHandler
        second.asyncMethod = .result
        second.policies.redirect = .to(url: "https://api.test/hello", method: "GET", body: "b")
        var third = TaskDescription(task: "third", kind: .download, url: "https://other.test/x")
        third.policies.redirect = .to(url: "https://api.test/hello")
        var fourth = TaskDescription(task: "fourth", kind: .download, url: "https://other.test/x")
        fourth.resumesFrom = "third"
        let expected: [ScriptStep] = [
            .task(first, body: BodyPlan(content: .text("text")), starts: false), .command(.resume("first")),
            .command(.suspend("first")),
            .command(.resume("first")),
            .await(Trigger(.event("first", .didComplete, count: 1))),
            .command(.inspect("first")),
            .task(
                second, body: BodyPlan(content: .pattern(ByteCount(10240)!), source: .file, fileName: "50% é.bin"),
                starts: true),
            .task(third, body: nil, starts: true),
            .await(Trigger(.event("third", .didWriteData, count: 2), delay: .milliseconds(100))),
            .await(Trigger(.event("task2", .completionHandler, count: 1))), .await(Trigger(.sinceStart(.seconds(2)))),
            .command(.cancelProducingResumeData("third")),
            .await(Trigger(.event("third", .resumeDataProduced, count: 1))),
            .task(fourth, body: nil, starts: true),
            .change([
                .interfaceState(.wifi, .down), .link(.cellular, NetworkReader.link(named: "edge")),
                .name(DNSRule(host: "gone.test", content: .origin)),
            ]), .command(.cancel("fourth")), .command(.invalidate("other", cancelling: false)),
            .await(Trigger(.sessionEvent("other", .didBecomeInvalid, count: 1))),
        ]
        #expect(script.count > expected.count, "later additions to the language follow")
        for (step, wanted) in zip(script, expected) { #expect(step == wanted) }
    }

    private func checkTimeline(_ timeline: [TimelineEntry]) {
        #expect(
            timeline.map(\.trigger) == [
                Trigger(.responseSent(bytes: 65536, request: 1)), Trigger(.request(2), delay: .milliseconds(500)),
                Trigger(.connection(1)), Trigger(.query(host: "slow.test", count: 2)),
                Trigger(.packet(.wifi, .uplink, count: 10)),
                Trigger(.event("first", .didCreateTask, count: 1)),
            ])
        #expect(
            timeline[1].changes == [
                .link(.cellular, NetworkReader.link(named: "lte")), .interfaceState(.cellular, .up),
            ])
        guard case .link(.cellular, let link) = timeline[2].changes.first else {
            Issue.record("no link change")
            return
        }
        #expect(link.downlink.effects.contains(.loss(.packets([4, 5]))))
        #expect(
            link.downlink.effects.contains(.delay(.milliseconds(80), jitter: nil)),
            "starts from what `network` says, not from a perfect wire")
        #expect(timeline[3].changes == [.name(DNSRule(host: "slow.test", content: .refused))])
    }

    @Test(arguments: ["network: none", "network: {}"])
    func `an empty network has no interface`(line: String) throws {
        let text = Sample.good(replacing: "network: { wifi: good-wifi }", with: line)
        let scenario = try ScenarioReader.read(file: "x", text: text).get()
        #expect(scenario.network.interfaces.isEmpty)
    }

    @Test func `anchors and aliases are resolved`() throws {
        let text = Sample.good(replacing: "  /a: { text: hi }", with: "  /a: &route { text: hi }\n  /b: *route")
        let scenario = try ScenarioReader.read(file: "x", text: text).get()
        #expect(scenario.origin.routes.map(\.path) == ["/a", "/b"])
        #expect(scenario.origin.routes[0].content == scenario.origin.routes[1].content)
    }

    @Test func `with a rule for all other names, used hosts are not added`() throws {
        let scenario = try ScenarioReader.read(file: "x", text: Sample.good + "\ndns: { '*': silent }").get()
        #expect(scenario.network.dns.rules == [DNSRule(host: "*", content: .silent)])
    }

    @Test func `a scenario cites sections and a report instead of a requirement`() throws {
        let claims = "cites: [RFC 9110 §15.4, Fetch §4.4]\nreport: https://example.org/issues/7"
        let text = Sample.good(replacing: "proves: [DATA-01]", with: claims)
        let scenario = try ScenarioReader.read(file: "f.yaml", text: text).get()
        #expect(scenario.proves == [])
        #expect(scenario.cites == ["RFC 9110 §15.4", "Fetch §4.4"])
        #expect(scenario.report == "https://example.org/issues/7")
        let plain = try ScenarioReader.read(file: "f.yaml", text: Sample.good(replacing: "proves: [DATA-01]", with: ""))
            .get()
        #expect(plain.proves == [] && plain.cites == [] && plain.report == nil)
    }

    @Test(arguments: [
        ("RFC 9110 §15.4", true), ("rfc9110 §15.4", true), ("RFC 9110", true), ("RFC 9110 §15", true),
        ("RFC 9110 §15.4.3", false), ("RFC 9110 §1", false), ("RFC 911", false), ("", false),
    ])
    func `a section includes its parts and nothing else`(wanted: String, expected: Bool) {
        #expect(Citation.matches("RFC 9110 §15.4: a quotation", wanted) == expected)
    }

    @Test func `all scenarios of the repository are read without errors`() throws {
        let requirements = try RequirementCatalogue.read(folder: Sample.scenarios + "/catalogue").ids
        let files = try ScenarioFiles.find(in: [Sample.scenarios])
        #expect(files.count > 10)
        for file in files {
            if case .failure(let errors) = ScenarioReader.read(path: file, requirements: requirements) {
                Issue.record("\(errors)")
            }
        }
    }
}
