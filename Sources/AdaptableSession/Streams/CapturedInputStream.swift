import Foundation
import Synchronization

/// The input stream of a connection or of a bound pair. Reading blocks until a byte arrives or the input ends.
final class CapturedInputStream: InputStream {
    private let connection: any StreamSource
    private let offer: Int
    private var status = Status.notOpen
    private var error: (any Error)?
    private var hasReportedOpening = false
    private var hasReportedEnd = false

    init(_ connection: any StreamSource, offer: Int) {
        self.connection = connection
        self.offer = offer
        super.init(data: Data())
    }

    deinit { connection.dropInput(offer) }

    override func open() {
        guard status == .notOpen else { return }
        status = .opening
        if connection.isOpen { reportOpening() }
        let me = StreamReference(self)
        connection.inputSchedule.start { (me.stream as? CapturedInputStream)?.notify() }
        connection.open()
    }

    private func reportOpening() {
        status = .open
        guard !hasReportedOpening else { return }
        hasReportedOpening = true
        delegate?.stream(self, handle: .openCompleted)
    }

    override func close() {
        status = .closed
        connection.inputSchedule.stop()
        connection.closeInput()
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        guard status == .open || status == .opening else { return status == .atEnd ? 0 : -1 }
        switch connection.read(upTo: max(0, len)) {
        case .bytes(let bytes):
            _ = unsafe UnsafeMutableBufferPointer(start: buffer, count: max(0, len)).update(fromContentsOf: bytes)
            return bytes.count
        case .end:
            status = .atEnd
            return 0
        case .failed(let error):
            status = .error
            self.error = error
            return -1
        }
    }

    /// Returns false: the bytes are in a buffer whose address changes.
    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length len: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }

    override var hasBytesAvailable: Bool { streamStatus == .open && connection.readiness != nil }

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
        connection.inputSchedule.add(aRunLoop, mode)
    }

    override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        connection.inputSchedule.remove(aRunLoop, mode)
    }

    private func notify() {
        if status == .opening, connection.isOpen { reportOpening() }
        let reports = status == .opening && connection.failure != nil
        guard reports || status == .open || status == .atEnd || status == .error, let event = connection.readiness
        else { return }
        if event != .hasBytesAvailable {
            guard !hasReportedEnd else { return }
            hasReportedEnd = true
            status = event == .errorOccurred ? .error : .atEnd
            if status == .error, error == nil { error = connection.failure }
        }
        delegate?.stream(self, handle: event)
    }
}
