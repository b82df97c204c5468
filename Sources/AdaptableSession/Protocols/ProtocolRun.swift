import Foundation
import NIOCore
import Synchronization

/// One load of a protocol class, on the session's event loop: makes the object, lets it begin and stops it, each once, on the load's own
/// line, and hands on what it tells as fast as that is taken.
final class ProtocolRun {
    /// Where the code of protocol classes runs: it may take its time without holding up a session.
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

    /// It has told of a response.
    var hasDecided = false
    /// Its challenge is with the delegate.
    var isChallenging = false

    /// While true nothing is handed on.
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

    /// Again: nothing.
    func start() {
        guard !isStarted, !isStopped else { return }
        isStarted = true
        line.post { [client, box, make] in
            // Stopped before it was made.
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

    /// A challenge that nobody has been asked yet is not asked any more.
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
