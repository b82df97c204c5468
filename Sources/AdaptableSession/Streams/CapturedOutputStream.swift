import Foundation
import Synchronization

/// The output stream of a captured stream task. Writing blocks while the buffer is full.
final class CapturedOutputStream: OutputStream {
    private let connection: CapturedConnection
    private let offer: Int
    private var status = Status.notOpen
    private var error: (any Error)?
    private var hasReportedEnd = false

    init(_ connection: CapturedConnection, offer: Int) {
        self.connection = connection
        self.offer = offer
        super.init(toMemory: ())
    }

    required init(toMemory: ()) { preconditionFailure("a captured stream is made from its connection") }

    deinit { connection.dropOutput(offer) }

    override func open() {
        guard status == .notOpen else { return }
        status = .open
        let me = StreamReference(self)
        connection.outputSchedule.start { (me.stream as? CapturedOutputStream)?.notify() }
        delegate?.stream(self, handle: .openCompleted)
    }

    /// Closes the stream. Written bytes are sent first, followed by a FIN.
    override func close() {
        status = .closed
        connection.outputSchedule.stop()
        connection.closeOutput()
    }

    override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
        guard status == .open else { return -1 }
        guard len > 0 else { return 0 }
        switch connection.capacity() {
        case .success(let room):
            let count = min(room, len)
            unsafe connection.write(UnsafeBufferPointer(start: buffer, count: count))
            return count
        case .failure(let error):
            status = .error
            self.error = error
            return -1
        }
    }

    override var hasSpaceAvailable: Bool { status == .open && connection.writability != nil }

    override var streamStatus: Status { status }

    override var streamError: (any Error)? { error }

    override func property(forKey key: PropertyKey) -> AnyObject? { nil }

    override func setProperty(_ property: AnyObject?, forKey key: PropertyKey) -> Bool { false }

    override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        connection.outputSchedule.add(aRunLoop, mode)
    }

    override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        connection.outputSchedule.remove(aRunLoop, mode)
    }

    private func notify() {
        guard status == .open || status == .error, let event = connection.writability else { return }
        if event == .errorOccurred {
            guard !hasReportedEnd else { return }
            hasReportedEnd = true
            status = .error
            if error == nil { error = connection.failure }
        }
        delegate?.stream(self, handle: event)
    }
}
