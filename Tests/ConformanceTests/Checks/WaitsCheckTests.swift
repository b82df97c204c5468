import AdapterProtocol
import Testing

@testable import Record
@testable import ScenarioLanguage
@testable import Conformance

/// Tests of waiting, which must be reported once and before the path exists, with no activity until then; each test
/// violates one of these.
@Suite struct WaitsCheckTests {
    private static let setup = """
        network: { wifi: { profile: perfect, state: down } }
        origin:
          /hello: { text: "hello" }
        steps:
          - data: /hello
            as: first
        """
    private enum Moment: Equatable { case tells, request, completes, fails, up, cellular }

    private static func run(_ moments: [Moment], wifi: InterfaceState = .down) -> Run {
        var run = Run(setup, wifi: wifi)
        run.start("first")
        for moment in moments {
            switch moment {
            case .tells: run.report("first", .taskIsWaitingForConnectivity)
            case .request: run.request(1, "/hello")
            case .completes: run.complete("first")
            case .fails: run.complete("first", .timedOut)
            case .up:
                run.add(.step("timeline"))
                run.add(.network(.interfaceState(.wifi, .up)))
            case .cellular:
                run.add(.step("timeline"))
                run.add(.network(.interfaceState(.cellular, .up)))
            }
        }
        return run
    }

    @Test func `waiting until there is a path passes`() throws {
        #expect(try Self.run([.tells, .up, .request, .completes]).found("waits: { task: first }") == nil)
        #expect(
            try Self.run([.tells, .cellular, .up, .request, .completes]).found("waits: { task: first, until: wifi }")
                == nil)
        #expect(try Self.run([.tells, .fails]).found("waits: { task: first, until: end }") == nil)
    }

    private static let wrong: [([Moment], String, String)] = [
        ([.up, .request, .completes], "waits: { task: first }", "0 times"),
        ([.tells, .tells, .up, .request, .completes], "waits: { task: first }", "2 times"),
        ([.tells, .request, .up, .completes], "waits: { task: first }", "request 1 before it"),
        ([.tells, .fails, .up], "waits: { task: first }", "it ends earlier: timedOut (-1001)"),
        ([.tells, .fails], "waits: { task: first }", "it ends"),
        ([.up, .tells, .request, .completes], "waits: { task: first }", "1.0 ms after"),
        ([.tells, .cellular, .request, .up], "waits: { task: first, until: wifi }", "request 1 before it"),
        ([.tells, .up, .request], "waits: { task: first, until: end }", "request 1"),
        ([.tells, .completes], "waits: { task: first, until: end }", "it succeeds"),
    ]

    @Test(arguments: wrong.indices)
    func `a violation of waiting is found`(index: Int) throws {
        let (moments, check, found) = Self.wrong[index]
        #expect(try Self.run(moments).found(check) == found)
    }

    @Test func `a task with a path all the time must not wait`() throws {
        #expect(try Self.run([.tells, .completes], wifi: .up).found("waits: { task: first }") == "it was up")
    }

    /// The client may use a route before the lab has reported it: between step and fact no request is a violation.
    @Test func `a request during the change is allowed`() throws {
        var run = Run(Self.setup, wifi: .down)
        run.start("first")
        run.report("first", .taskIsWaitingForConnectivity)
        run.add(.step("timeline"))
        run.request(1, "/hello")
        run.add(.network(.interfaceState(.wifi, .up)))
        run.complete("first")
        #expect(try run.found("waits: { task: first }") == nil)
        #expect(NoTrafficWithoutPath.judge(try run.view()).isEmpty)
    }
}
