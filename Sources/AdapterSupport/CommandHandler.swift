import AdapterProtocol
import Foundation
import FoundationNetworking

/// Carries out the harness's commands on one implementation; lives on the main thread.
struct CommandHandler<Implementation: SessionImplementation> {
    private typealias Session = Implementation.Session

    /// The adapter keeps no reference to the delegate: its lifetime is up to the session (INVL-01, INVL-05).
    private struct OpenSession {
        var session: Session
        /// nil for the shared session, which is not made here.
        var configuration: Session.Configuration?
        /// The queue that the harness gave it.
        var queue: OperationQueue?
    }

    private let implementation: Implementation
    private let output: EventOutput
    private let registry: TaskRegistry
    private var stores: SessionStores<Implementation>
    private var sessions: [SessionName: OpenSession] = [:]
    private var tasks: [TaskName: any ClientTask] = [:]
    /// Sessions declined as unsupported: later commands for them need no second reply.
    private var refusedSessions: Set<SessionName> = []
    private var refusedTasks: Set<TaskName> = []

    init(_ implementation: Implementation, output: EventOutput) {
        self.implementation = implementation
        self.output = output
        registry = TaskRegistry(resumeDataKeys: implementation.resumeDataKeys)
        stores = SessionStores(implementation)
    }

    mutating func play(_ command: AdapterCommand) {
        switch command {
        case .hello(let names): output.emit(.hello(implementation.description, capabilities: offered(among: names)))
        case .makeSession(let name, let configuration): make(name, configuration)
        case .makeTask(let task): make(task)
        case .restoreTask(let task): registry.begin(task)
        case .setApplicationState(let state): implementation.enter(state)
        case .resume(let name): with(name) { task in output.duringResume { task.resume() } }
        case .suspend(let name): with(name) { $0.suspend() }
        case .cancel(let name): with(name) { $0.cancel() }
        case .cancelProducingResumeData(let name): with(name) { cancelProducingResumeData($0, name) }
        case .inspect(let name): with(name) { output.emit(name, $0.inspected) }
        case .release(let name):
            with(name) { _ in if !registry.held.release(name) { fail("\(name) does not hold a decision") } }
        case .progress(let name, let action):
            with(name) { registry.progress.act(action, $0.progress, of: name, to: output) }
        case .stream(let name, let action): play(action, name)
        case .readRetained(let name): with(name) { _ in registry.retained.readRetained(name, to: output) }
        case .inspectCache(let name, let by): with(name) { inspectCache($0, name, by) }
        case .readProperty(let name, let property):
            with(name) { output.emit(name, .propertyRead(property, value(of: property, $0))) }
        case .readSessionProperty(let name, .settings):
            with(name) { open in
                output.emit(.sessionPropertyRead(name, .settings, open.session.configuration.settingsText))
            }
        case .listTasks(let name): with(name) { list($0.session, name) }
        case .configure(let name, let object, let configuration): configure(name, object, configuration)
        case .invalidate(let name, let cancelling):
            with(name) { open in
                if cancelling { open.session.invalidateAndCancel() } else { open.session.finishTasksAndInvalidate() }
            }
        case .empty(let name, let emptying):
            with(name) { open in
                let done: @Sendable () -> Void = { [output] in output.emit(.emptied(name, emptying)) }
                switch emptying {
                case .flush: open.session.flush(completionHandler: done)
                case .reset: open.session.reset(completionHandler: done)
                }
            }
        case .end: CommandLoop.leave(0)
        }
    }

    /// Returns the reply for each name of a handshake; an unknown name is false.
    private func offered(among names: [String]) -> [String: Bool] {
        var answers: [String: Bool] = [:]
        for name in names { answers[name] = Capability(rawValue: name).map(implementation.offers) ?? false }
        return answers
    }

    private func fail(_ message: String) { output.emit(.adapterFailed(message: message)) }

    private func with(_ name: TaskName, _ act: (any ClientTask) -> Void) {
        guard !refusedTasks.contains(name) else { return }
        guard let task = tasks[name] else { return fail("no task \(name)") }
        act(task)
    }

    private func with(_ name: SessionName, _ act: (OpenSession) -> Void) {
        guard !refusedSessions.contains(name) else { return }
        guard let session = sessions[name] else { return fail("no session \(name)") }
        act(session)
    }

    // MARK: Sessions

    private mutating func make(_ name: SessionName, _ configuration: SessionConfiguration) {
        if let feature = implementation.missing(configuration.neededCapabilities) {
            refusedSessions.insert(name)
            return output.emit(.unsupported(feature: feature.rawValue))
        }
        if configuration.kind == .shared {
            // Only classes of the process: the shared session does not have its own list.
            _ = implementation.installProtocolClasses(configuration, of: name, output)
            sessions[name] = OpenSession(session: implementation.sharedSession, configuration: nil)
            return
        }
        // Without a given queue the session makes a serial one.
        let queue = configuration.delegateQueue.map { asked in
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = asked.width
            return queue
        }
        let reporter =
            configuration.hasDelegate
            ? SessionReporter(
                session: name, registry: registry, output: output, queue: queue,
                methods: configuration.delegateMethods) : nil
        let prepared = stores.configuration(configuration, of: name, StoreSpy(registry: registry, output: output))
        if let classes = implementation.installProtocolClasses(configuration, of: name, output) {
            prepared.protocolClasses = classes
        }
        sessions[name] = OpenSession(
            session: implementation.session(prepared, reporter, queue), configuration: prepared, queue: queue)
    }

