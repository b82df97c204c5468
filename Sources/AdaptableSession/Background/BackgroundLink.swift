import Foundation
import FoundationNetworking
import Synchronization
import TransferProtocol

/// The connection of a background session to the daemon: it is made again after the daemon restarted, with the commands
/// that still lack a reply.
final class BackgroundLink: Sendable {
    private enum Phase {
        case connecting, ready
        case refused(URLError)
        case ended
    }

    private struct State {
        var phase = Phase.connecting
        var window = CommandWindow()
        /// The connection after its welcome.
        var socket: LocalSocket?
        var nextTask = 1
        /// The identity of the daemon's store; nil before the first welcome.
        var store: String?
        var tasks: [Int: AdaptableSessionTask] = [:]
        /// The data tasks that continue as downloads.
        var becameDownloads: Set<Int> = []
        /// The ends of refused tasks, which report nothing before they are resumed or cancelled.
        var refusals: [Int: @Sendable (BackgroundEvents) -> Void] = [:]
        /// The calls that wait for the first welcome or for a refusal.
        var waiting: [@Sendable () -> Void] = []
        var replies: [Int: @Sendable (TransferFailure?, Data?) -> Void] = [:]
        var isInvalidated = false
        weak var session: AdaptableSession?
    }

    /// The sessions of this process by their identifiers, so that the first one has it, whichever connection is faster
    /// (BKGD-28).
    private static let owners = Mutex<[String: ObjectIdentifier]>([:])

    /// The longest wait of a call for the daemon in seconds.
    private static let patience = 15.0

    let settings: TransferSettings
    /// The callbacks of all tasks, in the order of the events.
    let line: SerialCallbackQueue
    private let places = TransferPlaces.own
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let numbering = NSLock()

    init(_ settings: TransferSettings, callbackQueue: OperationQueue) {
        self.settings = settings
        line = SerialCallbackQueue(queue: callbackQueue)
    }

    /// Connects in the background, unless another session of this process has the identifier.
    func open(for session: AdaptableSession) {
        state.withLock { $0.session = session }
        let identifier = settings.identifier
        let isFirst = Self.owners.withLock { owners in
            if owners[identifier] == nil { owners[identifier] = ObjectIdentifier(self) }
            return owners[identifier] == ObjectIdentifier(self)
        }
        guard isFirst else {
            let text = "The background session \"\(identifier)\" exists already in this process."
            return refuse(.made(.backgroundSessionInUseByAnotherProcess, text, nil))
        }
        ApplicationState.add(self)
        // The thread blocks for as long as the session lives.
        let thread = Thread { self.run() }
        thread.name = "transfers"
        thread.start()
    }

    /// Ends the connection; the transfers continue.
    func close() {
        releaseIdentifier()
        let socket = state.withLock { state in
            // The reason of a refusal remains for later tasks.
            if case .refused = state.phase { return state.socket }
            state.phase = .ended
            return state.socket
        }
        socket?.shutDown()
        wake.signal()
    }

    private func releaseIdentifier() {
        Self.owners.withLock { owners in
            if owners[settings.identifier] == ObjectIdentifier(self) { owners[settings.identifier] = nil }
        }
    }

    // MARK: Commands

    func send(_ command: TransferCommand, then handler: (@Sendable (TransferFailure?, Data?) -> Void)? = nil) {
        state.withLock { state in
            let line = state.window.append(command)
            if let handler { state.replies[line.number] = handler }
            // Inside the lock, which keeps the order. A lost connection is noticed by the reader.
            _ = state.socket?.send(TransferWire.line(line))
        }
    }

    /// Runs `act` with the number of the next task, after the daemon's welcome. The command that uses the number has to be
    /// sent in `act`: the daemon takes a command with a lower number than the last for a repeated one.
    func withNextNumber<Value>(_ act: (Int) -> Value) -> Value {
        numbering.lock()
        defer { numbering.unlock() }
        return act(nextNumber())
    }

