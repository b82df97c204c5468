/// An action of the harness on a stream task (STRM-01, STRM-02, STRM-03).
package enum StreamAction: Hashable, Sendable {
    /// Reads; a `streamRead` event follows, with at least `minimum` bytes unless the stream ends before.
    case read(minimum: Int, maximum: Int)
    /// Writes; a `streamWritten` event follows.
    case write([UInt8])
    /// Starts TLS after all earlier actions.
    case secure
    case closeRead
    case closeWrite
    /// Turns the task into a pair of streams after all earlier actions; a `didBecomeStreams` event follows.
    case captureStreams
    /// Reads from the captured input stream; a `streamRead` event follows.
    case readCaptured(minimum: Int, maximum: Int)
    /// Writes to the captured output stream; a `streamWritten` event follows.
    case writeCaptured([UInt8])
    /// Closes both captured streams after their earlier actions.
    case closeCaptured

    package enum Name: String, CaseIterable, Hashable, Sendable {
        case read = "readStream"
        case write = "writeStream"
        case secure, closeRead, closeWrite, captureStreams, readCaptured, writeCaptured, closeCaptured
    }

    package var name: Name {
        switch self {
        case .read: .read
        case .write: .write
        case .secure: .secure
        case .closeRead: .closeRead
        case .closeWrite: .closeWrite
        case .captureStreams: .captureStreams
        case .readCaptured: .readCaptured
        case .writeCaptured: .writeCaptured
        case .closeCaptured: .closeCaptured
        }
    }
}