    private mutating func configure(_ name: SessionName, _ object: ConfigurationObject, _ asked: SessionConfiguration) {
        if let feature = implementation.missing(asked.neededCapabilities) {
            return output.emit(.unsupported(feature: feature.rawValue))
        }
        guard !refusedSessions.contains(name) else { return }
        guard let open = sessions[name] else { return fail("no session \(name)") }
        switch object {
        case .original:
            guard let configuration = open.configuration else {
                return fail("the session \(name) was created without a configuration")
            }
            stores.write(asked, to: configuration)
        case .readBack: stores.write(asked, to: open.session.configuration)
        }
    }

    private func list(_ session: Session, _ name: SessionName) {
        session.listTasks { [output] data, uploads, downloads in
            let tasks =
                data.map { $0.listed(as: .data) } + uploads.map { $0.listed(as: .upload) }
                + downloads.map { $0.listed(as: .download) }
            output.emit(.tasksListed(name, tasks))
        }
    }

    // MARK: Tasks

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
        if let feature = implementation.missing(description.neededCapabilities) {
            return refuse(description.task, feature.rawValue)
        }
        guard let url = URL(string: description.url) else {
            // Without a URL value a session cannot be called.
            return refuse(description.task, "a URL that URL(string:) does not accept: \(description.url)")
        }
        registry.begin(description)
        let task: any ClientTask
        do {
            let reporter = SessionReporter(
                session: description.session, registry: registry, output: output,
                queue: sessions[description.session]?.queue, isOfTask: true, methods: description.ownDelegateMethods,
                task: description.asyncMethod == nil ? nil : description.task)
            let maker = TaskMaker(session: session, registry: registry, output: output) { [implementation] in
                implementation.call($0, of: session, reporter)
            }
            task = try maker.task(description, url)
            if description.hasOwnDelegate { implementation.setDelegate(reporter, of: task) }
        } catch {
            return fail("cannot make the task \(description.task): \(error)")
        }
        task.taskDescription = description.task.text
        if let bytes = description.expectedToSend { task.countOfBytesClientExpectsToSend = Int64(bytes) }
        if let bytes = description.expectedToReceive { task.countOfBytesClientExpectsToReceive = Int64(bytes) }
        if let priority = description.priority { task.priority = Float(priority) }
        implementation.schedule(task, description)
        registry.progress.begin(description, task.progress)
        tasks[description.task] = task
    }

    private func cancelProducingResumeData(_ task: any ClientTask, _ name: TaskName) {
        if task is Session.UploadTask, !implementation.offers(.uploadResumeData) {
            return output.emit(.unsupported(feature: Capability.uploadResumeData.rawValue))
        }
        guard let task = task as? any ResumableClientTask else {
            return fail("\(name) is neither an upload nor a download")
        }
        task.cancel(byProducingResumeData: { [registry, output] data in
            registry.keep(resumeData: data, of: name)
            output.emit(name, .resumeDataProduced(length: data?.count))
        })
    }

    private func play(_ action: StreamAction, _ name: TaskName) {
        guard implementation.offers(.streamTask) else {
            return output.emit(.unsupported(feature: Capability.streamTask.rawValue))
        }
        with(name) { task in
            guard let task = task as? any ClientStreamTask else { return fail("\(name) is not a stream task") }
            if let fault = task.play(action, as: name, registry, to: output) { fail(fault) }
        }
    }

    private func inspectCache(_ task: any ClientTask, _ name: TaskName, _ by: CacheLookup) {
        let cache = registry.session(of: name).flatMap { sessions[$0]?.session.configuration.urlCache }
        let usage = TaskEvent.CacheUsage(
            memory: cache.map { Int64($0.currentMemoryUsage) }, disk: cache.map { Int64($0.currentDiskUsage) })
        guard let cache else { return output.emit(name, .cacheInspected(nil, usage: usage)) }
        switch by {
        case .request:
            let stored = task.originalRequest.flatMap { cache.cachedResponse(for: $0) }
            output.emit(name, .cacheInspected(stored.map { TaskEvent.StoredResponse($0) }, usage: usage))
        case .task:
            guard let task = task as? Session.Configuration.Cache.DataTask else {
                return fail("\(name) is not a data task")
            }
            cache.getCachedResponse(for: task) { [output] stored in
                output.emit(name, .cacheInspected(stored.map { TaskEvent.StoredResponse($0) }, usage: usage))
            }
        }
    }

    private func value(of property: TaskProperty, _ task: any ClientTask) -> String? {
        switch property {
        case .response: (task.response as? HTTPURLResponse).map { "\($0.statusCode)" }
        case .identifier: "\(task.taskIdentifier)"
        case .classes:
            [
                task is Session.DataTask ? "data" : nil, task is Session.UploadTask ? "upload" : nil,
                task is Session.DownloadTask ? "download" : nil,
            ].compactMap(\.self).joined(separator: " ")
        case .callsInsideResume: "\(output.callsInsideResume)"
        case .handlerQueue: registry.handlerQueue(of: task.name)
        }
    }
}
