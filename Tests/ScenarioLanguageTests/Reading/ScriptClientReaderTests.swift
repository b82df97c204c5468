@testable import Conformance
import AdapterProtocol
import Testing

@testable import ScenarioLanguage

/// Tests of the client's behaviour for a task: it supplies a stream, delays decisions, retains data, continues an
/// upload.
struct ScriptClientReaderTests {
    private func read(_ script: String) -> Result<Scenario, ScenarioErrors> {
        ScenarioReader.read(
            file: "x", text: Sample.good(replacing: "  - data: /a\n    as: first\n", with: script + "\n"))
    }

    private func tasks(_ script: String) throws -> [TaskDescription] {
        try read(script).get().script.compactMap {
            if case .task(let task, body: _, starts: _) = $0 { task } else { nil }
        }
    }

    private func diagnostic(_ script: String) -> String {
        switch read(script) {
        case .success: "none"
        case .failure(let errors): errors.errors.map { "\($0)" }.joined(separator: "\n")
        }
    }

    @Test func `a streamed upload has a supplier and can have a different body in its request`() throws {
        let upload = "  - { upload: /a, as: first, body: { size: 1KiB, from: stream, supplies: 2 }, requestBody: no }"
        let task = try #require(try tasks(upload).first)
        #expect(task.stream == TaskDescription.BodyStream(supplies: 2))
        #expect(task.requestBody == Array("no".utf8))
        #expect(try read(upload).get().needs.contains(.streamedUpload))
        let always = try #require(try tasks("  - { upload: /a, as: first, body: { size: 1KiB, from: stream } }").first)
        #expect(always.stream == TaskDescription.BodyStream() && always.requestBody == nil)
        #expect(try tasks("  - { upload: /a, as: first, body: { size: 1KiB } }").first?.stream == nil)
    }

    @Test(arguments: ["data", "download"]) func `the request of a task can have a stream`(kind: String) throws {
        let sent = "  - { \(kind): /a, as: first, body: { size: 1KiB, from: stream }, completionHandler: true }"
        #expect(try tasks(sent).first?.stream == TaskDescription.BodyStream())
        #expect(try read(sent).get().needs.contains(.requestStream))
        #expect(try !read(sent).get().needs.contains(.streamedUpload))
    }

    @Test func `the file of an upload can have a name`() throws {
        let upload = "  - { upload: /a, as: first, body: { size: 1KiB, from: file, fileName: '50% é' } }"
        guard case .task(_, body: let body, starts: _)? = try read(upload).get().script.first else {
            Issue.record("not a task")
            return
        }
        #expect(body?.fileName == "50% é")
    }

