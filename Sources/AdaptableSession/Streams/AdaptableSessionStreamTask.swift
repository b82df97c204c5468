public import Foundation
import FoundationNetworking

/// A TCP connection to a host and a port, with TLS from the start, later, or never (STRM-01, STRM-02).
///
/// Operations wait until the connection is open and earlier operations in the same direction have finished. After a
/// failure all waiting operations fail with the same error, and the task ends.
public final class AdaptableSessionStreamTask: AdaptableSessionTask, @unchecked Sendable {
    override func postResume() { enqueue { $0.resume() } }

    /// Operations in progress continue; new ones start only after `resume()`.
    override func postSuspend() { enqueue { $0.suspend() } }

    override func postCancel() { enqueue { $0.cancel() } }

    /// Reads at least `minBytes` (fewer at the end of the stream) and at most `maxBytes`. `timeout` is in seconds; 0
    /// means none. The handler receives the bytes, true at the end of the stream, and an error.
    public func readData(
        ofMinLength minBytes: Int, maxLength maxBytes: Int, timeout: TimeInterval,
        completionHandler: @escaping @Sendable (Data?, Bool, (any Error)?) -> Void
    ) {
        enqueue({ $0.read(minBytes, maxBytes, timeout, completionHandler) }, over: { completionHandler(nil, true, $0) })
    }

    /// Writes bytes. The handler is called when they have been handed to the kernel. `timeout` is in seconds; 0 means
    /// none.
    public func write(
        _ data: Data, timeout: TimeInterval, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        enqueue({ $0.write(data, timeout, completionHandler) }, over: { completionHandler($0) })
    }

    /// Reads at least `minBytes` (fewer at the end of the stream) and at most `maxBytes`. `timeout` is in seconds; 0
    /// means none. Returns the bytes and true at the end of the stream.
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

    /// Writes bytes; returns when they have been handed to the kernel. `timeout` is in seconds; 0 means none.
    public func write(_ data: Data, timeout: TimeInterval) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            write(data, timeout: timeout) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Closes the connection for writing (FIN) after the waiting writes.
    public func closeWrite() { enqueue { $0.add(.closeWrite) } }

    /// Closes the connection for reading after the waiting reads.
    public func closeRead() { enqueue { $0.add(.closeRead) } }

    /// Starts TLS after all waiting operations. The task fails if the server has already sent unencrypted bytes by
    /// then.
    public func startSecureConnection() { enqueue { $0.add(.secure) } }

    /// Converts the connection to an `InputStream` and an `OutputStream`, which the delegate receives, after all
    /// waiting operations (STRM-03). The input stream starts with the bytes that were received and not read. The task
    /// is then completed and sends no other callback. If no delegate accepts the streams, the connection is closed.
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
    /// Creates a task for a TCP connection to a host and a port from 1 to 65535. Other ports end the task with
    /// `URLError.badURL`.
    public func streamTask(withHostName hostname: String, port: Int) -> AdaptableSessionStreamTask {
        let number = nextIdentifier()
        let task = AdaptableSessionStreamTask(session: self, identifier: number, load: number, facts: TaskFacts())
        perform { $0.add(StreamLoad(task, host: hostname, port: port, core: $0)) }
        return task
    }
}
