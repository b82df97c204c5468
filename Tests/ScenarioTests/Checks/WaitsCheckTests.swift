import AdapterProtocol
import Testing

@testable import Scenario

/// Waiting is right when it is told once, before the path comes, and nothing happens until then; each test breaks one of these.
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

    @Test func `waiting until the path comes is right`() throws {
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
        ([.tells, .fails, .up], "waits: { task: first }", "it ends before: timedOut (-1001)"),
        ([.tells, .fails], "waits: { task: first }", "it ends"),
        ([.up, .tells, .request, .completes], "waits: { task: first }", "1.0 ms after"),
        ([.tells, .cellular, .request, .up], "waits: { task: first, until: wifi }", "request 1 before it"),
        ([.tells, .up, .request], "waits: { task: first, until: end }", "request 1"),
        ([.tells, .completes], "waits: { task: first, until: end }", "it succeeds"),
    ]

    @Test(arguments: wrong.indices)
    func `what is not waiting is found`(index: Int) throws {
        let (moments, check, found) = Self.wrong[index]
        #expect(try Self.run(moments).found(check) == found)
    }

    @Test func `a task that had a path all along has nothing to wait for`() throws {
        #expect(try Self.run([.tells, .completes], wifi: .up).found("waits: { task: first }") == "it was there")
    }

    /// The client may use a route before the lab has told that it made it: between step and fact nobody is blamed.
    @Test func `a request while the change is being made is right`() throws {
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
