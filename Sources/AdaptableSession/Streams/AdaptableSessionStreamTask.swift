public import Foundation
import FoundationNetworking

/// A TCP connection to a host and a port, with TLS from the start, later, or never (STRM-01, STRM-02).
///
/// What it is told before it is connected, or while something else of its direction runs, waits its turn. After a failure everything that
/// waits fails with it, and the task ends.
public final class AdaptableSessionStreamTask: AdaptableSessionTask, @unchecked Sendable {
    override func postResume() { enqueue { $0.resume() } }

    /// What is on its way arrives; nothing further begins until `resume()`.
    override func postSuspend() { enqueue { $0.suspend() } }

    override func postCancel() { enqueue { $0.cancel() } }

    /// Gives at least `minBytes` (less at the end) and at most `maxBytes`. A timeout of 0 is none.
    public func readData(
        ofMinLength minBytes: Int, maxLength maxBytes: Int, timeout: TimeInterval,
        completionHandler: @escaping @Sendable (Data?, Bool, (any Error)?) -> Void
    ) {
        enqueue({ $0.read(minBytes, maxBytes, timeout, completionHandler) }, over: { completionHandler(nil, true, $0) })
    }

    /// The handler hears when the kernel has the bytes. A timeout of 0 is none.
    public func write(
        _ data: Data, timeout: TimeInterval, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        enqueue({ $0.write(data, timeout, completionHandler) }, over: { completionHandler($0) })
    }

    public func readData(ofMinLength minBytes: Int, maxLength maxBytes: Int, timeout: TimeInterval) async throws -> (
        Data?, Bool
    ) {
        try await withCheckedThrowingContinuation { continuation in
            readData(ofMinLength: minBytes, maxLength: maxBytes, timeout: timeout) { data, isAtEnd, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: (data, isAtEnd))
                }
            }
        }
    }

    public func write(_ data: Data, timeout: TimeInterval) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            write(data, timeout: timeout) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// After the writes that wait, says that nothing follows.
    public func closeWrite() { enqueue { $0.add(.closeWrite) } }

    /// After the reads that wait, nothing is read any more.
    public func closeRead() { enqueue { $0.add(.closeRead) } }

    /// After everything that waits, the connection goes on in TLS. A server that has already sent more by then is not believed.
    public func startSecureConnection() { enqueue { $0.add(.secure) } }

    /// After everything that waits, the connection goes on in an `InputStream` and an `OutputStream`, which the delegate is given (STRM-03):
    /// what was received and not read is the first that the one reads. With that message the task is completed; it hears no other.
    /// Without a delegate that takes them the connection ends.
    public func captureStreams() { enqueue { $0.add(.capture) } }

    private func enqueue(
        _ act: @escaping @Sendable (StreamLoad) -> Void, over: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        let (number, queue) = (load, session.delegateQueue)
        session.perform { core in
            if let load = core.streams[number] { return act(load) }
            queue.addOperation { over(StreamLoad.cause(of: self)) }
        }
    }
}

extension AdaptableSession {
    public func streamTask(withHostName hostname: String, port: Int) -> AdaptableSessionStreamTask {
        let number = nextIdentifier()
        let task = AdaptableSessionStreamTask(session: self, identifier: number, load: number, facts: TaskFacts())
        perform { $0.add(StreamLoad(task, host: hostname, port: port, core: $0)) }
        return task
    }
}
