import AdapterProtocol
@testable import AdapterSupport
import Foundation
import FoundationNetworking
import Testing

/// The events are the lines as written, so their order is the order in which the harness reads them.
@Suite struct SessionReporterTests {
    private let written = Collected<[UInt8]>()
    private let registry = TaskRegistry(resumeDataKeys: ("download", "upload"))
    private let decided = Collected<FakeDisposition>()

    private func reporter(_ queue: OperationQueue? = nil) -> SessionReporter {
        SessionReporter(session: "main", registry: registry, output: written.output, queue: queue)
    }

    private func begin(_ task: TaskName, _ change: (inout TaskPolicies) -> Void) {
        var description = TaskDescription(task: task, kind: .data, url: "https://api.test/")
        change(&description.policies)
        registry.begin(description)
    }

    @Test func `Callbacks are framed only in a session with a given queue`() throws {
        let task = FakeTask("first")
        reporter().report(task, .readClosed)
        reporter(OperationQueue()).report(task, .writeClosed)
        #expect(
            try written.kinds == [
                .task("first", .readClosed), .task("first", .callbackBegan(.writeClosed, isOnQueue: false)),
                .task("first", .writeClosed), .task("first", .callbackEnded(.writeClosed)),
            ])
    }

    @Test func `A session's message outside its queue is only logged`() throws {
        let queue = OperationQueue()
        reporter(queue).didBecomeInvalid(nil)
        queue.addOperation { reporter(queue).didBecomeInvalid(nil) }
        queue.waitUntilAllOperationsAreFinished()
        reporter().didBecomeInvalid(nil)
        #expect(
            try written.kinds == [
                .log("main: didBecomeInvalid was called outside the session's queue"),
                .didBecomeInvalid("main", error: nil), .didBecomeInvalid("main", error: nil),
            ])
    }

    @Test(
        arguments: [
            (TaskDescription.Kind.data, "download", 3), (.download, "download", 3), (.upload, "upload", 3),
            (.download, "upload", nil), (.upload, "download", nil),
        ] as [(TaskDescription.Kind, String, Int?)])
    func `Resume data counts under the key of the kind of task`(
        kind: TaskDescription.Kind, key: String, length: Int?
    ) {
        registry.begin(TaskDescription(task: "first", kind: kind, url: "https://api.test/"))
        let error = URLError(.networkConnectionLost, userInfo: [key: Data([1, 2, 3])])
        #expect(registry.end("first", error) == length)
        #expect(registry.resumeData(of: "first")?.count == length)
    }

    @Test
    func
        `Only its own delegate reports what concerns a task, and only the session's reports what concerns the session`()
        throws
    {
        var description = TaskDescription(task: "first", kind: .data, url: "https://api.test/")
        description.hasOwnDelegate = true
        description.policies.challenges = [.serverTrust]
        registry.begin(description)
        var own = reporter()
        own.isOfTask = true
        for reporter in [reporter(OperationQueue()), own] {
            reporter.report(FakeTask("first"), .taskIsWaitingForConnectivity)
            reporter.didReceiveData(FakeTask("first"), Data([1]))
            reporter.didReceiveChallenge(FakeTask("first"), FakeChallenge(method: "Basic")) {
                (disposition: FakeDisposition, _) in decided.add(disposition)
            }
            reporter.didComplete(FakeTask("first"), nil)
        }
        let events: [TaskEventName] = try written.kinds.compactMap {
            if case .task("first", let event) = $0 { event.name } else { nil }
        }
        #expect(events == [.taskIsWaitingForConnectivity, .didReceiveData, .didReceiveChallenge, .didComplete])
        #expect(
            try written.kinds.contains(
                .log("first: didReceiveData was called on the session's delegate, not on the task's own")))
        // A client that asks the wrong delegate gets its decision nevertheless, so that it continues.
        #expect(decided.all.count == 2)
    }

    @Test func `What a task's own delegate does not implement is reported by the session's`() throws {
        var description = TaskDescription(task: "first", kind: .data, url: "https://api.test/")
        description.hasOwnDelegate = true
        description.ownDelegateMethods = .completion
        registry.begin(description)
        var own = reporter()
        own.isOfTask = true
        for reporter in [reporter(), own] {
            reporter.didReceiveData(FakeTask("first"), Data([1]))
            reporter.didComplete(FakeTask("first"), nil)
        }
        let wrong = "was called on"
        #expect(
            try written.kinds.map { kind in
                switch kind {
                case .task(_, let event): event.name.rawValue
                case .log(let text): text.contains(wrong) ? wrong : text
                default: "\(kind)"
                }
            } == ["didReceiveData", wrong, wrong, "didComplete"])
    }

    @Test func `A session's challenge is not reported by a task's own delegate`() throws {
        var description = TaskDescription(task: "first", kind: .data, url: "https://api.test/")
        description.hasOwnDelegate = true
        description.policies.challenges = [.serverTrust]
        registry.begin(description)
        let challenge = FakeChallenge(method: TaskEvent.Challenge.serverTrustMethod)
        var own = reporter()
        own.isOfTask = true
        own.didReceiveChallenge(challenge) { (disposition: FakeDisposition, _) in decided.add(disposition) }
        #expect(
            try written.kinds == [
                .log("first: didReceiveChallenge was called on the task's own delegate, not on the session's")
            ])
        reporter().didReceiveChallenge(challenge) { (disposition: FakeDisposition, _) in decided.add(disposition) }
        #expect(try written.kinds.count == 2)
        #expect(decided.all == [.useCredential, .useCredential])
    }

    @Test func `The session's challenge is reported for a task that has not ended`() throws {
        for task: TaskName in ["first", "second"] { begin(task) { $0.challenges = [.serverTrust] } }
        reporter().didComplete(FakeTask("second"), URLError(.notConnectedToInternet))
        let challenge = FakeChallenge(method: TaskEvent.Challenge.serverTrustMethod)
        reporter().didReceiveChallenge(challenge) { (disposition: FakeDisposition, _) in decided.add(disposition) }
        guard case .task("first", .didReceiveChallenge) = try written.kinds.last else {
            Issue.record("\(try written.kinds)")
            return
        }
    }

    @Test func `A task without a description is named by its identifier`() { #expect(FakeTask(nil).name == "task 7") }

    @Test func `A held redirect is decided on release, to the URL of the policy`() throws {
        begin("first") {
            $0.redirect = .to(url: "https://api.test/other", method: "PUT", body: "new")
            $0.held = [.redirect]
        }
        let target = Collected<URLRequest?>()
        let url = try #require(URL(string: "https://api.test/"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 302, httpVersion: nil, headerFields: nil))
        reporter().willPerformRedirect(FakeTask("first"), response, to: URLRequest(url: url)) { request in
            target.add(request)
        }
        #expect(
            try written.kinds == [
                .task("first", .willPerformRedirect(status: 302, url: "https://api.test/", method: "GET"))
            ])
        #expect(target.all.isEmpty)
        #expect(registry.held.release("first"))
        #expect(target.all.map { $0?.url?.path } == ["/other"])
        #expect(target.all.map { $0?.httpMethod } == ["PUT"])
        #expect(target.all.map { $0?.httpBody } == [Data("new".utf8)])
    }

    @Test func `A session's challenge is decided by a task for its host`() throws {
        begin("first") { $0.challenges = [.serverTrust] }
        let challenge = FakeChallenge(method: TaskEvent.Challenge.serverTrustMethod)
        reporter().didReceiveChallenge(challenge) { (disposition: FakeDisposition, credential) in
            decided.add(disposition)
            #expect(credential === FakeChallenge.trust)
        }
        #expect(decided.all == [.useCredential])
        #expect(
            try written.kinds == [
                .task(
                    "first",
                    .didReceiveChallenge(
                        TaskEvent.Challenge(
                            level: .session, method: "serverTrust", realm: "zone", host: "api.test",
                            previousFailureCount: 0, isProxy: false)))
            ])
    }

    @Test func `A session's challenge without a task gets the default handling`() throws {
        reporter().didReceiveChallenge(FakeChallenge(method: "Basic")) { (disposition: FakeDisposition, _) in
            decided.add(disposition)
        }
        #expect(decided.all == [.performDefaultHandling])
        #expect(try written.kinds == [.log("main: session-level challenge without a task, Basic")])
    }

    @Test func `An unreadable identity cancels the challenge`() throws {
        begin("first") { $0.challenges = [.clientCertificate(chainPath: "/missing", keyPath: "/key")] }
        let challenge = FakeChallenge(method: TaskEvent.Challenge.clientCertificateMethod)
        reporter().didReceiveChallenge(FakeTask("first"), challenge) { (disposition: FakeDisposition, _) in
            decided.add(disposition)
        }
        #expect(decided.all == [.cancelAuthenticationChallenge])
        guard case .adapterFailed(let message) = try written.kinds.last else {
            Issue.record("no failure is reported")
            return
        }
        #expect(message.hasPrefix("cannot read the identity /missing, /key: "))
    }

    /// In one handshake the two challenges can come in either order; the task's decisions are used in that order.
    @Test(
        arguments: [
            (.credential(user: "u", password: "p"), "Basic", "u"),
            (.credential(user: "u", password: "p"), TaskEvent.Challenge.serverTrustMethod, nil),
            (.credential(user: "u", password: "p"), TaskEvent.Challenge.clientCertificateMethod, nil),
            (.serverTrust, TaskEvent.Challenge.serverTrustMethod, "trust"),
            (.serverTrust, TaskEvent.Challenge.clientCertificateMethod, nil),
            (
                .clientCertificate(chainPath: "/c", keyPath: "/k"), TaskEvent.Challenge.clientCertificateMethod,
                "identity"
            ),
            (.clientCertificate(chainPath: "/c", keyPath: "/k"), TaskEvent.Challenge.serverTrustMethod, nil),
            (.performDefaultHandling, "Basic", nil),
        ] as [(TaskPolicies.ChallengeDecision, String, String?)])
    func `A decision applies to challenges of its kind only`(
        decision: TaskPolicies.ChallengeDecision, method: String, user: String?
    ) throws {
        #expect(try FakeChallenge(method: method).credential(for: decision)?.user == user)
    }
}
