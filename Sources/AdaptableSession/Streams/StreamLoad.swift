import Foundation
import FoundationNetworking
import NIOCore
import OpenSSLTLS
import Synchronization

/// The work of a stream task, from its first `resume()` to its last callback. Lives on the session's event loop.
final class StreamLoad: StreamReceiver {
    private enum Waiter {
        case read(@Sendable (Data?, Bool, (any Error)?) -> Void)
        case write(@Sendable ((any Error)?) -> Void)
    }

    let task: AdaptableSessionStreamTask
    let number: Int
    private(set) var isEnded = false
    private let host: String
    private let port: Int
    /// The pair of streams that this task connects; nil for a task of the application.
    private let pair: StreamPairTarget?
    private unowned let core: SessionCore
    private let line: SerialCallbackQueue
    private let caller: DelegateCaller
    private var queue = StreamQueue()
    private var waiters: [Int: Waiter] = [:]
    private var alarms: [Int: Scheduled<Void>] = [:]
    private var nextWaiter = 1
    private var connector: StreamConnector?
    private var channel: (any Channel)?
    private var handler: StreamHandler?
    private var isSuspended = true
    private var hasStarted = false
    private var hasReportedReadClosed = false
    private var hasReportedWriteClosed = false
    /// True for the second connection that a faulty policy opens.
    private var isSecondConnection = false
    /// The actions to perform when the task is resumed.
    private var held: [StreamQueue.Action] = []

    init(
        _ task: AdaptableSessionStreamTask, host: String, port: Int, core: SessionCore, pair: StreamPairTarget? = nil
    ) {
        self.pair = pair
        self.task = task
        number = task.load
        self.host = WebOrigin.canonical(host)
        self.port = port
        self.core = core
        line = SerialCallbackQueue(queue: task.session.callbackQueue)
        caller = DelegateCaller(session: task.session, task: task)
        queue.captureWaits = core.settings.policies.streams.captureWaits
    }

    /// Sends the first callback of the task.
    func notifyCreated() {
        let caller = caller
        line.post {
            caller.callTaskDelegate { $0.urlSession(caller.session, didCreateTask: caller.task) }
        }
    }

    // MARK: Calls of the application

    func resume() {
        guard !isEnded else { return }
        isSuspended = false
        if !hasStarted {
            hasStarted = true
            connect()
        }
        let actions = held
        held = []
        for action in actions { execute(action) }
        if !isEnded, queue.hasInputEnded { notifyReadClosed() }
        endIfOver()
        readMore()
    }

    func suspend() { isSuspended = true }

    func cancel() { finish(URLError.made(.cancelled, "The task was cancelled.", nil)) }

    func read(
        _ minimum: Int, _ maximum: Int, _ timeout: TimeInterval,
        _ handler: @escaping @Sendable (Data?, Bool, (any Error)?) -> Void
    ) {
        // The task's last callback may not have returned yet.
        if isEnded { return line.post { [task] in handler(nil, true, StreamLoad.cause(of: task)) } }
        let id = wait(.read(handler), timeout)
        let least = core.settings.policies.streams.readsTheMinimum ? min(max(0, minimum), max(0, maximum)) : 0
        perform(queue.add(.read(id, minimum: least, maximum: max(0, maximum))))
        readMore()
    }

    func write(_ data: Data, _ timeout: TimeInterval, _ handler: @escaping @Sendable ((any Error)?) -> Void) {
        if isEnded { return line.post { [task] in handler(StreamLoad.cause(of: task)) } }
        let id = wait(.write(handler), timeout)
        perform(queue.add(.write(id, data)))
    }

    func add(_ item: StreamQueue.Item) { if !isEnded { perform(queue.add(item)) } }

    /// Returns the error for operations that start after the end: the error that ended the task.
    static func cause(of task: AdaptableSessionTask) -> any Error {
        task.error ?? URLError.made(.networkConnectionLost, "The stream task has ended.", nil)
    }

    private func wait(_ waiter: Waiter, _ timeout: TimeInterval) -> Int {
        let id = nextWaiter
        nextWaiter += 1
        waiters[id] = waiter
        if timeout > 0 {
            alarms[id] = core.eventLoop.assumeIsolated().scheduleTask(
                in: .nanoseconds(MonotonicTime.nanoseconds(timeout))
            ) { [weak self] in
                self?.finish(URLError.made(.timedOut, "The stream's read or write took longer than its timeout.", nil))
            }
        }
        return id
    }

    // MARK: The connection

