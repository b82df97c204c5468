/// What the harness does with a stream task (STRM-01, STRM-02, STRM-03).
package enum StreamAction: Hashable, Sendable {
    /// A `streamRead` event answers, with at least `minimum` bytes unless the stream ends before.
    case read(minimum: Int, maximum: Int)
    /// A `streamWritten` event answers.
    case write([UInt8])
    /// TLS begins, after everything asked before.
    case secure
    case closeRead
    case closeWrite
    /// The task becomes a pair of streams, after everything asked before; `didBecomeStreams` says so.
    case captureStreams
    /// From the captured input stream; a `streamRead` event answers.
    case readCaptured(minimum: Int, maximum: Int)
    /// To the captured output stream; a `streamWritten` event answers.
    case writeCaptured([UInt8])
    /// Both captured streams, after what was asked of them before.
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
