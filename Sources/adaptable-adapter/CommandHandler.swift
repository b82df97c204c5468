import AdaptableSession
import AdapterProtocol
import AdapterSupport
import Foundation
import FoundationNetworking

/// Carries out the harness's commands on AdaptableSession; lives on the main thread.
struct CommandHandler: CommandHandling {
    /// The adapter keeps no reference to the delegate: its lifetime is up to the session (INVL-01, INVL-05).
    private struct OpenSession {
        var session: AdaptableSession
        /// nil for the shared session, which is not made here.
        var configuration: AdaptableSessionConfiguration?
    }

    private let output: EventOutput
    private let policies: SessionPolicies
    private let registry = TaskRegistry(resumeDataKeys: [
        AdaptableSession.downloadTaskResumeData, AdaptableSession.uploadTaskResumeData,
    ])
    private var stores = SessionStores()
    private var sessions: [SessionName: OpenSession] = [:]
    private var tasks: [TaskName: AdaptableSessionTask] = [:]
    /// Sessions declined as unsupported: later commands for them need no second reply.
    private var refusedSessions: Set<SessionName> = []
    private var refusedTasks: Set<TaskName> = []

    init(output: EventOutput, policies: SessionPolicies) {
        self.output = output
        self.policies = policies
        AdaptableSession.decideShared(by: policies)
    }

    mutating func play(_ command: AdapterCommand) {
        switch command {
        case .hello(let capabilities):
            output.emit(.hello(.adaptable, capabilities: Capability.decisionCapabilities(to: capabilities)))
        case .makeSession(let name, let configuration): make(name, configuration)
        case .makeTask(let task): make(task)
        case .resume(let name): with(name) { task in output.duringResume { task.resume() } }
        case .suspend(let name): with(name) { $0.suspend() }
        case .cancel(let name): with(name) { $0.cancel() }
        case .cancelProducingResumeData(let name): with(name) { cancelProducingResumeData($0, name) }
        case .inspect(let name): with(name) { output.emit(name, .inspected($0)) }
        case .release(let name):
            with(name) { _ in if !registry.held.release(name) { fail("\(name) holds no decision") } }
        case .progress(let name, let action):
            with(name) { registry.progress.act(action, $0.progress, of: name, to: output) }
        case .stream(let name, let action):
            with(name) { task in
                guard let task = task as? AdaptableSessionStreamTask else { return fail("\(name) is no stream") }
                if let fault = task.play(action, as: name, registry, to: output) { fail(fault) }
            }
        case .readRetained(let name): with(name) { _ in registry.retained.readRetained(name, to: output) }
        case .inspectCache(let name, let by): inspectCache(name, by)
        case .readProperty(let name, let property):
            with(name) { output.emit(name, .propertyRead(property, property.value(of: $0, registry, output))) }
        case .readSessionProperty(let name, let property):
            with(name) { output.emit(.sessionPropertyRead(name, property, property.value(of: $0.session))) }
        case .configure(let name, let object, let configuration): configure(name, object, configuration)
        case .invalidate(let name, let cancelling):
            with(name) { open in
                if cancelling { open.session.invalidateAndCancel() } else { open.session.finishTasksAndInvalidate() }
            }
        case .end: CommandLoop.leave(0)
        }
    }

    private func inspectCache(_ name: TaskName, _ by: CacheLookup) {
        with(name) { task in
            let cache = registry.session(of: name).flatMap { sessions[$0]?.session.configuration.urlCache }
            let usage = TaskEvent.CacheUsage(
                memory: cache.map { Int64($0.currentMemoryUsage) }, disk: cache.map { Int64($0.currentDiskUsage) })
            guard let cache else { return output.emit(name, .cacheInspected(nil, usage: usage)) }
            switch by {
            case .request:
                let stored = task.originalRequest.flatMap { cache.cachedResponse(for: $0) }
                output.emit(name, .cacheInspected(stored.map { TaskEvent.StoredResponse($0) }, usage: usage))
            case .task:
                guard let task = task as? AdaptableSessionDataTask else { return fail("\(name) is no data task") }
                cache.getCachedResponse(for: task) { [output] stored in
                    output.emit(name, .cacheInspected(stored.map { TaskEvent.StoredResponse($0) }, usage: usage))
                }
            }
        }
    }

