import Foundation
import NIOCore
import Synchronization

/// One load of a protocol class, on the session's event loop. It creates, starts and stops the object, each once, on
/// the load's serial queue, and passes on events as fast as the load consumes them.
final class ProtocolRun {
    /// The threads on which protocol classes run: they may block without blocking a session.
    static let threads: OperationQueue = {
        let queue = OperationQueue()
        queue.name = "AdaptableSession protocol classes"
        return queue
    }()

    private final class Box: Sendable {
        let object = Mutex<AdaptableURLProtocol?>(nil)
    }

    let client: ProtocolClient
    private let line: SerialCallbackQueue
    private let box = Box()
    private let make: @Sendable (ProtocolClient) -> AdaptableURLProtocol
    private let receive: (ProtocolMessage) -> Void
    private var inbox = CircularBuffer<ProtocolMessage>()
    private var isDispatching = false
    private var isStarted = false
    private var isStopped = false

    /// True once it has sent a response.
    var hasDecided = false
    /// True while the delegate decides about its challenge.
    var isChallenging = false

    /// While true, events are queued and not passed on.
    var isPaused = false {
        didSet { if oldValue, !isPaused { dispatch() } }
    }

    init(
        client: ProtocolClient, line: SerialCallbackQueue,
        make: @escaping @Sendable (ProtocolClient) -> AdaptableURLProtocol,
        receive: @escaping (ProtocolMessage) -> Void
    ) {
        self.client = client
        self.line = line
        self.make = make
        self.receive = receive
    }

    /// Creates and starts the object; does nothing when called again.
    func start() {
        guard !isStarted, !isStopped else { return }
        isStarted = true
        line.post { [client, box, make] in
            // The load was stopped before the object was created.
            if client.isOver { return }
            let made = make(client)
            box.object.withLock { $0 = made }
            made.startLoading()
        }
    }

    func stop() {
        guard !isStopped else { return }
        isStopped = true
        inbox.removeAll()
        client.close()
        guard isStarted else { return }
        line.post { [box] in
            let object = box.object.withLock { object in
                defer { object = nil }
                return object
            }
            object?.stopLoading()
        }
    }

    func handle(_ message: ProtocolMessage) {
        guard !isStopped else { return }
        inbox.append(message)
        dispatch()
    }

    /// Removes queued challenges that have not been passed to the delegate.
    func dropChallenge() {
        inbox.removeAll { message in if case .challenge = message { true } else { false } }
    }

    private func dispatch() {
        if isDispatching { return }
        isDispatching = true
        defer { isDispatching = false }
        while !isPaused, !isStopped, let message = inbox.popFirst() {
            if case .data(let data) = message { client.didConsume(data.count) }
            receive(message)
        }
    }
}
