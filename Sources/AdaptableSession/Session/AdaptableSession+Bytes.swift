public import Foundation
public import FoundationNetworking

/// Bodies as a sequence of bytes, read from the network as fast as they are consumed. The load is cancelled when the
/// sequence and all its iterators are released.
extension AdaptableSession {
    /// The bytes of a body. Iterating throws the error that ends the load.
    public struct AsyncBytes: AsyncSequence, Sendable {
        public typealias Element = UInt8

        /// The task that loads the body.
        public let task: AdaptableSessionDataTask
        let readers: AsyncBytesLifetime

        public struct AsyncIterator: AsyncIteratorProtocol {
            private let readers: AsyncBytesLifetime
            private var piece = Data().makeIterator()

            init(_ readers: AsyncBytesLifetime) { self.readers = readers }

            /// Returns the next byte; nil after the last one. Throws the error that ended the load.
            public mutating func next() async throws -> UInt8? {
                while true {
                    if let byte = piece.next() { return byte }
                    guard let next = try await readers.pieces.next() else { return nil }
                    piece = next.makeIterator()
                }
            }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(readers) }
    }

    /// Starts a data task and returns as soon as the response head has arrived.
    public func bytes(
        for request: URLRequest, delegate: (any AdaptableSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) {
        let pieces = AsyncBodyBuffer(behind: delegate)
        let task = makeTask(request, .data, .delegate, delegate: pieces, AdaptableSessionDataTask.init)
        let response = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                pieces.expectHead(continuation, of: task)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
        return (AsyncBytes(task: task, readers: AsyncBytesLifetime(pieces)), response)
    }

    /// Starts a GET and returns as soon as the response head has arrived.
    public func bytes(from url: URL, delegate: (any AdaptableSessionTaskDelegate)? = nil) async throws -> (
        AsyncBytes, URLResponse
    ) {
        try await bytes(for: URLRequest(url: url), delegate: delegate)
    }
}

/// An object shared by all readers of one body; its deinitialization cancels the load.
final class AsyncBytesLifetime: Sendable {
    let pieces: AsyncBodyBuffer

    init(_ pieces: AsyncBodyBuffer) { self.pieces = pieces }

    deinit { pieces.abandon() }
}
