import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Gives the pieces of one transmission of a body; files and streams are read on a thread that may block.
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

    /// The next piece, empty at the end.
    func next() -> EventLoopFuture<Data> {
        switch origin {
        case .memory(let data):
            let piece = data.dropFirst(position).prefix(Self.piece)
            position += piece.count
            return eventLoop.makeSucceededFuture(piece)
        case .file(let handle):
            return NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { try handle.read(upToCount: Self.piece) ?? Data() }
        case .filePart(let part):
            return NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { try part.read(upTo: Self.piece) }
        case .stream(let box):
            return NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { try box.read(upTo: Self.piece) }
        }
    }
}

/// A stream that was handed over, read by one thread at a time.
final class StreamBox: Sendable {
    private let stream: Mutex<InputStream>

    init(_ stream: sending InputStream) {
        stream.open()
        self.stream = Mutex(stream)
    }

    deinit { stream.withLock { $0.close() } }

    func read(upTo count: Int) throws -> Data {
        try stream.withLock { stream in
            var bytes = [UInt8](repeating: 0, count: count)
            let length = unsafe stream.read(&bytes, maxLength: count)
            if length < 0 { throw stream.streamError ?? CocoaError(.fileReadUnknown) }
            return Data(bytes.prefix(length))
        }
    }
}