    private func nextNumber() -> Int {
        let welcomed = DispatchSemaphore(value: 0)
        whenReady { welcomed.signal() }
        _ = welcomed.wait(timeout: .now() + Self.patience)
        return state.withLock { state in
            defer { state.nextTask += 1 }
            return state.nextTask
        }
    }

    /// Makes a task and stores it with the daemon, so that it survives a crash when this returns. A task that is refused
    /// ends when it is resumed.
    func create<Task: AdaptableSessionTask>(
        _ kind: TaskKind, _ ending: TaskEnding, isInvalid: Bool, _ make: (Int) -> Task
    ) -> Task {
        let answered = DispatchSemaphore(value: 0)
        let (task, isSent) = withNextNumber { number in
            let task = make(number)
            return (task, send(task, kind, ending, isInvalid: isInvalid, answered))
        }
        if isSent { _ = answered.wait(timeout: .now() + Self.patience) }
        return task
    }

    /// Sends the command that creates a task; false if the task is refused.
    private func send(
        _ task: AdaptableSessionTask, _ kind: TaskKind, _ ending: TaskEnding, isInvalid: Bool,
        _ answered: DispatchSemaphore
    ) -> Bool {
        let facts = task.facts.withLock { $0 }
        guard let request = facts.originalRequest else { return false }
        state.withLock { $0.tasks[task.taskIdentifier] = task }
        post { _ in
            let caller = DelegateCaller(session: task.session, task: task)
            caller.callTaskDelegate { $0.urlSession(caller.session, didCreateTask: task) }
        }
        let accepted: BackgroundRules.Accepted
        do throws(URLError) {
            if isInvalid { throw .made(.cancelled, "The session was invalidated.", request.url) }
            accepted = try BackgroundRules.accept(request, kind, hasHandler: !ending.isDelegate)
            try state.withLock { state throws(URLError) in
                switch state.phase {
                case .ready: break
                case .refused(let error): throw error
                case .connecting, .ended:
                    throw .made(.backgroundSessionWasDisconnected, "The transfer daemon does not answer.", request.url)
                }
            }
        } catch {
            refuse(task, ending, error)
            return false
        }
        var stored = TransferTask(
            session: settings.identifier, number: task.taskIdentifier, kind: accepted.kind, request: accepted.request,
            isDiscretionary: settings.isDiscretionary,
            wasCreatedInBackground: ApplicationState.current == .background, created: Date())
        stored.counts.expectedToSend = facts.expectedToSend
        let command =
            accepted.resumeData.map { TransferCommand.createResumed(task: stored, resumeData: $0) }
            ?? .create(task: stored)
        send(command) { [self] failure, _ in
            if let failure { refuse(task, ending, failure.urlError) }
            answered.signal()
        }
        return true
    }

    private func refuse(_ task: AdaptableSessionTask, _ ending: TaskEnding, _ error: URLError) {
        let waits = task.session.settings.policies.tasks.refusalsWaitForResume
        let isOver = task.facts.withLock { facts in
            guard waits, facts.state == .suspended else { return true }
            state.withLock { $0.refusals[task.taskIdentifier] = { $0.end(task, ending, error) } }
            return false
        }
        if isOver { post { $0.end(task, ending, error) } }
    }

    /// Sends a command that starts or ends a task, which makes a refused one report its end.
    func send(_ command: TransferCommand, leavingSuspensionOf task: Int) {
        if let end = state.withLock({ $0.refusals.removeValue(forKey: task) }) { return post(end) }
        send(command)
    }

    func changed(_ task: AdaptableSessionTask) {
        let change = task.facts.withLock { facts in
            TransferChange(
                priority: Double(facts.priority), label: facts.description, earliestBeginDate: facts.earliestBeginDate,
                clientExpectsToSend: facts.clientExpectsToSend, clientExpectsToReceive: facts.clientExpectsToReceive)
        }
        send(.change(task: task.taskIdentifier, change: change))
    }

