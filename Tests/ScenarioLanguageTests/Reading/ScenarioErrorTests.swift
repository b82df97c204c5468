import Testing

@testable import ScenarioLanguage

/// Tests with one mistake each in an otherwise valid file: the error's position and text must lead the author to it.
struct ScenarioErrorTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        var old: String
        var new: String
        /// `LINE:COLUMN`
        var at: String
        var message: [String]
        init(_ old: String, _ new: String, at: String, expected: String...) {
            self.old = old
            self.new = new
            self.at = at
            self.message = expected
        }
        var testDescription: String { new }
    }

    static let mistakes: [Mistake] = [
        // shapes
        Mistake("timeout: 20s", "timeoutt: 20s", at: "3:1", expected: "`timeoutt`", "did you mean `timeout`?"),
        Mistake("timeout: 20s", "timeout: 20", at: "3:10", expected: "`20` has no unit", "20ms"),
        Mistake("timeout: 20s", "timeout: 20sec", at: "3:10", expected: "unknown unit `sec`"),
        Mistake("timeout: 20s", "timeout: -5s", at: "3:10", expected: "negative"),
        Mistake("timeout: 20s", "timeout: [1s]", at: "3:10", expected: "a list", "a duration"),
        Mistake("timeout: 20s", "timeout:", at: "3:9", expected: "`timeout` is empty"),
        Mistake("timeout: 20s", "timeout: 1ms", at: "3:10", expected: "too small", "500ms"),
        Mistake("timeout: 20s", "requestBudget: 0", at: "3:16", expected: "from 1 to"),
        Mistake("timeout: 20s", "requestBudget: 1.5", at: "3:16", expected: "a whole number"),
        Mistake("timeout: 20s", "tags: []", at: "3:7", expected: "an empty list"),
        Mistake("timeout: 20s", "needs: [resumedata]", at: "3:9", expected: "did you mean `resumeData`?"),
        Mistake("timeout: 20s", "timeout: 20s\ntimeout: 21s", at: "3:1", expected: "`timeout` is repeated"),
        Mistake("timeout: 20s", "<<: { timeout: 2s }", at: "3:1", expected: "merge keys"),
        Mistake("proves: [DATA-01]", "proves: [DATA1]", at: "2:10", expected: "not a requirement id"),
        Mistake("proves: [DATA-01]", "proves: [DATA-01, DATA-01]", at: "2:19", expected: "twice"),
        Mistake("proves: [DATA-01]", "proves: [RFC-A-1-02]", at: "2:10", expected: "not a requirement id"),
        Mistake("proves: [DATA-01]", "cites: [RFC 9110]", at: "2:9", expected: "does not name a section"),
        Mistake("proves: [DATA-01]", "cites: [RFC §15.4]", at: "2:9", expected: "write one such as RFC 9110 §15.4"),
        Mistake("proves: [DATA-01]", "cites: [RFC 9110 §1, RFC 9110 §1]", at: "2:22", expected: "twice"),
        Mistake("proves: [DATA-01]", "report: ' '", at: "2:9", expected: "`report` is blank"),
        Mistake("expect:\n  - completes: { task: first, error: none }", "", at: "1:1", expected: "no `expect`"),
        Mistake("  - completes: { task: first, error: none }", "  []", at: "11:3", expected: "empty list"),
        Mistake("completes: {", "complets: {", at: "11:5", expected: "did you mean `completes`?"),
        Mistake("error: none", "eror: none", at: "11:31", expected: "did you mean `error`?"),
        Mistake(
            "task: first, ", "task: frst, ", at: "11:24", expected: "does not create a task `frst`",
            "did you mean `first`?"),
        // conditions
        Mistake(
            "wifi: good-wifi", "wifi: { uplink: { rate: { bucket: 1Mbit/s } } }", at: "4:36",
            expected: "at least 1500 bytes"),
        Mistake(
            "wifi: good-wifi", "wifi: { uplink: { rate: { cellular: { mean: 1Mbit/s, variation: 100% } } } }",
            at: "4:48", expected: "under 100%"),
        Mistake(
            "wifi: good-wifi", "wifi: { uplink: { rate: { trace: none.txt } } }", at: "4:45",
            expected: "`none.txt` cannot be read"),
        Mistake(
            "wifi: good-wifi", "wifi: { uplink: { rate: { trace: ../secret.txt } } }", at: "4:45",
            expected: "`../secret.txt` is outside the folder of this file", "copy it there"),
        Mistake(
            "wifi: good-wifi", "wifi: { uplink: { rate: { trace: /etc/passwd } } }", at: "4:45",
            expected: "`/etc/passwd` is outside the folder of this file"),
        Mistake(
            "wifi: good-wifi", "wifi: { uplink: { delay: 9ms, jitter: { amount: 1ms, distribution: [1, 0] } } }",
            at: "4:79", expected: "ascending"),
        Mistake(
            "wifi: good-wifi", "wifi: { uplink: { queue: { bytes: 9KiB, target: 5ms } } }", at: "4:60",
            expected: "belongs to `drop: codel`"),
        Mistake(
            "wifi: good-wifi",
            "wifi: { uplink: { outages: [{ from: 2s, lasting: 1s }, { from: 2500ms, lasting: 1s }] } }", at: "4:75",
            expected: "do not overlap"),
        Mistake("wifi: good-wifi", "wifi: { uplink: { mtu: { bytes: 1000 } } }", at: "4:18", expected: "1280"),
        Mistake(
            "wifi: good-wifi", "wifi: { uplink: { filter: [{ packets: udp, do: refuse }] } }", at: "4:59",
            expected: "only TCP can be refused"),
        Mistake(
            "wifi: good-wifi", "wifi: { uplink: { filter: [{ host: api.test }] } }", at: "4:47",
            expected: "is not an IP address"),
        Mistake(
            "wifi: good-wifi", "wifi: { uplink: { filter: [{ packets: sin }] } }", at: "4:50",
            expected: "did you mean `syn`?"),
        // network
        Mistake("good-wifi", "god-wifi", at: "4:18", expected: "did you mean `good-wifi`?", "lte"),
        Mistake("wifi: good-wifi", "wify: good-wifi", at: "4:12", expected: "did you mean `wifi`?"),
        Mistake("{ wifi: good-wifi }", "{ addresses: ipv6 }", at: "4:10", expected: "lacks an interface"),
        Mistake("wifi: good-wifi", "wifi: lte, nat64: true, addresses: ipv4", at: "4:47", expected: "IPv6-only"),
        Mistake(
            "wifi: good-wifi", "wifi: lte, nat64: { prefix: '2001:db8::/95' }", at: "4:40", expected: "RFC 6052 §2.2"),
        Mistake("wifi: good-wifi", "wifi: { both: { loss: 120% } }", at: "4:34", expected: "between 0 and 1"),
        Mistake("wifi: good-wifi", "wifi: { both: { loss: 2 } }", at: "4:34", expected: "between 0 and 1", "`2%`"),
        Mistake("wifi: good-wifi", "wifi: { both: { rate: 0bit/s } }", at: "4:34", expected: "greater than zero"),
        Mistake(
            "wifi: good-wifi", "wifi: { both: { delay: 1s, roundTrip: 2s } }", at: "4:50",
            expected: "exclude each other"),
        Mistake(
            "wifi: good-wifi", "wifi: { downlink: { roundTrip: 2s } }", at: "4:32",
            expected: "the key `roundTrip` does not exist"),
        Mistake("wifi: good-wifi", "wifi: { both: { mtu: 600 } }", at: "4:18", expected: "1280"),
        Mistake("timeout: 20s", "dns: { gone.test: nxdomian }", at: "3:19", expected: "did you mean `nxdomain`?"),
        Mistake("timeout: 20s", "dns: { gone.test: [300.1.1.1] }", at: "3:20", expected: "not an IP address"),
        Mistake("timeout: 20s", "dns: { 'a b': nxdomain }", at: "3:8", expected: "not a host name"),
        // origin
        Mistake(
            "/a: { text: hi }", "a: { text: hi }", at: "6:3", expected: "the key `a` does not exist",
            "a path such as /big"),
        Mistake("/a: { text: hi }", "/a: { text: hi, size: 4 }", at: "6:25", expected: "exclude each other"),
        Mistake("/a: { text: hi }", "/a: { text: hi, etag: v1 }", at: "6:25", expected: "RFC 9110 §8.8.3"),
        Mistake("/a: { text: hi }", "/a: { redirect: /b, status: 200 }", at: "6:31", expected: "301"),
        Mistake(
            "/a: { text: hi }", "/a: { text: hi, headers: { 'X A': b } }", at: "6:30", expected: "not a header name"),
        Mistake(
            "/a: { text: hi }", "/a: { text: hi, headers: { X-A: \"b\\r\\nc\" } }", at: "6:35",
            expected: "control character"),
        Mistake("/a: { text: hi }", "/a: { size: 5XB }", at: "6:15", expected: "unknown unit `XB`"),
        Mistake("/a: { text: hi }", "/a: { size: -5 }", at: "6:15", expected: "negative"),
        Mistake("/a: { text: hi }", "/a: { text: hi }\n  tls: { certificate: old }", at: "7:23", expected: "expired"),
        Mistake(
            "/a: { text: hi }", "/a: { text: hi }\n  certificate: expired", at: "7:3",
            expected: "the key `certificate` does not exist"),
        Mistake(
            "/a: { text: hi }", "/a: { text: hi }\n  tls: { minimum: 1.3, maximum: 1.2 }", at: "7:19",
            expected: "above the highest"),
        Mistake(
            "/a: { text: hi }", "/a: { text: hi }\n  faults: [{ at: tlsClientHello, do: reset }]", at: "7:18",
            expected: "`tls: true`"),
        Mistake(
            "/a: { text: hi }", "/a: { text: hi }\n  faults: [{ at: { responseBody: -1 }, do: reset }]", at: "7:34",
            expected: "negative"),
        Mistake(
            "/a: { text: hi }",
            "/a: { text: hi }\n  faults: [{ at: { responseBody: 9 }, for: { path: /a }, do: reset }]",
            at: "7:18",
            expected: "only 2 bytes"),
        Mistake(
            "/a: { text: hi }", "/a: { text: hi }\n  faults: [{ at: idle, for: { path: /b }, do: reset }]", at: "7:37",
            expected: "not have a route `/b`"),
        Mistake(
            "/a: { text: hi }", "/a: { text: hi }\n  faults: [{ at: responseHed, do: reset }]", at: "7:18",
            expected: "did you mean `responseHead`?", "reusedRequest"),
        Mistake(
            "/a: { text: hi }", "/a: { text: hi }\n  faults: [{ at: idle, do: { pause: 2 } }]", at: "7:37",
            expected: "no unit"),
        // sessions
        Mistake("timeout: 20s", "session: {}\nsessions: { main: {} }", at: "4:11", expected: "exclude each other"),
        Mistake("timeout: 20s", "sessions: { a: {}, b: {} }", at: "8:5", expected: "name the session", "a, b"),
        Mistake("timeout: 20s", "session: { requestTimeout: 60 }", at: "3:28", expected: "no unit"),
        // steps
        Mistake("- data: /a", "- dota: /a", at: "8:5", expected: "did you mean `data`?"),
        Mistake("- data: /a", "- data: /a\n    upload: /a", at: "9:5", expected: "exclude each other"),
        Mistake("- data: /a", "- upload: /a", at: "8:5", expected: "needs a `body`"),
        Mistake("- data: /a", "- data: a", at: "8:11", expected: "neither a path"),
        Mistake("- data: /a", "- data: http:///a", at: "8:11", expected: "host"),
        Mistake(
            "as: first", "as: first\n    session: othr", at: "10:14", expected: "the session `othr` does not exist"),
        Mistake("as: first", "as: first.one", at: "9:9", expected: "not a task name"),
        Mistake("as: first", "as: first\n  - data: /a\n    as: first", at: "11:9", expected: "an earlier task"),
        Mistake("as: first", "as: first\n    redirect: folow", at: "10:15", expected: "did you mean `follow`?"),
        Mistake(
            "as: first", "as: first\n  - download: { resumeData: first }", at: "10:29",
            expected: "neither a download nor an upload"),
        Mistake(
            "as: first", "as: first\n    response: becomeDownload\n  - upload: { resumeData: first }", at: "11:27",
            expected: "write `download: { resumeData: first }`"),
        Mistake(
            "as: first",
            "as: first\n    response: becomeDownload\n  - { download: { resumeData: first }, method: PUT }",
            at: "11:48",
            expected: "leave `method` out"),
        Mistake("as: first", "as: first\n  - resume: first", at: "10:13", expected: "already resumed"),
        Mistake("as: first", "as: first\n  - cancel: fisrt", at: "10:13", expected: "did you mean `first`?"),
        Mistake(
            "as: first", "as: first\n  - await: first.didFinish", at: "10:12",
            expected: "the event `didFinish` does not exist"),
        Mistake(
            "as: first", "as: first\n  - await: second.didComplete", at: "10:12",
            expected: "the task `second` does not exist"),
        Mistake("as: first", "as: first\n  - await: first", at: "10:12", expected: "TASK.EVENT"),
        Mistake(
            "as: first", "as: first\n  - await: first.completionHandler", at: "10:12", expected: "`first.didComplete`"),
        Mistake(
            "as: first", "as: first\n    completionHandler: true\n  - await: first.didComplete", at: "11:12",
            expected: "`first.completionHandler`"),
        Mistake("as: first", "as: first\n  - await: { sinceStart: 30s }", at: "10:26", expected: "never comes"),
        Mistake(
            "as: first", "as: first\n  - set: { cellular: up }", at: "10:12", expected: "lacks a cellular interface"),
        Mistake("as: first", "as: first\n  - set: { wifi: dwon }", at: "10:18", expected: "did you mean `down`?"),
        Mistake("as: first", "as: first\n  - set: {}", at: "10:10", expected: "empty"),
        Mistake("as: first", "as: first\n  - invalidate: man", at: "10:17", expected: "did you mean `main`?"),
        Mistake(
            "as: first", "as: first\n  - invalidate: main\n  - data: /a", at: "11:5", expected: "invalidated above"),
        // timeline
        Mistake(
            "timeout: 20s", "timeline: [{ when: { sinceStrt: 2s }, set: { wifi: down } }]", at: "3:22",
            expected: "did you mean `sinceStart`?"),
        Mistake(
            "timeout: 20s", "timeline: [{ when: { packet: 0 }, set: { wifi: down } }]", at: "3:30",
            expected: "from 1 to"),
        Mistake(
            "timeout: 20s", "timeline: [{ when: { packet: 1, on: cellular }, set: { wifi: down } }]", at: "3:37",
            expected: "lacks a cellular interface"),
        Mistake("timeout: 20s", "timeline: [{ when: { sinceStart: 1s } }]", at: "3:12", expected: "no `set`"),
    ]

    @Test(arguments: mistakes)
    func `a mistake is reported at its position with a correction`(mistake: Mistake) {
        let text = Sample.good(replacing: mistake.old, with: mistake.new)
        #expect(text != Sample.good)
        let errors = Sample.errors(text)
        let described = errors.map(\.description).joined(separator: "\n")
        #expect(errors.count == 1, "\(described)")
        guard let error = errors.first else { return }
        #expect(error.description.hasPrefix("f.yaml:\(mistake.at): "), "\(described)")
        for words in mistake.message { #expect(error.message.contains(words), "\(described)") }
    }

    @Test func `the file without mistakes is valid`() {
        #expect(Sample.errors(Sample.good) == [])
    }

    @Test func `all mistakes of a file are reported in the order of its lines`() {
        let text = """
            scenario: Many
            proves: [NONE]
            limmit: 3s
            network: { wifi: godwifi }
            origin:
              /a: { text: hi, statsu: 200 }
            steps:
              - data: /a
                as: first
                timeout: 3
            expect:
              - complets: { task: first }
            """
        let lines = Sample.errors(text).map(\.place.line)
        #expect(lines == [2, 3, 4, 6, 10, 12])
    }

    @Test func `an unknown requirement is compared with the catalogue`() {
        let errors = Sample.errors(
            Sample.good(replacing: "DATA-01", with: "DATA-91"), requirements: ["DATA-01", "DNLD-09"])
        #expect(
            errors.map(\.message) == ["the catalogue does not have a requirement `DATA-91`; did you mean `DATA-01`?"])
        #expect(Sample.errors(Sample.good, requirements: ["DATA-01"]) == [])
    }

    /// A refused step hides the name of its task; errors at the uses of the name would mislead the author.
    @Test func `a refused step does not make its task unknown elsewhere`() {
        let text = Sample.good(
            replacing: "- data: /a\n    as: first", with: "- dat: /a\n    as: first\n  - await: first.didComplete")
        #expect(Sample.errors(text).count == 1)
    }
}
