import AdapterProtocol
import LinkEmulator
import Testing

@testable import Record
@testable import ScenarioLanguage
@testable import Conformance

/// Tests that every check holds, and that every one of its fields makes it fail, on the same record: a check or field
/// that cannot fail proves nothing. A new check or field without examples makes the first test fail.
@Suite struct CheckCompletenessTests {
    struct Examples {
        var run: Run
        var holds: [String]
        /// By field: an example that differs only in this field. A check without fields has one example under the empty
        /// name.
        var fails: [String: String]
    }

    @Test func `every check and each of its fields have examples`() {
        #expect(Set(Self.examples.keys) == Set(CheckCatalogue.all.map { $0.key }))
        for check in CheckCatalogue.all {
            let examples = Self.examples[check.key]
            #expect(examples?.holds.isEmpty == false, "\(check.key)")
            let fields = Self.fields(of: check.shape)
            #expect(Set(examples?.fails.keys.map(\.self) ?? []) == (fields.isEmpty ? [""] : fields), "\(check.key)")
        }
    }

    @Test(arguments: CheckCatalogue.all.map { check in check.key })
    func `each example holds or fails as declared`(key: String) throws {
        let examples = try #require(Self.examples[key])
        for text in examples.holds { #expect(try examples.run.found("\(key): \(text)") == nil, "\(text)") }
        for (field, text) in examples.fails {
            #expect(text.contains(field), "\(text) does not have \(field)")
            #expect(try examples.run.found("\(key): \(text)") != nil, "\(text)")
        }
    }

    /// A program without an adapter gets no commands and reports nothing, so a check that is judged for it must hold
    /// without them. A new check that needs them and does not say so fails here.
    @Test(arguments: CheckCatalogue.all.map { check in check.key })
    func `a check without needed events holds on the wire alone`(key: String) throws {
        let examples = try #require(Self.examples[key])
        let wire = examples.run.entries.filter { entry in
            switch entry.fact {
            case .session, .command, .adapter: false
            default: true
            }
        }
        for text in examples.holds {
            let scenario = try examples.run.scenario(["\(key): \(text)"])
            let check = try #require(scenario.expectations.first?.check as? any Check)
            guard check.neededEvents.isEmpty else { continue }
            #expect(check.judge(RecordView(scenario: scenario, entries: wire)).isEmpty, "\(text)")
        }
    }

    private static func fields(of shape: Shape) -> Set<String> {
        switch shape {
        case .object(let fields): Set(fields.map(\.name))
        case .either(let shapes): shapes.reduce(into: []) { $0.formUnion(Self.fields(of: $1)) }
        case .text, .word, .boolean, .integer, .duration, .bitRate, .byteCount, .probability, .list, .oneOrMore,
            .mapping, .open, .choice, .anything:
            []
        }
    }

    static let two = """
        network: { wifi: perfect }
        origin:
          /hello: { text: "hello" }
          /then: { text: "hallo", replacedBy: { fromRequest: 2, text: "holla" } }
        sessions: { main: {}, other: {} }
        steps:
          - data: /hello
            as: first
            session: main
          - data: /hello
            as: other
            session: other
        """

    static func plain() -> Run {
        var run = Run(two)
        // The same events, in a scenario with more names.
        for entry in Run.plain().entries.dropFirst(run.entries.count) {
            if case .session(let event) = entry.fact { run.say(event.kind) } else { run.add(entry.fact) }
        }
        return run
    }

    static func failed() -> Run {
        var run = Run(two)
        run.complete("first", .timedOut)
        run.report("other", .didComplete(Failure(domain: "own", code: 3, text: ""), resumeDataLength: nil))
        return run
    }

    static func waiting() -> Run {
        var run = Run(two.replacing("wifi: perfect", with: "wifi: { profile: perfect, state: down }"), wifi: .down)
        run.start("first")
        run.report("first", .taskIsWaitingForConnectivity)
        run.add(.step("timeline"))
        run.add(.network(.interfaceState(.wifi, .up)))
        run.request(1, "/hello")
        run.complete("first")
        return run
    }

    static func questions() -> Run {
        var run = Run(two)
        run.start("first")
        run.report(
            "first",
            .didReceiveChallenge(
                .init(level: .task, method: "httpBasic", realm: "lab", host: "api.test", previousFailureCount: 0)))
        run.report("first", .willPerformRedirect(status: 302, url: "http://api.test/new", method: "GET"))
        run.report(
            "first",
            .inspected(state: "running", bytesReceived: 5, bytesSent: 6, expectedToReceive: 7, expectedToSend: 8))
        run.say(.didBecomeInvalid(.main, error: nil))
        run.say(.didBecomeInvalid("other", error: Failure(domain: "own", code: 3, text: "")))
        return run
    }

    static func cached() -> Run {
        var run = Run(two)
        run.start("first")
        let response = TaskEvent.Response(status: 200, url: "http://api.test/hello", headers: [], expectedLength: 5)
        run.report(
            "first",
            .cacheInspected(.init(response: response, body: Array("hello".utf8)), usage: .init(memory: 6, disk: 7)))
        run.report("first", .cacheInspected(nil, usage: .init()))
        return run
    }

    static func wire() -> Run {
        var run = Run(two)
        run.start("first")
        run.request(
            1, "/hello", method: "POST", [HeaderField("X-A", "b"), HeaderField("Range", "bytes=5-")], body: 2,
            text: "hi")
        run.request(2, "/hello", connection: 1)
        run.request(3, "/hello", connection: 2)
        run.add(.server(.stream(request: 3, stream: 1, priority: "weight 201, depends on 0")))
        run.add(.server(.frame(connection: 2, stream: 1, request: 3, by: .client, type: "RST_STREAM", text: "CANCEL")))
        return run
    }

    /// Two requests to one of two proxies; one connection of the origin comes from that proxy, the other is direct.
    static func proxied() -> Run {
        var run = Run(two + "\nproxies: { front: {}, back: { port: 8080 } }")
        run.start("first")
        let headers = [HeaderField("Proxy-Authorization", "Basic x")]
        for event: ProxyFact.Event in [
            .accepted(client: "192.0.2.2", port: 4_000),
            .request(1, form: .connect, target: "api.test:443", headers: []),
            .refused(request: 1, reply: 407), .request(2, form: .connect, target: "api.test:443", headers: headers),
            .connected(request: 2, from: "203.0.113.10:5000", to: "203.0.113.10:443"),
        ] { run.add(.proxy(ProxyFact(proxy: "front", connection: 1, event: event))) }
        run.add(.server(.accepted(connection: 1, client: "203.0.113.10", port: 5_000)))
        run.add(.server(.accepted(connection: 2, client: "192.0.2.2", port: 5_000)))
        return run
    }

    /// Memory of 4 KiB at hello, and 2 KiB more at the end.
    static func memory() -> Run {
        var run = Run(two)
        for peak in [4_096, 5_000, 6_144] as [Int64] { run.add(.adapter(.memory(peak: peak))) }
        return run
    }

    /// Properties of two tasks and of the session were read, a store was accessed twice for the first task, and two
    /// files were left.
    static func asked() -> Run {
        let steps = ["first", "other"].flatMap { task in
            ["classes", "identifier", "response"].map { "\n  - { read: \(task), property: \($0) }" }
        }
        var run = Run(
            two.replacing(
                "sessions: { main: {}, other: {} }",
                with: "sessions: { main: { spy: [cookies, cache, credentials] }, other: { spy: cookies } }")
                + steps.joined() + "\n  - { read: main, property: settings }\n  - { read: other, property: settings }")
        run.report("first", .propertyRead(.classes, "data upload"))
        run.report("first", .propertyRead(.identifier, "1"))
        run.report("first", .propertyRead(.identifier, "2"))
        run.say(.task("other", .propertyRead(.classes, "data upload")))
        run.say(.task("other", .propertyRead(.identifier, nil)))
        run.say(.sessionPropertyRead(.main, .settings, "a 1"))
        for host in ["a", "b"] {
            run.report(
                "first",
                .storeAccess(TaskEvent.StoreAccess(store: .cookies, action: .read, url: "http://\(host).test/")))
        }
        run.add(.adapter(.leftFiles(["one", "two"])))
        return run
    }

    /// Two lists of each session: the second list of `main` has only its first task, those of `other` have none.
    static func listed() -> Run {
        var run = Run(
            two + ["main", "main", "other", "other"].map { "\n  - listTasks: \($0)" }.joined())
        let first = ListedTask(kind: .data, task: "first", state: "running", identifier: 1)
        let other = ListedTask(
            kind: .upload, task: "other", state: "suspended", identifier: 2, clientExpectsToSend: 5,
            clientExpectsToReceive: -1)
        run.say(.tasksListed(.main, [first, other]))
        run.say(.tasksListed(.main, [first]))
        run.say(.tasksListed("other", []))
        run.say(.tasksListed("other", []))
        return run
    }

    /// One class was used once for the first task, another twice.
    static func loaded() -> Run {
        var run = Run(
            two.replacing(
                "{ main: {}, other: {} }",
                with: "{ main: { protocolClasses: [{ scheme: http, response: a }, { scheme: http, response: b }] }, "
                    + "other: { protocolClasses: { scheme: http, response: a } } }"))
        for number in [2, 1, 2] { run.report("first", .protocolLoad(number: number, url: "http://api.test/hello")) }
        return run
    }

    static func link() -> Run {
        var run = Run(two)
        run.add(
            .network(
                .conditionMeasured(
                    .wifi, .downlink,
                    .init(
                        means: .probe, packets: 20, lost: 1, delayMedian: 10_000_000, bitsPerSecond: 2_000_000, text: ""
                    ))))
        return run
    }

    /// The first task's progress does not add up, the second's does.
    static func uneven() -> Run {
        var run = Run.resumed()
        run.report("first", .didWriteData(written: 1, totalWritten: 5, expected: 65_536))
        return run
    }
}
