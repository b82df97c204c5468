import AdapterProtocol

@testable import Record
@testable import ScenarioLanguage
@testable import Conformance

extension CheckCompletenessTests {
    /// Three downloads of two background sessions over two processes of the app, on a clock that runs 1000 times as fast:
    /// each entry of the record is a second after the one before. `third` completes before `first`, whose response ended
    /// earlier, and `second` completes twice.
    static func background() -> Run {
        var run = Run(
            """
            power: external
            battery: 40%
            clock: { scale: 1000 }
            network: { wifi: perfect }
            origin:
              /a: { text: a }
              /b: { text: b }
              /c: { text: c }
            sessions:
              main: { kind: background }
              other: { kind: background }
            steps:
              - download: /a
                as: first
                session: main
              - download: /b
                as: second
                session: other
              - download: /c
                as: third
                session: main
              - app: terminate
              - app: launch
            """)
        run.add(.network(.power(PowerState(isExternal: true, battery: 40))))
        run.command(.makeTask(TaskDescription(task: "second", kind: .download, url: "http://api.test/b")))
        run.command(.makeTask(TaskDescription(task: "first", kind: .download, url: "http://api.test/a")))
        for task in ["first", "second", "third"] as [TaskName] { run.start(task) }
        run.request(1, "/a")
        run.add(.adapter(.connectionOwner(connection: 1, .daemon)))
        run.request(2, "/b")
        run.add(.adapter(.connectionOwner(connection: 2, .app)))
        run.request(3, "/c")
        for number in 1...3 { run.answer(number, bytes: 1) }
        run.add(.adapter(.process(generation: 1, "ended: signal 15")))
        run.add(.adapter(.relaunchRequested(arguments: ["updates"])))
        run.wait(milliseconds: 500)
        run.add(.adapter(.relaunchRequested(arguments: ["updates"])))
        for task in ["third", "first", "second", "second"] as [TaskName] { run.complete(task) }
        run.end()
        return run
    }
}
