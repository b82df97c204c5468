import Foundation
import NIOCore

/// Moves one body from its reader to the wire, a piece at a time: the next one is read when the kernel has taken the one before.
final class BodyPump {
    enum Event {
        case sent(Int)
        case ended
        case unreadable(any Error)
        /// It is not as long as the head of the request says. What lies beyond is not sent: the peer would take it for the next request.
        case wrongLength(isLonger: Bool)
    }

    private let reader: BodyReader
    private let handler: ExchangeHandler
    private let eventLoop: any EventLoop
    private let report: (Event) -> Void
    /// Of the announced length; nil where none was announced.
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

    /// Nothing more is sent; what the kernel has taken is on its way.
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
            // The exchange hears of the broken connection by itself, behind what the peer said before.
            case .failure: isStopped = true
            }
        }
        handler.send(ByteBuffer(bytes: data), promise: written)
    }
}
