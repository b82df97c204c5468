import Foundation

/// The result of a read.
enum StreamPart {
    case bytes([UInt8])
    case end
    case failed(any Error)
}

/// The part of a connection or buffer that an input stream reads from, on threads of the caller's choice.
protocol StreamSource: AnyObject, Sendable {
    var inputSchedule: StreamSchedule { get }
    /// Starts opening; may be called several times.
    func open()
    var isOpen: Bool { get }
    /// Returns at least one byte; blocks until a byte arrives or the input ends.
    func read(upTo count: Int) -> StreamPart
    /// The event for the result of a read; nil when a read would block.
    var readiness: Stream.Event? { get }
    /// The error that ended the input; nil when there was none.
    var failure: (any Error)? { get }
    func closeInput()
    /// Called when the stream is released. `offer` identifies the pair of streams.
    func dropInput(_ offer: Int)
}

/// The part of a connection or buffer that an output stream writes to, on threads of the caller's choice.
protocol StreamSink: AnyObject, Sendable {
    var outputSchedule: StreamSchedule { get }
    /// Starts opening; may be called several times.
    func open()
    var isOpen: Bool { get }
    /// Blocks until at least one byte fits, writes as many as fit, and returns their number.
    func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Int, any Error>
    /// The event for the result of a write; nil when a write would block.
    var writability: Stream.Event? { get }
    /// The error that ended the output; nil when there was none.
    var failure: (any Error)? { get }
    func closeOutput()
    /// Called when the stream is released. `offer` identifies the pair of streams.
    func dropOutput(_ offer: Int)
}
