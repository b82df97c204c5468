import Foundation
import NIOCore

/// Sends one body from its reader, one chunk at a time: the next chunk is read after the kernel has accepted the one
/// before.
final class BodyPump {
    enum Event {
        case sent(Int)
        case ended
        case unreadable(any Error)
        /// The body is not as long as the request head announced. The surplus is not sent: the server would parse it as
        /// the next request.
        case wrongLength(isLonger: Bool)
    }

    private let reader: BodyReader
    private let handler: ExchangeHandler
    private let eventLoop: any EventLoop
    private let report: (Event) -> Void
    /// The remaining bytes of the announced length; nil if no length was announced.
    private var left: Int64?
    private var isMoving = false
    private var isStopped = false

    init(
        reader: BodyReader, length: Int64?, handler: ExchangeHandler, eventLoop: any EventLoop,
        report: @escaping (Event) -> Void
    ) {
        self.reader = reader
        left = length
        self.handler = handler
        self.eventLoop = eventLoop
        self.report = report
    }

    var isPaused = false {
        didSet { if oldValue, !isPaused { run() } }
    }

    /// Stops sending; bytes that the kernel has accepted are still transmitted.
    func stop() { isStopped = true }

    func run() {
        guard !isMoving, !isStopped, !isPaused else { return }
        isMoving = true
        reader.next().assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success(let data): write(data)
            case .failure(let error):
                isMoving = false
                if isStopped { return }
                isStopped = true
                report(.unreadable(error))
            }
        }
    }

    private func write(_ data: Data) {
        if isStopped { return }
        if let left {
            if data.isEmpty ? left > 0 : data.count > left {
                isStopped = true
                return report(.wrongLength(isLonger: !data.isEmpty))
            }
            self.left = left - Int64(data.count)
        }
        if data.isEmpty {
            isStopped = true
            handler.sendEnd()
            report(.ended)
            return
        }
        let written = eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] result in
            isMoving = false
            switch result {
            case .success:
                if isStopped { return }
                report(.sent(data.count))
                run()
            // The exchange reports the broken connection itself, after everything that the server sent before.
            case .failure: isStopped = true
            }
        }
        handler.send(ByteBuffer(bytes: data), promise: written)
    }
}
