import Foundation

/// A body stream that fails after its bytes, where another one ends.
final class FailingStream: InputStream {
    private var hasFailed = false

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        let count = unsafe super.read(buffer, maxLength: length)
        guard count == 0 else { return count }
        hasFailed = true
        return -1
    }

    override var hasBytesAvailable: Bool { !hasFailed }
    override var streamStatus: Stream.Status { hasFailed ? .error : super.streamStatus }
    override var streamError: (any Error)? { hasFailed ? POSIXError(.EIO) : super.streamError }
}
