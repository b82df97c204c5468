import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

extension CapturedStreamsTests {
    /// A delegate of both streams on one run loop: writes when there is space, reads when bytes are available, closes
    /// at the end.
    private final class Receiver: StreamDelegate {
        var events: [String] = []
        var received: [UInt8] = []
        var isOver = false

        func stream(_ aStream: Foundation.Stream, handle eventCode: Foundation.Stream.Event) {
            switch aStream {
            case let input as InputStream:
                events.append("in \(eventCode.rawValue)")
                if eventCode == .hasBytesAvailable {
                    var piece = [UInt8](repeating: 0, count: 2)
                    let count = unsafe input.read(&piece, maxLength: piece.count)
                    received += piece.prefix(max(0, count))
                }
                if eventCode == .endEncountered || eventCode == .errorOccurred { isOver = true }
            case let output as Foundation.OutputStream:
                events.append("out \(eventCode.rawValue)")
                if eventCode == .hasSpaceAvailable, received.isEmpty, events.filter({ $0 == "out 4" }).count == 1 {
                    _ = unsafe output.write([7, 8, 9], maxLength: 3)
                    output.close()
                }
            default: events.append("?")
            }
        }
    }

    /// Uses the streams on the thread where it receives them, with the run loop of that thread.
    private final class Loop: AdaptableSessionStreamDelegate {
        let observed: AsyncStream<([String], [UInt8])>
        private let notify: AsyncStream<([String], [UInt8])>.Continuation

        init() { (observed, notify) = AsyncStream.makeStream() }

        func urlSession(
            _ session: AdaptableSession, streamTask: AdaptableSessionStreamTask,
            didBecome inputStream: sending InputStream,
            outputStream: sending Foundation.OutputStream
        ) {
            let ear = Receiver()
            inputStream.delegate = ear
            outputStream.delegate = ear
            inputStream.schedule(in: .current, forMode: .default)
            outputStream.schedule(in: .current, forMode: .default)
            inputStream.open()
            outputStream.open()
            while !ear.isOver { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
            notify.yield((ear.events, ear.received))
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a delegate receives the events of both streams on its run loop`() async throws
    {
        try await withServer { port, _ in
            let loop = Loop()
            let session = AdaptableSession(configuration: .ephemeral, delegate: loop, delegateQueue: nil)
            let task = session.streamTask(withHostName: "127.0.0.1", port: port)
            task.resume()
            task.captureStreams()
            for await (events, received) in loop.observed {
                #expect(received == [7, 8, 9])
                #expect(Set(events) == ["in 1", "out 1", "out 4", "in 2", "in 16"])
                #expect(events.filter { $0 == "in 2" }.count == 2)
                #expect(events.last == "in 16")
                break
            }
        }
    }
}
