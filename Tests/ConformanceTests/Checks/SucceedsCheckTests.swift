import AdapterProtocol
import Testing

@testable import Conformance
@testable import Record
@testable import ScenarioLanguage

/// Tests of the check that several tasks succeed.
@Suite struct SucceedsCheckTests {
    private static func run(_ status: Int = 200, second: FailureCode? = nil) -> Run {
        var run = Run(Run.hello + "\n  - data: /hello\n    as: second")
        for task in ["first", "second"] as [TaskName] { run.start(task) }
        run.response("first", status: status, url: "http://api.test/hello")
        run.complete("first")
        run.complete("second", second)
        return run
    }

    @Test func `all tasks, or the named ones, must end without an error`() throws {
        #expect(try Self.run().found("succeeds: all") == nil)
        #expect(try Self.run().found("succeeds: [first, second]") == nil)
        let failed = Self.run(second: .timedOut)
        #expect(try failed.found("succeeds: first") == nil)
        #expect(try failed.judge("succeeds: all").map(\.expected) == ["second ends without an error"])
        #expect(try failed.judge("succeeds: all").map(\.dependsOnTime) == [true])
        #expect(try Self.run(second: .badServerResponse).judge("succeeds: second").map(\.dependsOnTime) == [false])
    }

    @Test(arguments: [(200, nil), (304, nil), (399, nil), (400, "status 400"), (503, "status 503")])
    func `the last response must not be an error of HTTP`(status: Int, found: String?) throws {
        #expect(try Self.run(status).found("succeeds: all") == found)
    }

    @Test func `a task without a completion does not succeed`() throws {
        var run = Run()
        run.start("first")
        #expect(try run.found("succeeds: all") == "no completion of first")
    }

    /// A command writes the page of a 404 to its file and may end with status 0.
    @Test(arguments: [([404], "status 404"), ([200], nil), ([503, 200], nil), ([200, 503], "status 503")])
    func `the status of a client that reports no response is that on the wire`(statuses: [Int], found: String?) throws {
        var run = Run(reports: ["didComplete"])
        run.start("first")
        for (index, status) in statuses.enumerated() {
            run.request(index + 1, "/hello")
            run.answer(index + 1, status: status, bytes: 0)
        }
        run.complete("first")
        #expect(try run.found("succeeds: all") == found)
    }

    @Test(arguments: [
        ("succeeds: frist", "the scenario does not create a task `frist`; did you mean `first`? Allowed: all, first"),
        ("succeeds: [all, first]", "`all` cannot be combined with names of tasks"),
    ])
    func `a wrong name is an error of the scenario`(check: String, message: String) {
        let error = #expect(throws: ScenarioErrors.self) { try Run.plain().scenario([check]) }
        #expect(error?.errors.first.map { "\($0)" }?.contains(message) == true)
    }
}