    @Test func `a body stream can fail, and a task can have its own delegate`() throws {
        let failing = "  - { upload: /a, as: first, body: { size: 1KiB, from: stream, fails: true } }"
        #expect(try tasks(failing).first?.stream == TaskDescription.BodyStream(fails: true))
        #expect(try read(failing).get().needs.contains(.failingStream))
        let own = "  - { data: /a, as: first, ownDelegate: true }"
        #expect(try tasks(own).first?.hasOwnDelegate == true)
        #expect(try read(own).get().needs.contains(.taskDelegate))
        let one = "  - { data: /a, as: first, ownDelegate: true, ownDelegateImplements: completion }"
        #expect(try tasks(one).first?.ownDelegateMethods == .completion)
        #expect(try read(one).get().needs.contains(.optionalDelegateMethods))
        #expect(throws: ScenarioErrors.self) {
            try read("  - { data: /a, as: first, ownDelegateImplements: completion }").get()
        }
    }

    @Test func `a call of an asynchronous method reports like a completion handler`() throws {
        let call = "  - { data: /a, as: first, completionHandler: true, async: bytes }"
        #expect(try tasks(call).first?.asyncMethod == .bytes)
        let needs = try read(call).get().needs
        #expect(needs.contains(.asyncMethods) && needs.contains(.asyncBytes))
        for wrong in [
            "{ data: /a, as: first, async: result }",
            "{ download: /a, as: first, completionHandler: true, async: bytes }",
            "{ upload: /a, as: first, body: { size: 1KiB, from: stream }, completionHandler: true, async: result }",
            "{ data: /a, as: first, completionHandler: true, async: result, ownDelegate: true }",
        ] {
            #expect(throws: ScenarioErrors.self) { try read("  - \(wrong)").get() }
        }
    }

    @Test func `the methods of a delegate that is not there are refused`() throws {
        func sessions(_ settings: String) throws -> [SessionPlan] {
            let text = Sample.good(replacing: "steps:", with: "session: { \(settings) }\nsteps:")
            return try ScenarioReader.read(file: "x", text: text).get().sessions
        }
        #expect(try sessions("delegateImplements: completion").first?.configuration.delegateMethods == .completion)
        let refused = try #require(throws: ScenarioErrors.self) {
            try sessions("delegate: none, delegateImplements: completion")
        }
        #expect(refused.errors.contains { $0.message.contains("leave `delegate: none` out") })
    }

    @Test func `a redirect can lead to another request`() throws {
        let other = "  - { data: /a, as: first, redirect: { to: /b, method: PUT, body: new } }"
        #expect(
            try tasks(other).first?.policies.redirect == .to(url: "http://api.test/b", method: "PUT", body: "new"))
    }

    /// Otherwise an implementation without the event waits until the timeout and is blamed for it.
    @Test func `a step or timeline entry that awaits an event needs its capability`() throws {
        let task = "  - { download: /a, as: first }"
        #expect(try !read(task).get().needs.contains(.downloadProgress))
        #expect(try read(task + "\n  - await: first.didWriteData").get().needs.contains(.downloadProgress))
        #expect(
            try read(task + "\ntimeline:\n  - { when: first.didFinishCollectingMetrics, set: { wifi: down } }").get()
                .needs
                .contains(.metrics))
        #expect(Trigger(.sessionEvent(.main, .didBecomeInvalid, count: 1)).needs == [.invalidate])
        #expect(Trigger(.sessionEvent(.main, .delegateReleased, count: 1)).needs == [.delegateRelease])
        #expect(Trigger(.request(1)).needs == [])
    }

    @Test(arguments: [
        ("{ upload: /a, as: first, body: { size: 1KiB, supplies: 2 } }", "`supplies` counts streams"),
        ("{ upload: /a, as: first, body: { size: 1KiB, fails: true } }", "only a stream can fail"),
        ("{ data: /a, as: first, redirect: { to: follow } }", "`to` is `follow`; write a path or URL"),
        ("{ data: /a, as: first, redirect: { to: /b, method: 'A B' } }", "is not a method"),
        (
            "{ upload: /a, as: first, body: { size: 1KiB }, requestBody: no }",
            "`requestBody` needs a body `from: stream`"
        ),
        (
            "{ upload: /a, as: first, body: { size: 1KiB, from: stream }, completionHandler: true }",
            "cannot have a completion handler"
        ),
        ("{ data: /a, as: first, body: { size: 1KiB, from: file } }", "only an upload sends a file"),
        (
            "{ data: /a, as: first, body: { size: 1KiB, from: stream }, requestBody: no }",
            "the request of a data task has one body"
        ),
        ("{ upload: /a, body: { size: 1KiB, fileName: a } }", "only a file has a name"),
        ("{ upload: /a, body: { size: 1KiB, from: file, fileName: a/b } }", "`a/b` is not a file name"),
        ("{ upload: /a, body: { size: 1KiB, from: file, fileName: '..' } }", "`..` is not a file name"),
        ("{ data: /a, as: first, hold: challenge }", "there is no decision to hold"),
        (
            "{ data: /a, as: first, hold: [redirect, response], completionHandler: true }",
            "replaces the response callback"
        ),
        ("{ download: /a, as: first, hold: response }", "a download does not have a response decision"),
        ("{ data: /a, as: first, hold: data }", "challenge"),
    ])
    func `a meaningless option is refused`(step: String, words: String) {
        #expect(diagnostic("  - " + step).contains(words), "\(diagnostic("  - " + step))")
    }

    @Test func `only held decisions are released by a step`() throws {
        let script = """
              - { data: /a, as: first, redirect: follow, challenge: cancel, response: allow, hold: [redirect, challenge, response] }
              - release: first
            """
        let scenario = try read(script).get()
        #expect(try tasks(script).first?.policies.held == [.redirect, .challenge, .response])
        #expect(scenario.script.last == .command(.release("first")))
        #expect(scenario.needs.isSuperset(of: [.heldDecisions, .redirectDecision, .responseDisposition]))
        #expect(diagnostic("  - { data: /a, as: first }\n  - release: first").contains("does not hold a decision"))
        #expect(diagnostic("  - { data: /a, as: first, hold: redirect }\n  - release: frist").contains("`first`"))
    }

    /// CONV-05: a completion handler replaces only the callbacks for the response, the data and the end.
    @Test func `a task with a completion handler still makes redirect and challenge decisions`() throws {
        let script = """
              - { data: /a, as: first, challenge: cancel, hold: [redirect, challenge], blockCallback: willPerformRedirect, completionHandler: true }
              - release: first
            """
        #expect(try tasks(script).first?.policies.held == [.redirect, .challenge])
        #expect(try tasks(script).first?.policies.blockedCallbacks == [.willPerformRedirect])
    }

    @Test func `a blocked callback is released by the same step`() throws {
        let script = "  - { data: /a, as: first, blockCallback: [didReceiveData, didComplete] }\n  - release: first"
        let scenario = try read(script).get()
        #expect(try tasks(script).first?.policies.blockedCallbacks == [.didReceiveData, .didComplete])
        #expect(scenario.needs.contains(.blockedCallbacks))
        #expect(diagnostic("  - { data: /a, as: first, blockCallback: didFinish }").contains("didFinishDownloading"))
        #expect(
            diagnostic("  - { data: /a, as: first, blockCallback: didReceiveData, completionHandler: true }").contains(
                "replaces didReceiveData"))
    }

    @Test func `a task's progress can be watched, joined and used`() throws {
        let script =
            "  - { data: /a, as: first, watchProgress: true, jointProgress: all }\n  - { progress: first, do: pause }\n  - progress: first"
        let scenario = try read(script).get()
        #expect(try tasks(script).first?.watchesProgress == true && tasks(script).first?.jointProgress == "all")
        #expect(
            scenario.script.suffix(2) == [.command(.progress("first", .pause)), .command(.progress("first", .read))])
        #expect(scenario.needs.contains(.progress))
        #expect(diagnostic("  - { data: /a, as: first }\n  - { progress: first, do: stop }").contains("pause"))
        #expect(diagnostic("  - { data: /a, as: first }\n  - progress: frist").contains("`first`"))
        #expect(
            diagnostic("  - { data: /a, as: first, watchProgress: true, completionHandler: true }").contains(
                "does not have data callbacks"))
    }

    @Test func `a stream is created, written, read, secured and closed`() throws {
        let script = """
              - { stream: api.test:80, as: first }
              - { writeStream: first, text: "a\\r\\n" }
              - { readStream: first, atLeast: 2B, atMost: 1KiB }
              - readStream: first
              - secure: first
              - closeWrite: first
              - closeRead: first
            """
        let scenario = try read(script).get()
        let task = try #require(try tasks(script).first)
        #expect(task.kind == .stream && task.url == "tcp://api.test:80")
        #expect(
            scenario.script.dropFirst() == [
                .command(.stream("first", .write(Array("a\r\n".utf8)))),
                .command(.stream("first", .read(minimum: 2, maximum: 1024))),
                .command(.stream("first", .read(minimum: 1, maximum: 65_536))), .command(.stream("first", .secure)),
                .command(.stream("first", .closeWrite)),
                .command(.stream("first", .closeRead)),
            ])
        #expect(scenario.needs.isSuperset(of: [.streamTask, .tls]) && !scenario.needs.contains(.data))
        #expect(scenario.network.dns.rules.contains { $0.host == "api.test" })
    }

    @Test func `a stream task becomes streams and continues through them`() throws {
        let script = """
              - { stream: "api.test:80", as: first }
              - captureStreams: first
              - await: first.didBecomeStreams
              - { writeCaptured: first, text: a }
              - { readCaptured: first, atLeast: 1MiB }
              - readCaptured: first
              - closeCaptured: first
            """
        let scenario = try read(script).get()
        #expect(
            scenario.script.dropFirst() == [
                .command(.stream("first", .captureStreams)),
                .await(Trigger(.event("first", .didBecomeStreams, count: 1))),
                .command(.stream("first", .writeCaptured([97]))),
                .command(.stream("first", .readCaptured(minimum: 1 << 20, maximum: 1 << 20))),
                .command(.stream("first", .readCaptured(minimum: 1, maximum: 65_536))),
                .command(.stream("first", .closeCaptured)),
            ])
        #expect(scenario.needs.isSuperset(of: [.streamTask, .streamCapture]))
    }

    @Test(arguments: [
        ("  - { stream: api.test, as: first }", "is not a host and port"),
        ("  - { stream: \"api.test:0\", as: first }", "is not a host and port"),
        (
            "  - { stream: \"api.test:80\", as: first }\n  - { readStream: first, atLeast: 2KiB, atMost: 1KiB }",
            "is more than"
        ),
        ("  - { data: /a, as: first }\n  - { writeStream: first, text: a }", "is not a stream"),
        ("  - { data: /a, as: first }\n  - secure: second", "no step above creates a task `second`"),
        ("  - { data: /a, as: first }\n  - await: first.streamRead", "is not a stream"),
        ("  - { data: /a, as: first }\n  - captureStreams: first", "is not a stream"),
        ("  - { data: /a, as: first }\n  - await: first.didBecomeStreams", "is not a stream"),
        (
            "  - { stream: \"api.test:80\", as: first }\n  - { readCaptured: first, atLeast: 2KiB, atMost: 1KiB }",
            "is more than"
        ),
    ])
    func `an operation that streams lack is refused`(script: String, words: String) {
        #expect(diagnostic(script).contains(words), "\(diagnostic(script))")
    }

    @Test func `a session can have a queue`() throws {
        let text = Sample.good(replacing: "steps:\n", with: "session: { delegateQueue: { width: 3 } }\nsteps:\n")
        let scenario = try ScenarioReader.read(file: "x", text: text).get()
        #expect(scenario.sessions.first?.configuration.delegateQueue == DelegateQueue(width: 3))
        #expect(scenario.needs.contains(.delegateQueue))
    }

    @Test func `a later process continues from stored resume data only`() throws {
        func script(_ store: String) -> String {
            "  - { download: /a, as: first\(store) }\n  - app: crash\n  - app: launch\n"
                + "  - { download: { resumeData: first }, as: second }"
        }
        let stored = script(", storeResumeData: true")
        #expect(try tasks(stored).map(\.storesResumeData) == [true, false])
        #expect(try read(stored).get().needs.contains(.storedResumeData))
        #expect(diagnostic(script("")).contains("write `storeResumeData: true` where the task is made"))
    }

    @Test func `delivered data can be retained and read back`() throws {
        let script = "  - { download: /a, as: first, retain: true }\n  - readRetained: first"
        let scenario = try read(script).get()
        #expect(try tasks(script).first?.retainsDelivered == true)
        #expect(scenario.script.last == .command(.readRetained("first")))
        #expect(scenario.needs.contains(.readRetained))
        #expect(try tasks("  - { download: /a, as: first }").first?.retainsDelivered == false)
        #expect(
            diagnostic("  - { data: /a, as: first }\n  - readRetained: second").contains(
                "no step above creates a task `second`"))
    }

    @Test func `an upload continues from its resume data, which is a separate capability`() throws {
        let script = """
              - { upload: /a, as: first, body: { size: 1KiB } }
              - { cancel: first, resumeData: true }
              - { upload: { resumeData: first }, as: second }
            """
        let scenario = try read(script).get()
        let second = try #require(try tasks(script).last)
        #expect(second.kind == .upload && second.resumesFrom == "first")
        #expect(scenario.needs.contains(.uploadResumeData))
        #expect(scenario.needs.isDisjoint(with: [.resumeData, .cancelProducingResumeData]))
        let both = try read(
            script + "\n  - { download: /a, as: third }\n  - { download: { resumeData: third }, as: fourth }"
        ).get()
        #expect(both.needs.isSuperset(of: [.uploadResumeData, .resumeData]))
        #expect(
            diagnostic("  - { data: /a, as: first }\n  - { download: { resumeData: first }, as: second }").contains(
                "neither a download nor an upload"))
        #expect(
            diagnostic("  - { data: /a, as: first }\n  - { cancel: first, resumeData: true }").contains(
                "neither a download nor an upload"))
    }
}
