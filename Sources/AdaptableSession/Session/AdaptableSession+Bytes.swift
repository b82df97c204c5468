public import Foundation
public import FoundationNetworking

/// A body as a sequence of bytes, taken from the network as fast as it is read. The load is cancelled when neither the sequence nor an
/// iterator of it is left.
extension AdaptableSession {
    public struct AsyncBytes: AsyncSequence, Sendable {
        public typealias Element = UInt8

        public let task: AdaptableSessionDataTask
        let readers: AsyncBytesLifetime

        public struct AsyncIterator: AsyncIteratorProtocol {
            private let readers: AsyncBytesLifetime
            private var piece = Data().makeIterator()

            init(_ readers: AsyncBytesLifetime) { self.readers = readers }

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

    /// Returns when the response head is there.
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

    public func bytes(from url: URL, delegate: (any AdaptableSessionTaskDelegate)? = nil) async throws -> (
        AsyncBytes, URLResponse
    ) {
        try await bytes(for: URLRequest(url: url), delegate: delegate)
    }
}