    private func fail(_ message: String) { output.emit(.adapterFailed(message: message)) }

    private func with(_ name: TaskName, _ act: (AdaptableSessionTask) -> Void) {
        guard !refusedTasks.contains(name) else { return }
        guard let task = tasks[name] else { return fail("no task \(name)") }
        act(task)
    }

    private func with(_ name: SessionName, _ act: (OpenSession) -> Void) {
        guard !refusedSessions.contains(name) else { return }
        guard let session = sessions[name] else { return fail("no session \(name)") }
        act(session)
    }

    private mutating func configure(_ name: SessionName, _ object: ConfigurationObject, _ asked: SessionConfiguration) {
        guard !refusedSessions.contains(name) else { return }
        guard let open = sessions[name] else { return fail("no session \(name)") }
        switch object {
        case .original:
            guard let configuration = open.configuration else {
                return fail("the session \(name) was made without a configuration")
            }
            stores.write(asked, to: configuration)
        case .readBack: stores.write(asked, to: open.session.configuration)
        }
    }

    private mutating func make(_ name: SessionName, _ configuration: SessionConfiguration) {
        if let feature = configuration.missingInAdaptable {
            refusedSessions.insert(name)
            return output.emit(.unsupported(feature: feature.rawValue))
        }
        if configuration.kind == .shared {
            // Only classes of the process: the shared session does not have its own list.
            _ = configuration.installProtocolClasses(of: name, output)
            sessions[name] = OpenSession(session: .shared, configuration: nil)
            return
        }
        let queue = configuration.delegateQueue.map { asked in
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = asked.width
            return queue
        }
        let delegate =
            configuration.hasDelegate
            ? SessionDelegate(session: name, registry: registry, output: output, queue: queue) : nil
        // Without a given queue the session makes a serial one.
        let prepared = stores.configuration(configuration, StoreSpy(registry: registry, output: output))
        if let classes = configuration.installProtocolClasses(of: name, output) { prepared.protocolClasses = classes }
        prepared.policies = policies
        let session = AdaptableSession(configuration: prepared, delegate: delegate, delegateQueue: queue)
        sessions[name] = OpenSession(session: session, configuration: prepared)
    }

    private mutating func refuse(_ task: TaskName, _ feature: String) {
        refusedTasks.insert(task)
        output.emit(.unsupported(feature: feature))
    }

    private mutating func make(_ description: TaskDescription) {
        guard !refusedSessions.contains(description.session) else {
            refusedTasks.insert(description.task)
            return
        }
        guard let session = sessions[description.session]?.session else {
            return fail("no session \(description.session)")
        }
        guard let url = URL(string: description.url) else {
            // Without a URL value a session cannot be called.
            return refuse(description.task, "a URL that URL(string:) refuses: \(description.url)")
        }
        registry.begin(description)
        let task: AdaptableSessionTask
        do {
            task = try TaskMaker(session: session, registry: registry, output: output).task(description, url)
        } catch {
            return fail("cannot make the task \(description.task): \(error)")
        }
        task.taskDescription = description.task.text
        if let priority = description.priority { task.priority = Float(priority) }
        registry.progress.begin(description, task.progress)
        tasks[description.task] = task
    }

    private func cancelProducingResumeData(_ task: AdaptableSessionTask, _ name: TaskName) {
        let keep: @Sendable (Data?) -> Void = { [registry, output] data in
            registry.keep(resumeData: data, of: name)
            output.emit(name, .resumeDataProduced(length: data?.count))
        }
        switch task {
        case let upload as AdaptableSessionUploadTask: upload.cancel(byProducingResumeData: keep)
        case let download as AdaptableSessionDownloadTask: download.cancel(byProducingResumeData: keep)
        default: fail("\(name) is neither an upload nor a download")
        }
    }
}

extension SessionEvent.Implementation {
    static var adaptable: SessionEvent.Implementation {
        SessionEvent.Implementation(name: "AdaptableSession", version: "1", language: "Swift")
    }
}
