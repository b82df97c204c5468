import Conformance
import Testing

@testable import ScenarioLanguage

/// Tests that each short form reads as the long one.
struct ShortFormTests {
    private static let long = """
        scenario: A body arrives
        origin:
          /a: { size: 64KiB }
        steps:
          - download: /a
            as: task1
          - await: task1.didReceiveResponse
          - await: { event: task1.didWriteData, count: 2 }
          - await: task1.didComplete
        timeline:
          - { when: task1.didWriteData, set: { wifi: down } }
          - { when: { event: task1.didComplete }, set: { wifi: up } }
        expect:
          - completes: { task: task1, error: none }
          - order: [task1.didReceiveResponse, task1.didComplete]
          - never: task1.didResumeAtOffset
          - never: { event: task1.didWriteData, after: task1.didComplete }
          - before: { first: [task1.didReceiveResponse, task1.didWriteData], then: task1.didComplete }
          - count: { event: task1.didComplete, equals: 1 }
          - timing: { from: task1.didReceiveResponse, to: task1.didComplete, atMost: 5s }
          - sequence: { task: task1, events: [didComplete] }
          - file: { task: task1, equals: /a }
        """

    private static let short = """
        scenario: A body arrives
        origin:
          /a: { size: 64KiB }
        steps:
          - download: /a
          - await: didReceiveResponse
          - await: { event: didWriteData, count: 2 }
          - await: didComplete
        timeline:
          - { when: didWriteData, set: { wifi: down } }
          - { when: { event: didComplete }, set: { wifi: up } }
        expect:
          - completes: { error: none }
          - order: [didReceiveResponse, didComplete]
          - never: didResumeAtOffset
          - never: { event: didWriteData, after: didComplete }
          - before: { first: [didReceiveResponse, didWriteData], then: didComplete }
          - count: { event: didComplete, equals: 1 }
          - timing: { from: didReceiveResponse, to: didComplete, atMost: 5s }
          - sequence: { events: [didComplete] }
          - file: { equals: /a }
        """

    private static func read(_ text: String) throws -> Scenario {
        try ScenarioReader.read(file: "f.yaml", text: text).get()
    }

    @Test func `with a single task its name may be left out`() throws {
        let long = try Self.read(Self.long)
        let short = try Self.read(Self.short)
        #expect(short.script == long.script)
        #expect(short.timeline == long.timeline)
        #expect(short.expectations.map { "\($0.check)" } == long.expectations.map { "\($0.check)" })
        #expect(short.needs == long.needs)
    }

    @Test(arguments: [
        ("wait: true", "await: first.didComplete"),
        ("completionHandler: true\n    wait: true", "await: first.completionHandler"),
    ])
    func `a step that waits is followed by the completion of its task`(short: String, moment: String) throws {
        let handler = short.contains("completionHandler") ? "\n    completionHandler: true" : ""
        let last = "\n  - data: /a\n    as: second"
        let short = Sample.good(replacing: "as: first", with: "as: first\n    \(short)\(last)")
            .replacing("{ task: first, error: none }", with: "{ task: second }")
        let long = Sample.good(replacing: "as: first", with: "as: first\(handler)\n  - \(moment)\(last)")
            .replacing("{ task: first, error: none }", with: "{ task: second }")
        #expect(try Self.read(short).script == Self.read(long).script)
        #expect(try Self.read(short).script.count == 3)
    }

    @Test func `a step that resumes can wait as well, and wait: false does nothing`() throws {
        let start = "as: first\n    resume: false\n  - resume: first"
        let short = Sample.good(replacing: "as: first", with: start + "\n    wait: true")
        let long = Sample.good(replacing: "as: first", with: start + "\n  - await: first.didComplete")
        #expect(try Self.read(short).script == Self.read(long).script)
        let none = Sample.good(replacing: "as: first", with: "as: first\n    wait: false")
        #expect(try Self.read(none).script == Self.read(Sample.good).script)
    }

    @Test(arguments: [
        (
            "as: first\n    resume: false\n    wait: true", "f.yaml:11:11: the task is not started here",
            "completes: { task: first, error: none }"
        ),
        (
            "as: first\n  - data: /a", "f.yaml:12:16: `completes` lacks `task`", "completes: { error: none }"
        ),
        (
            "as: first\n  - data: /a", "f.yaml:12:12: `didComplete` is not an event", "never: didComplete"
        ),
        (
            "as: first\n  - data: /a\n  - await: didComplete", "f.yaml:11:12: `didComplete` is not an event",
            "completes: { task: first }"
        ),
    ])
    func `a short form that is ambiguous is an error at its place`(step: String, error: String, check: String) {
        let text = Sample.good(replacing: "as: first", with: step)
            .replacing("completes: { task: first, error: none }", with: check)
        let errors = Sample.errors(text)
        #expect(errors.count == 1)
        #expect(errors.first.map { "\($0)" }?.hasPrefix(error) == true, "\(errors)")
    }

    /// A misspelt step hides the names of its tasks; the missing name must not be a second error.
    @Test func `an error of a step hides the missing name of a check`() {
        let text = Sample.good(replacing: "data: /a", with: "dta: /a").replacing("task: first, ", with: "")
        #expect(Sample.errors(text).count == 1)
    }

    @Test func `a text that is not an event is left as it is`() throws {
        let text = Sample.good(
            replacing: "completes: { task: first, error: none }", with: "body: { text: didComplete }")
        #expect(try Self.read(text).expectations.map { "\($0.check)" }.first?.contains("first.didComplete") == false)
    }
}