    func cancel(_ task: Int, producingResumeData handler: @escaping @Sendable (Data?) -> Void) {
        if let end = state.withLock({ $0.refusals.removeValue(forKey: task) }) {
            post { _ in handler(nil) }
            return post(end)
        }
        send(.cancel(task: task, keepsPart: true)) { [self] _, data in post { _ in handler(data) } }
    }

    /// Calls back with the tasks that have not completed, also those of earlier processes (BKGD-06, BKGD-07).
    func tasks(_ handler: @escaping @Sendable ([AdaptableSessionTask]) -> Void) {
        whenReady { [self] in
            let (all, session) = state.withLock { (Array($0.tasks.values), $0.session) }
            let listsEnded = session?.settings.policies.tasks.listsOutstandingOnly == false
            handler(
                all.filter { listsEnded || $0.state != .completed }.sorted { $0.taskIdentifier < $1.taskIdentifier })
        }
    }

    func invalidate(cancelling: Bool) {
        let refusals = state.withLock { state in
            state.isInvalidated = true
            defer { if cancelling { state.refusals = [:] } }
            return cancelling ? Array(state.refusals.values) : []
        }
        for end in refusals { post(end) }
        send(.invalidate(cancelsTasks: cancelling)) { [self] _, _ in post { $0.endIfQuiet() } }
    }

    private func whenReady(_ act: @escaping @Sendable () -> Void) {
        let isReady = state.withLock { state in
            if case .connecting = state.phase {
                state.waiting.append(act)
                return false
            }
            return true
        }
        if isReady { act() }
    }

    // MARK: The connection

    private func run() {
        let began = DispatchTime.now()
        var delay = 0.05
        while !isEnded {
            var problem = "The connection to the transfer daemon ended."
            do {
                try DaemonStarter(places: places).connect(serve)
                delay = 0.05
            } catch let error as DaemonMissing {
                return refuse(.made(.backgroundSessionWasDisconnected, "\(error)", nil))
            } catch {
                problem = "\(error)"
            }
            let hasBeenReady = state.withLock { state in
                state.socket = nil
                if case .connecting = state.phase { return false }
                return true
            }
            if !hasBeenReady, DispatchTime.now() > began + Self.patience {
                return refuse(.made(.backgroundSessionWasDisconnected, problem, nil))
            }
            if isEnded { return }
            _ = wake.wait(timeout: .now() + delay)
            delay = min(2, delay * 2)
        }
    }

    private var isEnded: Bool {
        state.withLock { state in
            switch state.phase {
            case .ended, .refused: true
            case .connecting, .ready: false
            }
        }
    }

    /// Reads messages until the connection ends.
    private func serve(_ socket: LocalSocket) {
        let hello = TransferCommand.hello(
            version: TransferWire.version, settings: settings, state: ApplicationState.current)
        guard socket.send(TransferWire.line(TransferCommandLine(number: 0, command: hello))) else { return }
        var lines = LineBuffer()
        while let bytes = socket.receive(), !isEnded {
            guard let complete = lines.append(bytes) else { return socket.shutDown() }
            for text in complete {
                if let message = TransferWire.message(text) { take(message, from: socket) }
            }
        }
    }

    private func take(_ message: TransferMessage, from socket: LocalSocket) {
        switch message {
        case .welcome(_, let store, let nextTask, let tasks): welcomed(by: socket, store, nextTask, tasks)
        case .reply(let number, let failure, let resumeData):
            let handler = state.withLock { state in
                _ = state.window.answered(number)
                return state.replies.removeValue(forKey: number)
            }
            handler?(failure, resumeData)
        case .event(let event):
            if let number = event.number, !state.withLock({ $0.window.takes(event: number) }) { return }
            post { $0.deliver(event) }
        case .refused(let reason, let message): refuse(.made(reason.code, message, nil))
        case .listing, .log: break
        }
    }