    private func connect() {
        guard !host.isEmpty, (1...65_535).contains(port) else {
            return finish(
                URLError.made(
                    .badURL, "Cannot connect to '\(host)', port \(port): use a host and a port from 1 to 65535.",
                    nil))
        }
        var forbids: PathTraits = []
        if !core.settings.allowsCellularAccess { forbids.insert(.cellular) }
        if !core.settings.allowsExpensiveNetworkAccess { forbids.insert(.expensive) }
        if !core.settings.allowsConstrainedNetworkAccess { forbids.insert(.constrained) }
        let way = StreamConnector(host: host, port: port, forbids: forbids, core: core, line: line, caller: caller) {
            [weak self] result in
            guard let self else { return }
            self.connector = nil
            switch result {
            case .success(let channel): connected(channel)
            case .failure(let error): finish(error)
            }
        }
        self.connector = way
        way.start()
    }

    private func connected(_ channel: any Channel) {
        guard !isEnded else { return channel.close(promise: nil) }
        self.channel = channel
        let handler = StreamHandler(self)
        self.handler = handler
        do {
            // Keep the connection open for writing after the peer has closed its direction.
            try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
            try channel.pipeline.syncOperations.addHandler(handler)
        } catch {
            return broke(TransportFailure(onConnection: error))
        }
        if isSecondConnection { return capture() }
        perform(queue.connected())
        readMore()
    }

    func received(_ bytes: ByteBuffer) {
        guard !isEnded else { return }
        task.facts.withLock { $0.received += Int64(bytes.readableBytes) }
        perform(queue.received(Data(bytes.readableBytesView)))
    }

    func inputEnded() {
        guard !isEnded else { return }
        // Deliver the last bytes, then report the end, then end the task if everything is done.
        for action in queue.inputEnded() { execute(action) }
        // While the task is suspended, the last bytes and the report of the end wait.
        if isEnded || isSuspended { return }
        notifyReadClosed()
        endIfOver()
    }

    func readMore() {
        if !isEnded, !isSuspended, queue.needsInput { handler?.read() }
    }

    func broke(_ failure: TransportFailure) { finish(failure.urlError(nil)) }

    // MARK: Actions of the queue

    private func perform(_ actions: [StreamQueue.Action]) {
        for action in actions { execute(action) }
        endIfOver()
    }

    private func execute(_ action: StreamQueue.Action) {
        if isEnded { return }
        if isSuspended { held.append(action) } else { perform(action) }
    }

    private func perform(_ action: StreamQueue.Action) {
        switch action {
        case .deliver(let id, let data, let atEnd):
            guard case .read(let handler) = forget(id) else { return }
            line.post { handler(data, atEnd, nil) }
            readMore()
        case .send(let id, let data): send(id, data)
        case .capture: capture()
        case .closeInput: notifyReadClosed()
        case .closeOutput:
            // Reported before the close: if the peer has closed too, closing ends the task at once.
            notifyWriteClosed()
            channel?.close(mode: .output, promise: nil)
        case .secure: secure()
        case .refuseEarlyBytes:
            finish(
                URLError.made(
                    .secureConnectionFailed,
                    "The server sent data before TLS began; an attacker on the path could have inserted it.", nil))
        }
    }

