import Testing

@testable import ScenarioLanguage

/// Tests that an old word is an error at its position that names the new one, without subsequent errors.
struct RenamedWordsTests {
    private struct Old: CustomTestStringConvertible {
        var line: String
        var text: String
        var at: String
        var message: String
        init(_ line: String, _ text: String, at: String, _ message: String) {
            self.line = line
            self.text = text
            self.at = at
            self.message = message
        }
        var testDescription: String { text }
    }

    private static let old = [
        Old("timeout: 20s", "limit: 20s", at: "3:1", "`limit` was renamed to `timeout`"),
        Old("timeout: 20s", "after: a/b", at: "3:1", "`after` was renamed to `dependsOn`"),
        Old("timeout: 20s", "names: { a.test: nxdomain }", at: "3:1", "`names` was renamed to `dns`"),
        Old("steps:", "script:", at: "7:1", "`script` was renamed to `steps`"),
        Old("timeout: 20s", "needs: recall", at: "3:8", "`needs`: `recall` was renamed to `readRetained`"),
        Old("as: first", "as: first\n  - start: first", at: "10:5", "`start` was renamed to `resume`"),
        Old("as: first", "as: first\n  - { ask: first, for: classes }", at: "10:7", "`ask` was renamed to `read`"),
        Old("as: first", "as: first\n    handler: true", at: "10:5", "`handler` was renamed to `completionHandler`"),
        Old("as: first", "as: first\n    stall: didComplete", at: "10:5", "`stall` was renamed to `blockCallback`"),
        Old(
            "as: first", "as: first\n  - await: first.told", at: "10:12",
            "the event `told` was renamed to `propertyRead`"),
        Old(
            "as: first", "as: first\n  - { resume: first, as: second }", at: "10:22",
            "a task from resume data is `download: { resumeData: TASK }`"),
        Old("wifi: good-wifi", "wifi: { down: { delay: 1ms } }", at: "4:20", "`down` was renamed to `downlink`"),
        Old(
            "wifi: good-wifi", "wifi: { uplink: { queue: { drop: newest } } }", at: "4:45",
            "`drop`: `newest` was renamed to `tail`"),
        Old(
            "timeout: 20s",
            "timeline: [{ when: { sinceStart: 1s }, set: { wifi: { flaps: { times: 1, down: 1s, up: 1s } } } }]",
            at: "3:55",
            "`flaps` was renamed to `flapping`"),
        Old(
            "timeout: 20s", "timeline: [{ when: { packet: 9, direction: up }, set: { wifi: down } }]", at: "3:44",
            "`direction`: `up` was renamed to `uplink`"),
        Old("as: first", "as: first\n  - await: { time: 1s }", at: "10:14", "`time` was renamed to `sinceStart`"),
        Old(
            "timeout: 20s", "timeline: [{ when: { time: 1s, after: 1s }, set: { wifi: down } }]", at: "3:22",
            "`time` was renamed to `sinceStart`"),
        Old(
            "as: first", "as: first\n  - await: { responseBody: 1KiB }", at: "10:14",
            "`responseBody` was renamed to `responseSent`"),
        // `request` alone announces another moment.
        Old(
            "timeout: 20s", "timeline: [{ when: { responseBody: 1KiB, request: 1 }, set: { wifi: down } }]",
            at: "3:22", "`responseBody` was renamed to `responseSent`"),
        Old(
            "/a: { text: hi }", "/a: { text: hi, then: { fromRequest: 2, text: ho } }", at: "6:19",
            "`then` was renamed to `replacedBy`"),
        Old(
            "/a: { text: hi }", "/a: { text: hi }\n  faults: [{ at: idle, of: { connection: 1 }, do: reset }]",
            at: "7:24",
            "`of` was renamed to `for`"),
        Old(
            "- completes: { task: first, error: none }", "- direct: { count: 0 }", at: "11:5",
            "`direct` was renamed to `directConnections`"),
        Old(
            "- completes: { task: first, error: none }", "- names: { host: a.test, count: 0 }", at: "11:5",
            "`names` was renamed to `dnsQueries`"),
    ]

    @Test(arguments: old)
    private func `an old word is refused with the new one`(_ item: Old) throws {
        let errors = Sample.errors(Sample.good(replacing: item.line, with: item.text))
        #expect(errors.count == 1, "\(errors)")
        let error = try #require(errors.first).description
        #expect(error.hasPrefix("f.yaml:\(item.at): ") && error.contains(item.message), "\(error)")
    }

    @Test func `a word that was renamed as a moment is still a point of a fault`() {
        let fault = "/a: { text: hi }\n  faults: [{ at: { responseBody: 1B }, do: reset }]"
        #expect(Sample.errors(Sample.good(replacing: "/a: { text: hi }", with: fault)).isEmpty)
        let misspelt = fault.replacing("responseBody", with: "responseSent")
        let errors = Sample.errors(Sample.good(replacing: "/a: { text: hi }", with: misspelt))
        #expect(errors.count == 1 && !"\(errors)".contains("renamed"), "\(errors)")
    }

    @Test func `the words allowed at a position select one of two new words`() {
        #expect(RenamedWords.replacement(for: "down", among: ["uplink", "downlink"]) == "downlink")
        #expect(RenamedWords.replacement(for: "down", among: ["times", "downFor", "upFor"]) == "downFor")
        #expect(RenamedWords.replacement(for: "down", among: ["up", "noRoute"]) == nil)
        #expect(RenamedWords.replacement(for: "timeout", among: ["timeout"]) == nil)
        #expect(RenamedWords.replacement(for: "responseBody", among: ["requestBody", "responseBody"]) == nil)
    }
}
