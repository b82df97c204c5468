@testable import Conformance
import AdapterProtocol
import Testing

@testable import ScenarioLanguage

/// Tests of the steps that read or configure tasks and sessions: their model, the capabilities that they need, and the
/// errors for wrong ones.
struct PropertyStepTests {
    private func read(session: String = "{}", task: String = "", steps: [String], check: String? = nil) -> Result<
        Scenario, ScenarioErrors
    > {
        var text = Sample.good(replacing: "origin:", with: "session: \(session)\norigin:")
            .replacing(
                "    as: first\n",
                with: "    as: first\n" + (task.isEmpty ? "" : "    \(task)\n") + steps.map { "  - \($0)\n" }.joined())
        if let check { text += "\n  - \(check)" }
        return ScenarioReader.read(file: "x", text: text)
    }

    private func diagnostic(session: String = "{}", task: String = "", steps: [String] = [], check: String? = nil)
        -> String
    {
        switch read(session: session, task: task, steps: steps, check: check) {
        case .success: "none"
        case .failure(let errors): errors.errors.map { "\($0)" }.joined(separator: "\n")
        }
    }

    @Test func `a property is read from a task or from a session`() throws {
        let scenario = try read(steps: ["{ read: first, property: classes }", "{ read: main, property: settings }"])
            .get()
        #expect(
            scenario.script.dropFirst() == [
                .command(.readProperty("first", .classes)), .command(.readSessionProperty(.main, .settings)),
            ])
        #expect(scenario.needs.isSuperset(of: [.taskProperties, .sessionProperties]))
        #expect(
            diagnostic(steps: ["{ read: main, property: classes }"]).contains("no step above creates a task `main`"))
        #expect(diagnostic(steps: ["{ read: mian, property: settings }"]).contains("did you mean `main`?"))
        #expect(diagnostic(steps: ["{ read: first, property: clases }"]).contains("did you mean `classes`?"))
        #expect(diagnostic(steps: ["{ read: first }"]).contains("`property`"))
    }

    @Test func `the tasks of a session are listed, and the list can be awaited`() throws {
        let scenario = try read(
            steps: ["listTasks: main", "await: main.tasksListed"],
            check: "listed: { data: first }"
        ).get()
        #expect(
            scenario.script.dropFirst() == [
                .command(.listTasks(.main)), .await(Trigger(.sessionEvent(.main, .tasksListed, count: 1))),
            ])
        #expect(scenario.needs.contains(.taskList) && !scenario.needs.contains(.transferSizeHints))
        #expect(diagnostic(steps: ["listTasks: mian"]).contains("did you mean `main`?"))
        #expect(diagnostic(check: "listed: { data: first }").contains("add a step `listTasks`"))
        #expect(
            diagnostic(steps: ["listTasks: main"], check: "listed: { data: fist }").contains(
                "does not create a task `fist`"))
        #expect(
            diagnostic(steps: ["listTasks: main"], check: "listed: { state: running }").contains(
                "name it with `task`"))
        let hints = try read(
            task: "expectedToSend: 5", steps: ["listTasks: main"], check: "listed: { task: first, expectsToSend: 5 }"
        ).get()
        #expect(hints.needs.isSuperset(of: [.taskList, .transferSizeHints]))
        #expect(!hints.needs.contains(.backgroundSession))
    }

    @Test func `a configuration is changed through either object, except options fixed at creation`() throws {
        let scenario = try read(steps: ["{ configure: main, through: readBack, with: { requestTimeout: 2s } }"]).get()
        var changed = SessionConfiguration()
        changed.requestTimeout = .seconds(2)
        #expect(scenario.script.last == .command(.configure(.main, through: .readBack, changed)))
        #expect(scenario.needs.isSuperset(of: [.configurationObjects, .requestTimeout]))
        for word in ["kind: default", "delegate: none", "spy: cache", "protocolClasses: { scheme: a, response: b }"] {
            #expect(
                diagnostic(steps: ["{ configure: main, through: original, with: { \(word) } }"]).contains(
                    "chosen when a session is created"), "\(word)")
        }
        #expect(
            diagnostic(steps: ["{ configure: main, through: original, with: {} }"]).contains("`with` is empty"))
        #expect(
            diagnostic(steps: ["{ configure: other, through: original, with: { kind: default } }"]).contains(
                "the session `other` does not exist"))
    }

    @Test func `a session without a delegate supports only handlers, and the shared one cannot be configured`() throws {
        let silent = try read(session: "{ delegate: none }", task: "completionHandler: true", steps: []).get()
        #expect(silent.sessions.first?.configuration.hasDelegate == false)
        #expect(silent.needs.contains(.sessionWithoutDelegate))
        let shared = try read(session: "{ kind: shared }", task: "completionHandler: true", steps: []).get()
        #expect(shared.sessions.first?.configuration.kind == .shared)
        #expect(shared.sessions.first?.configuration.hasDelegate == false)
        #expect(shared.needs.contains(.sharedSession) && !shared.needs.contains(.sessionWithoutDelegate))
        #expect(diagnostic(session: "{ delegate: none }").contains("give the task `completionHandler: true`"))
        #expect(diagnostic(session: "{ kind: shared }").contains("give the task `completionHandler: true`"))
        #expect(
            diagnostic(session: "{ kind: shared, requestTimeout: 2s }", task: "completionHandler: true").contains(
                "leave `requestTimeout` out"))
        #expect(
            diagnostic(session: "{ delegate: none }", task: "completionHandler: true", steps: ["invalidate: main"])
                .contains("report its invalidation"))
    }

    @Test func `a store with a spy is a new one and only its accesses can be held`() throws {
        let scenario = try read(
            session: "{ spy: [cookies, credentials] }", task: "hold: store", steps: ["release: first"]
        ).get()
        #expect(scenario.sessions.first?.configuration.spies == [.cookies, .credentials])
        #expect(scenario.needs.isSuperset(of: [.cookieSpy, .credentialSpy, .heldDecisions]))
        guard case .task(let task, _, _) = scenario.script.first else { return #expect(Bool(false)) }
        #expect(task.policies.held == [.store])
        #expect(diagnostic(task: "hold: store").contains("does not have a spy on a store"))
        #expect(diagnostic(session: "{ spy: cache, cache: left }").contains("leave out either the spy or `cache`"))
        #expect(diagnostic(session: "{ spy: cookis }").contains("did you mean `cookies`?"))
    }

    @Test func `a service type belongs to the session`() throws {
        let scenario = try read(session: "{ serviceType: voice }", steps: []).get()
        #expect(scenario.sessions.first?.configuration.serviceType == .voice)
        #expect(scenario.needs.contains(.networkServiceType))
    }

    @Test func `a step can wait for the release of the delegate`() throws {
        let scenario = try read(steps: ["invalidate: main", "await: main.delegateReleased"]).get()
        #expect(scenario.script.last == .await(Trigger(.sessionEvent(.main, .delegateReleased, count: 1))))
        #expect(diagnostic(steps: ["await: mian.delegateReleased"]).contains("the session `mian` does not exist"))
        let order = "before: { first: main.didBecomeInvalid, then: main.delegateReleased }"
        #expect(try read(steps: ["invalidate: main"], check: order).get().needs.contains(.delegateRelease))
    }

    @Test func `a check of a property that no step reads is refused`() {
        #expect(
            diagnostic(check: "property: { task: first, name: classes, is: data }").contains(
                "no step reads the classes of first"))
        #expect(diagnostic(check: "property: { session: main, name: classes, is: data }").contains("name a `task`"))
        #expect(diagnostic(check: "property: { task: first, name: settings, is: data }").contains("name a `session`"))
        #expect(
            diagnostic(
                steps: ["{ read: first, property: classes }"],
                check: "property: { task: first, name: classes, sameAs: second }"
            )
            .contains("no step reads the classes of second"))
        #expect(
            diagnostic(check: "storeAccess: { task: first, store: cache, action: read }").contains(
                "does not have a spy on its cache"))
        #expect(
            diagnostic(
                session: "{ spy: cache }", check: "storeAccess: { task: first, store: cache, action: read, number: 2 }"
            ).contains("add it"))
    }

    @Test func `the sample for these steps is read`() throws {
        let scenario = try ScenarioReader.read(file: "x", text: try Sample.text("objects.yaml")).get()
        #expect(scenario.script.count == 10 && scenario.expectations.count == 4)
    }
}