    private func send(_ id: Int, _ data: Data) {
        guard let channel else { return }
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [weak self] result in
            guard let self, !isEnded else { return }
            switch result {
            case .success:
                task.facts.withLock { $0.sent += Int64(data.count) }
                if case .write(let handler) = forget(id) { line.post { handler(nil) } }
                perform(queue.sent(id))
            case .failure(let error): broke(TransportFailure(onConnection: error))
            }
        }
        channel.writeAndFlush(ByteBuffer(bytes: data), promise: written)
    }

    /// Starts TLS on an open connection, with its handlers inserted before the one that delivers bytes.
    private func secure() {
        guard let channel, let handler else { return }
        guard core.settings.policies.streams.secures else { return perform(queue.secured()) }
        // No handshake reply could arrive, and the closed connection would send no further event.
        guard !queue.hasInputEnded else {
            return finish(
                URLError.made(.networkConnectionLost, "The server closed the connection before TLS began.", nil))
        }
        do {
            let context = try core.connections.connector.contexts.context(alpn: [])
            let handshake = HandshakeHandler { [weak self] result in
                guard let self, !isEnded else { return }
                if let done = try? channel.pipeline.syncOperations.handler(type: HandshakeHandler.self) {
                    channel.pipeline.syncOperations.removeHandler(done, promise: nil)
                }
                switch result {
                case .success:
                    perform(queue.secured())
                    readMore()
                case .failure(let failure): broke(failure)
                }
            }
            try channel.pipeline.syncOperations.addHandlers(
                [TLSClientHandler(context: context, serverName: host), handshake], position: .before(handler))
        } catch {
            broke(
                error as? TransportFailure ?? (error as? TLSError).map { .tls($0) }
                    ?? TransportFailure(onConnection: error))
        }
    }

    /// Passes the connection to a pair of streams, which ends the task.
    private func capture() {
        guard let channel, let handler else { return }
        let policy = core.settings.policies.streams
        guard policy.capturesConnection || isSecondConnection else { return connectAgain() }
        let left = queue.handOver()
        if let pair {
            pair.connection.opened(
                channel, handler, unread: ByteBuffer(bytes: left.unread), hasInputEnded: left.hasInputEnded)
            return leave()
        }
        let connection = CapturedConnection(
            channel: channel, handler: handler, unread: ByteBuffer(bytes: policy.capturesUnread ? left.unread : Data()),
            hasInputEnded: left.hasInputEnded, isOutputClosed: left.isOutputClosed)
        self.channel = nil
        self.handler = nil
        isEnded = true
        failWaiters(StreamLoad.cause(of: task))
        let (caller, number) = (caller, number)
        line.post { [task] in
            task.facts.withLock { $0.state = .completed }
            let isTaken = caller.callTaskDelegate { delegate in
                if let delegate = delegate as? any AdaptableSessionStreamDelegate {
                    let offer = connection.offer()
                    delegate.urlSession(
                        caller.session, streamTask: task, didBecome: CapturedInputStream(connection, offer: offer),
                        outputStream: CapturedOutputStream(connection, offer: offer))
                } else {
                    _ = OptionalMethodProbe.markMissing(delegate)
                }
            }
            connection.settle(isTaken: isTaken)
            caller.leave(number)
        }
    }

    /// Ends the task of a pair of streams, which has the connection now.
    private func leave() {
        (channel, handler, isEnded) = (nil, nil, true)
        let (caller, number) = (caller, number)
        line.post {
            caller.task.facts.withLock { $0.state = .completed }
            caller.leave(number)
        }
    }

    /// Opens a second connection, as a faulty policy does.
    private func connectAgain() {
        isSecondConnection = true
        channel?.close(promise: nil)
        channel = nil
        connect()
    }

    private func forget(_ id: Int) -> Waiter? {
        alarms.removeValue(forKey: id)?.cancel()
        return waiters.removeValue(forKey: id)
    }

    // MARK: The end

    private func notifyReadClosed() {
        guard !hasReportedReadClosed else { return }
        hasReportedReadClosed = true
        callStreamDelegate { $0.urlSession($1, readClosedFor: $2) }
    }

    private func notifyWriteClosed() {
        guard !hasReportedWriteClosed else { return }
        hasReportedWriteClosed = true
        callStreamDelegate { $0.urlSession($1, writeClosedFor: $2) }
    }

    private func callStreamDelegate(
        _ message:
            @escaping @Sendable (any AdaptableSessionStreamDelegate, AdaptableSession, AdaptableSessionStreamTask) ->
            Void
    ) {
        let (caller, task) = (caller, task)
        line.post {
            caller.callTaskDelegate { delegate in
                if let delegate = delegate as? any AdaptableSessionStreamDelegate {
                    message(delegate, caller.session, task)
                } else {
                    _ = OptionalMethodProbe.markMissing(delegate)
                }
            }
        }
    }

    private func endIfOver() {
        if !isEnded, !isSuspended, held.isEmpty, queue.isOver, waiters.isEmpty { finish(nil) }
    }

    private func finish(_ error: URLError?) {
        guard !isEnded else { return }
        isEnded = true
        connector?.cancel()
        connector = nil
        channel?.close(promise: nil)
        channel = nil
        if let pair { pair.failed(error ?? URLError.made(.networkConnectionLost, "The connection ended.", nil)) }
        task.facts.withLock { facts in
            facts.error = error
            if facts.state != .completed { facts.state = .canceling }
        }
        failWaiters(StreamLoad.cause(of: task))
        let (caller, number) = (caller, number)
        line.post {
            caller.task.facts.withLock { $0.state = .completed }
            caller.callTaskDelegate { $0.urlSession(caller.session, task: caller.task, didCompleteWithError: error) }
            caller.leave(number)
        }
    }

    private func failWaiters(_ cause: any Error) {
        for alarm in alarms.values { alarm.cancel() }
        alarms = [:]
        for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) {
            line.post {
                switch waiter {
                case .read(let handler): handler(nil, true, cause)
                case .write(let handler): handler(cause)
                }
            }
        }
        waiters = [:]
    }
}
