import AdapterProtocol
import Conformance
import LinkEmulator
import Record
import ScenarioLanguage
import Testing

@testable import Harness
@testable import Lab

/// Observations go in, and a file comes out, which the ordinary reader reads.
@Suite struct ScenarioRecordingTests {
    private static let millisecond: Int64 = 1_000_000
    private static let down: JSONValue = .object(["wifi": .text("down")])

    private func recording(forwards: [String] = []) -> ScenarioRecording {
        ScenarioRecording(program: ["curl", "-s"], interfaces: [(.wifi, "lte")], forwards: forwards)
    }

    private func read(_ recording: ScenarioRecording) throws -> Scenario {
        let text = recording.text(schema: "scenario.schema.json")
        switch ScenarioReader.read(file: "recorded.yaml", text: text) {
        case .success(let scenario): return scenario
        case .failure(let found):
            Issue.record("\(found)\n\(text)")
            throw found
        }
    }

    /// Each request has a connection of its own with the same number.
    private func head(
        _ request: Int, _ target: String = "/big", method: String = "GET", headers: [HeaderField] = []
    ) -> LabObservation {
        .event(
            .server(
                .requestHead(
                    connection: request, exchange: 1, request: request, method: method, target: target,
                    headers: [HeaderField("Host", "api.test")] + headers)))
    }

    private func server(_ fact: ServerFact) -> LabObservation { .event(.server(fact)) }

    /// Records a request with its whole response, and the end of its connection.
    private func complete(
        _ recording: inout ScenarioRecording, _ request: Int, _ target: String = "/hello", status: Int = 200,
        headers: [HeaderField] = [], response: [HeaderField] = [], at time: Int64
    ) {
        recording.record(head(request, target, headers: headers), at: time)
        recording.record(server(.responseHead(request: request, status: status, headers: response)), at: time)
        recording.record(server(.responseEnded(request: request, bytes: 6)), at: time)
        recording.record(server(.closed(connection: request, by: .client)), at: time)
    }

    private func tasks(_ scenario: Scenario) -> [TaskDescription] {
        scenario.script.compactMap { if case .task(let task, _, _) = $0 { task } else { nil } }
    }

    /// The entries that are not steps of a profile.
    private func moments(_ scenario: Scenario) -> [Trigger] { scenario.timeline.map(\.trigger) }

    @Test func `the file has the server and the network of the lab`() throws {
        var recording = recording()
        complete(&recording, 1, at: 0)
        let scenario = try read(recording)
        let profile = try #require(ProfileCatalogue.named("lte"))
        let plan = InteractiveLabPlan(
            network: InteractiveLabPlan.network([(.wifi, profile)]), forwards: try ForwardPlan([]))
        #expect(scenario.origin == plan.scenario.origin)
        #expect(scenario.network.interfaces == plan.network.interfaces)
    }

