import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Reads a body for one transmission, one chunk at a time. Files are read on threads that may block, each stream on its
/// own thread.
final class BodyReader {
    private enum Origin {
        case memory(Data)
        case file(FileHandle)
        case filePart(FilePart)
        case stream(StreamBox)
    }

    static let piece = 64 * 1024

    private let origin: Origin
    private let eventLoop: any EventLoop
    private var position = 0

    init(memory: Data, eventLoop: any EventLoop) {
        origin = .memory(memory)
        self.eventLoop = eventLoop
    }

    init(file: FileHandle, eventLoop: any EventLoop) {
        origin = .file(file)
        self.eventLoop = eventLoop
    }

    init(part: FilePart, eventLoop: any EventLoop) {
        origin = .filePart(part)
        self.eventLoop = eventLoop
    }

    init(stream: StreamBox, eventLoop: any EventLoop) {
        origin = .stream(stream)
        self.eventLoop = eventLoop
    }

    /// Returns the next chunk; empty at the end of the body.
    func next() -> EventLoopFuture<Data> {
        switch origin {
        case .memory(let data):
            let piece = data.dropFirst(position).prefix(Self.piece)
            position += piece.count
            return eventLoop.makeSucceededFuture(piece)
        case .file(let handle):
            return NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) {
                try handle.read(upToCount: Self.piece) ?? Data()
            }
        case .filePart(let part):
            return NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { try part.read(upTo: Self.piece) }
        case .stream(let box):
            let promise = eventLoop.makePromise(of: Data.self)
            box.read(upTo: Self.piece) { promise.completeWith($0) }
            return promise.futureResult
        }
    }
}

/// A range of bytes of a file, read by one thread at a time.
final class FilePart: Sendable {
    private let state: Mutex<(handle: FileHandle, left: Int64)>

    init(_ url: URL, _ range: Range<Int64>) throws {
        let handle = try FileHandle(forReadingFrom: url)
        try handle.seek(toOffset: UInt64(range.lowerBound))
        state = Mutex((handle, Int64(range.count)))
    }

    /// Returns the next bytes; empty at the end of the range.
    func read(upTo count: Int) throws -> Data {
        try state.withLock { state in
            let piece = try state.handle.read(upToCount: Int(min(Int64(count), state.left))) ?? Data()
            state.left -= Int64(piece.count)
            return piece
        }
    }
}
