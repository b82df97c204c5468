import Foundation
import Synchronization

/// The output stream of a connection or of a bound pair. Writing blocks while the buffer is full.
final class CapturedOutputStream: OutputStream {
    private let connection: any StreamSink
    private let offer: Int
    private var status = Status.notOpen
    private var error: (any Error)?
    private var hasReportedOpening = false
    private var hasReportedEnd = false

    init(_ connection: any StreamSink, offer: Int) {
        self.connection = connection
        self.offer = offer
        super.init(toMemory: ())
    }

    required init(toMemory: ()) { preconditionFailure("this stream is made from its connection") }

    deinit { connection.dropOutput(offer) }

    override func open() {
        guard status == .notOpen else { return }
        status = .opening
        if connection.isOpen { reportOpening() }
        let me = StreamReference(self)
        connection.outputSchedule.start { (me.stream as? CapturedOutputStream)?.notify() }
        connection.open()
    }

    private func reportOpening() {
        status = .open
        guard !hasReportedOpening else { return }
        hasReportedOpening = true
        delegate?.stream(self, handle: .openCompleted)
    }

    /// Closes the stream. Written bytes are sent first, followed by a FIN.
    override func close() {
        status = .closed
        connection.outputSchedule.stop()
        connection.closeOutput()
    }

    override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
        guard status == .open || status == .opening else { return -1 }
        guard len > 0 else { return 0 }
        switch unsafe connection.write(UnsafeBufferPointer(start: buffer, count: len)) {
        case .success(let count):
            return count
        case .failure(let error):
            status = .error
            self.error = error
            return -1
        }
    }

    override var hasSpaceAvailable: Bool { streamStatus == .open && connection.writability != nil }

    /// Opening ends on another thread, and is recorded here when the run loop or a read or write notices it.
    override var streamStatus: Status {
        guard status == .opening else { return status }
        if connection.failure != nil { return .error }
        return connection.isOpen ? .open : .opening
    }

    override var streamError: (any Error)? { error ?? (status == .opening ? connection.failure : nil) }

    override func property(forKey key: PropertyKey) -> AnyObject? { nil }

    override func setProperty(_ property: AnyObject?, forKey key: PropertyKey) -> Bool { false }

    override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        connection.outputSchedule.add(aRunLoop, mode)
    }

    override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        connection.outputSchedule.remove(aRunLoop, mode)
    }

    private func notify() {
        if status == .opening, connection.isOpen { reportOpening() }
        let reports = status == .opening && connection.failure != nil
        guard reports || status == .open || status == .error, let event = connection.writability else { return }
        if event == .errorOccurred {
            guard !hasReportedEnd else { return }
            hasReportedEnd = true
            status = .error
            if error == nil { error = connection.failure }
        }
        delegate?.stream(self, handle: event)
    }
}