    /// The client acknowledges 4,000 bytes after the interface went down: they were on their way, and a run in which it
    /// goes down at that moment does not see them. The interface must come up nevertheless.
    @Test func `a change during a response comes at the byte that the client has`() throws {
        var recording = recording()
        recording.record(head(1), at: 0)
        recording.record(server(.responseHead(request: 1, status: 200, headers: [])), at: 0)
        recording.record(server(.responseBody(request: 1, bytes: 65_536)), at: Self.millisecond)
        recording.record(.change(Self.down, moving: nil), at: 2 * Self.millisecond)
        recording.record(server(.acknowledged(connection: 1, request: 1, bytes: 4_000)), at: 3 * Self.millisecond)
        recording.record(
            .change(.object(["wifi": .text("up")]), moving: .packet(.wifi, .downlink, count: 9)),
            at: 303 * Self.millisecond)
        let scenario = try read(recording)
        #expect(
            scenario.timeline == [
                TimelineEntry(
                    trigger: Trigger(.responseSent(bytes: 65_536, request: 1)),
                    changes: [.interfaceState(.wifi, .down)]),
                TimelineEntry(
                    trigger: Trigger(.responseSent(bytes: 65_536, request: 1), delay: .milliseconds(301)),
                    changes: [.interfaceState(.wifi, .up)]),
            ])
        #expect(recording.changeCount == 2 && recording.requestCount == 1)
    }

    @Test func `a change after later progress comes at that progress`() throws {
        var recording = recording()
        recording.record(head(1), at: 0)
        recording.record(server(.responseHead(request: 1, status: 200, headers: [])), at: 0)
        recording.record(server(.acknowledged(connection: 1, request: 1, bytes: 4_000)), at: Self.millisecond)
        recording.record(.change(.object(["wifi": .text("edge")]), moving: nil), at: 2 * Self.millisecond)
        recording.record(server(.acknowledged(connection: 1, request: 1, bytes: 8_000)), at: 700 * Self.millisecond)
        recording.record(.change(Self.down, moving: nil), at: 900 * Self.millisecond)
        #expect(
            try moments(read(recording)) == [
                Trigger(.acknowledged(bytes: 4_000, request: 1)),
                Trigger(.acknowledged(bytes: 8_000, request: 1), delay: .milliseconds(200)),
            ])
    }

    @Test func `without a byte of the response, a change comes at the moving packet, or at the request`() throws {
        var recording = recording()
        recording.record(head(1, "/echo", method: "POST"), at: 0)
        recording.record(.change(Self.down, moving: .packet(.wifi, .uplink, count: 40)), at: 10 * Self.millisecond)
        recording.record(.change(Self.down, moving: nil), at: 80 * Self.millisecond)
        #expect(
            try moments(read(recording)) == [
                Trigger(.packet(.wifi, .uplink, count: 40)), Trigger(.request(1), delay: .milliseconds(80)),
            ])
    }

    @Test func `a change between two requests is a step between their tasks`() throws {
        var recording = recording()
        recording.record(.change(.object(["dns": .object(["*": .text("nxdomain")])]), moving: nil), at: 0)
        complete(&recording, 1, at: 5)
        recording.record(.change(Self.down, moving: nil), at: 10)
        complete(&recording, 2, at: 20)
        let scenario = try read(recording)
        try #require(scenario.script.count == 5)
        // A rule for every name is repeated for the hosts of the steps, which have rules of their own.
        #expect(
            scenario.script[0]
                == .change(["*", "api.test"].map { .name(DNSRule(host: $0, content: .nxdomain)) }))
        #expect(scenario.script[2] == .await(Trigger(.event(TaskName("task1"), .didComplete, count: 1))))
        #expect(scenario.script[3] == .change([.interfaceState(.wifi, .down)]))
        #expect(tasks(scenario).map(\.url) == ["http://api.test/hello", "http://api.test/hello"])
        #expect(scenario.timeline.isEmpty)
    }

    @Test func `a change that follows one during a response is not a step that could overtake it`() throws {
        var recording = recording()
        recording.record(head(1), at: 0)
        recording.record(server(.responseHead(request: 1, status: 200, headers: [])), at: 0)
        recording.record(server(.responseEnded(request: 1, bytes: 6)), at: Self.millisecond)
        recording.record(.change(Self.down, moving: nil), at: 59 * Self.millisecond)
        recording.record(server(.acknowledged(connection: 1, request: 1, bytes: 6)), at: 60 * Self.millisecond)
        let up: JSONValue = .object(["wifi": .text("up")])
        recording.record(.change(up, moving: nil), at: 65 * Self.millisecond)
        complete(&recording, 2, at: 80 * Self.millisecond)
        // After a request, a change is a step again.
        recording.record(.change(Self.down, moving: nil), at: 900 * Self.millisecond)
        let scenario = try read(recording)
        #expect(
            scenario.timeline == [
                TimelineEntry(
                    trigger: Trigger(.responseSent(bytes: 6, request: 1), delay: .milliseconds(58)),
                    changes: [.interfaceState(.wifi, .down)]),
                TimelineEntry(
                    trigger: Trigger(.responseSent(bytes: 6, request: 1), delay: .milliseconds(64)),
                    changes: [.interfaceState(.wifi, .up)]),
            ])
        // The second request comes after the changes.
        try #require(scenario.script.count == 6)
        #expect(scenario.script[2] == .await(Trigger(.responseSent(bytes: 6, request: 1), delay: .milliseconds(64))))
        #expect(scenario.script[5] == .change([.interfaceState(.wifi, .down)]))
    }

    /// The server does not see that the program closed a connection whose network is down.
    @Test func `a request that has stalled does not hold up the next one`() throws {
        var recording = recording()
        recording.record(head(1), at: 0)
        recording.record(server(.responseBody(request: 1, bytes: 1_000)), at: 0)
        recording.record(server(.acknowledged(connection: 1, request: 1, bytes: 900)), at: 0)
        complete(&recording, 2, at: 3_000 * Self.millisecond)
        recording.record(.change(Self.down, moving: nil), at: 9_000 * Self.millisecond)
        let scenario = try read(recording)
        var awaited = Trigger(.acknowledged(bytes: 900, request: 1), delay: .seconds(3))
        awaited.orTasksEnd = true
        try #require(scenario.script.count == 5)
        #expect(scenario.script[1] == .await(awaited))
        #expect(scenario.script[4] == .change([.interfaceState(.wifi, .down)]))
    }

    @Test func `requests at the same time become tasks that do not wait for each other`() throws {
        var recording = recording()
        recording.record(head(1), at: 0)
        recording.record(head(2), at: Self.millisecond)
        let scenario = try read(recording)
        #expect(scenario.script.count == 2 && tasks(scenario).count == 2)
    }

    @Test func `method, body and the headers that matter are kept, and credentials are not`() throws {
        var recording = recording()
        recording.record(
            server(.tlsEstablished(connection: 1, version: "TLSv1.3", serverName: "api.test")), at: 0)
        recording.record(
            head(
                1, "/echo?a=b", method: "PUT",
                headers: [
                    HeaderField("Content-Type", "text/plain; charset=\"utf-8\""),
                    HeaderField("Authorization", "Basic c2VjcmV0"), HeaderField("X-Other", "x"),
                ]), at: 0)
        recording.record(server(.requestEnded(request: 1, bodyBytes: 200, differsAt: nil, bodyText: nil)), at: 1)
        let scenario = try read(recording)
        guard case .task(let task, let body, _)? = scenario.script.first else {
            Issue.record("the first step is not a task")
            return
        }
        #expect(task.url == "https://api.test/echo?a=b" && task.method == "PUT")
        #expect(task.headers == [HeaderField("Content-Type", "text/plain; charset=\"utf-8\"")])
        #expect(body == BodyPlan(content: .pattern(try #require(ByteCount(200)))))
        #expect(!recording.text(schema: "s").contains("c2VjcmV0"))
    }

    @Test func `a followed redirect is one task, and one that was not followed is refused`() throws {
        let location = [HeaderField("Location", "/hello")]
        var recording = recording()
        complete(&recording, 1, "/redirect", status: 302, response: location, at: 0)
        complete(&recording, 2, "/hello", at: 1)
        complete(&recording, 3, "/redirect", status: 302, response: location, at: 2)
        complete(&recording, 4, "/big", at: 3)
        let scenario = try read(recording)
        #expect(tasks(scenario).map(\.url).map { $0.split(separator: "/").last } == ["redirect", "redirect", "big"])
        #expect(tasks(scenario).map(\.policies.redirect) == [nil, .refuse, nil])
    }

    @Test func `an error status that was recorded is expected`() throws {
        var recording = recording()
        complete(&recording, 1, "/nothing", status: 404, at: 0)
        complete(&recording, 2, at: 1)
        #expect(try read(recording).expectations.count == 3)
        let text = recording.text(schema: "s")
        #expect(text.contains("  - response: { task: task1, status: 404 }") && !text.contains("succeeds"))
    }

    @Test func `the same request again with credentials is one task`() throws {
        var recording = recording()
        complete(&recording, 1, "/private", status: 401, at: 0)
        complete(&recording, 2, "/private", headers: [HeaderField("Authorization", "Basic YTpi")], at: 1)
        let scenario = try read(recording)
        #expect(tasks(scenario).count == 1 && tasks(scenario).first?.policies.challenges.count == 1)
    }

    @Test func `without a request, the file has an example, and a forwarded lab has times`() throws {
        #expect(tasks(try read(recording())).count == 1)
        var forwarded = recording(forwards: ["api.test:443=localhost:8443"])
        forwarded.record(.change(Self.down, moving: nil), at: 1_500 * Self.millisecond)
        #expect(moments(try read(forwarded)) == [Trigger(.sinceStart(.milliseconds(1_500)))])
        #expect(forwarded.text(schema: "s").contains("# Forwarded, and not in this file: --forward api.test:443="))
    }

    @Test func `an added change keeps its moment, unless the program ended before it`() throws {
        var recording = recording()
        complete(&recording, 1, at: 0)
        let (reached, unreached) = (Trigger(.query(host: "a.test", count: 2)), Trigger(.request(9)))
        recording.record(.planned(Self.down, reached), at: 1)
        recording.record(.planned(Self.down, unreached), at: 2)
        recording.record(.unreached(unreached), at: 3)
        #expect(moments(try read(recording)) == [reached])
        #expect(recording.changeCount == 1)
    }

    @Test func `a reset restores the profiles, and changes without words in a scenario are comments`() throws {
        var recording = recording()
        complete(&recording, 1, at: 0)
        recording.record(.change(.object(["nat64": .boolean(true)]), moving: nil), at: 1)
        recording.record(.faults, at: 2)
        recording.record(.reset(moving: nil), at: 3)
        let scenario = try read(recording)
        let link = try #require(ProfileCatalogue.named("lte")?.link)
        guard case .change(let changes)? = scenario.script.last else {
            Issue.record("the last step is not a change")
            return
        }
        #expect(changes.contains(.link(.wifi, link)) && changes.contains(.interfaceState(.wifi, .up)))
        let text = recording.text(schema: "s")
        #expect(text.contains("# Not in this file: NAT64 on") && text.contains("# Not in this file: other faults"))
        #expect(recording.changeCount == 1)
    }

    @Test func `the command can be copied into a shell`() {
        let recording = ScenarioRecording(
            program: ["sh", "-c", "curl -s http://api.test/ && echo it's", ""], interfaces: [(.wifi, "lte")])
        let text = recording.text(schema: "scenario.schema.json")
        #expect(text.contains(#"# Recorded from: sh -c 'curl -s http://api.test/ && echo it'\''s' ''"#))
    }

    @Test func `text of the program cannot break the file`() throws {
        var recording = ScenarioRecording(
            program: ["/bin/a:b\n- x", "#\n y: z", "\u{85}a: b", "\u{7F}"], interfaces: [(.cellular, "edge")])
        recording.record(head(1, "/a b\r\n\u{2028}x: y"), at: 0)
        recording.record(head(2, "/x?#[]{}\"'"), at: 1)
        let addresses: JSONValue = .list([.text("2001:db8::1"), .text("192.0.2.1")])
        recording.record(.change(.object(["dns": .object(["*": addresses])]), moving: nil), at: 2)
        let scenario = try read(recording)
        #expect(tasks(scenario).count == 1 && moments(scenario) == [Trigger(.request(1))])
        #expect(scenario.network.interfaces.map(\.kind) == [.cellular])
    }
}
