public import Foundation
public import FoundationNetworking

/// A body as a sequence of bytes, taken from the network as fast as it is read.
extension AdaptableSession {
    public struct AsyncBytes: AsyncSequence, Sendable {
        public typealias Element = UInt8

        public let task: AdaptableSessionDataTask
        let pieces: BodyPieces

        public struct AsyncIterator: AsyncIteratorProtocol {
            private let pieces: BodyPieces
            private var piece = Data().makeIterator()

            init(_ pieces: BodyPieces) { self.pieces = pieces }

            public mutating func next() async throws -> UInt8? {
                while true {
                    if let byte = piece.next() { return byte }
                    guard let next = try await pieces.next() else { return nil }
                    piece = next.makeIterator()
                }
            }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces) }
    }

    /// Returns when the response head is there.
    public func bytes(
        for request: URLRequest, delegate: (any AdaptableSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) {
        let pieces = BodyPieces(behind: delegate)
        let task = dataTask(with: request)
        task.delegate = pieces
        let response = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                pieces.expectHead(continuation)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
        pieces.cancelWhenUnused(task)
        return (AsyncBytes(task: task, pieces: pieces), response)
    }

    public func bytes(from url: URL, delegate: (any AdaptableSessionTaskDelegate)? = nil) async throws -> (AsyncBytes, URLResponse) {
        try await bytes(for: URLRequest(url: url), delegate: delegate)
    }
}