    private func welcomed(by socket: LocalSocket, _ store: String, _ nextTask: Int, _ stored: [TransferTask]) {
        guard let session = state.withLock({ $0.session }) else { return socket.shutDown() }
        let made = stored.map { session.makeTask(from: $0) }
        let waiting = state.withLock { state in
            if case .ended = state.phase { return [@Sendable () -> Void]() }
            if let known = state.store, known != store { endLost(&state, except: stored) }
            state.store = store
            state.nextTask = max(state.nextTask, nextTask)
            for task in made where state.tasks[task.taskIdentifier] == nil {
                // A daemon that crashed may not know yet that it continues as a download.
                guard !state.becameDownloads.contains(task.taskIdentifier) else { continue }
                state.tasks[task.taskIdentifier] = task
            }
            state.phase = .ready
            state.socket = socket
            for line in state.window.unanswered { _ = socket.send(TransferWire.line(line)) }
            defer { state.waiting = [] }
            return state.waiting
        }
        for act in waiting { act() }
    }

    /// Ends the tasks that a damaged store has taken with it. Those whose creation the daemon has not confirmed are sent
    /// again.
    private func endLost(_ state: inout State, except stored: [TransferTask]) {
        state.window.restartEvents()
        var kept = Set(stored.map(\.number))
        for line in state.window.unanswered {
            switch line.command {
            case .create(let task), .createResumed(let task, _): kept.insert(task.number)
            default: break
            }
        }
        for (number, task) in state.tasks where !kept.contains(number) {
            post { events in
                guard task.state != .completed else { return }
                let reason = "The store of the transfer daemon was damaged, and the task is lost."
                events.end(task, .delegate, URLError.made(.backgroundSessionWasDisconnected, reason, nil))
            }
        }
    }

    /// Makes the session invalid: the daemon does not serve it.
    private func refuse(_ error: URLError) {
        releaseIdentifier()
        let (waiting, replies, tasks) = state.withLock { state in
            defer { (state.waiting, state.replies, state.socket) = ([], [:], nil) }
            state.phase = .refused(error)
            return (state.waiting, state.replies.values, state.tasks.values)
        }
        for act in waiting { act() }
        for reply in replies { reply(TransferFailure(error), nil) }
        post { events in
            for task in tasks where task.state != .completed { events.end(task, .delegate, error) }
            events.becomeInvalid(error)
        }
    }

    // MARK: For the events

    /// Runs on the queue of callbacks, unless the session is gone.
    func post(_ act: @escaping @Sendable (BackgroundEvents) -> Void) {
        line.post { [self] in
            guard let session = state.withLock({ $0.session }) else { return }
            act(BackgroundEvents(link: self, session: session))
        }
    }

    func task(_ number: Int) -> AdaptableSessionTask? { state.withLock { $0.tasks[number] } }

    func add(_ task: AdaptableSessionTask) { state.withLock { $0.tasks[task.taskIdentifier] = task } }

    /// Removes a data task that continues as a download.
    func replace(_ number: Int) {
        state.withLock { state in
            state.tasks[number] = nil
            state.becameDownloads.insert(number)
        }
    }

    /// Returns true if the session was invalidated and this was its last task.
    func remove(_ number: Int) -> Bool {
        state.withLock { state in
            state.tasks[number] = nil
            return state.isInvalidated && state.tasks.isEmpty
        }
    }

    var isQuietAfterInvalidation: Bool { state.withLock { $0.isInvalidated && $0.tasks.isEmpty } }
}

extension TransferRefusal {
    fileprivate var code: URLError.Code {
        switch self {
        case .identifierInUse: .backgroundSessionInUseByAnotherProcess
        case .otherVersion, .storeUnusable, .invalid: .backgroundSessionWasDisconnected
        }
    }
}
