import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import AdaptableSession

/// There are more streams than threads in the pool that reads files, and each blocks in `read` until the test releases
/// it.
@Suite struct StreamBoxTests {
    @Test(.timeLimit(.minutes(1))) func `streams that wait for their producers do not block reading files`()
        async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let count = NIOSingletons.blockingPoolThreadCountSuggestion + 1
        let begun = Begun()
        let readers = (0..<count).map { _ in BodyReader(stream: StreamBox(WaitingStream(gate, begun)), eventLoop: loop)
        }
        let pieces = readers.map { $0.next() }
        while begun.count.withLock({ $0 }) < count { try await Task.sleep(for: .milliseconds(1)) }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("stream-box-\(UUID().uuidString)")
        try Data("file".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let read = try await BodyReader(file: FileHandle(forReadingFrom: url), eventLoop: loop).next().get()
        #expect(read == Data("file".utf8))
        for _ in 0..<count { gate.signal() }
        for piece in pieces { #expect(try await piece.get() == Data("late".utf8)) }
        withExtendedLifetime(readers) {}
    }

    /// NSTR-01 and NSTR-02: a file as a stream, and a stream of data.
    @Test(arguments: [false, true])
    func `a stream is read in order and ends with an empty piece`(isOfFile: Bool) async throws {
        let text = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("stream-box-\(UUID().uuidString)")
        try text.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let stream = isOfFile ? try #require(InputStream(url: url)) : InputStream(data: text)
        let reader = BodyReader(stream: StreamBox(stream), eventLoop: MultiThreadedEventLoopGroup.singleton.any())
        var whole = Data()
        while true {
            let piece = try await reader.next().get()
            if piece.isEmpty { break }
            whole.append(piece)
        }
        let isWhole = whole == text
        #expect(isWhole)
    }
}

private final class Begun: Sendable { let count = Mutex(0) }

private final class WaitingStream: InputStream {
    private let gate: DispatchSemaphore
    private let begun: Begun

    init(_ gate: DispatchSemaphore, _ begun: Begun) {
        self.gate = gate
        self.begun = begun
        super.init(data: Data())
    }

    override func open() {}
    override func close() {}

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        begun.count.withLock { $0 += 1 }
        gate.wait()
        let text = Array("late".utf8)
        for (index, byte) in text.enumerated() { unsafe buffer[index] = byte }
        return text.count
    }
}
