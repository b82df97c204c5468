public import Foundation

/// The delegate of stream tasks. All methods are optional.
public protocol AdaptableSessionStreamDelegate: AdaptableSessionTaskDelegate {
    /// Called when no more bytes can be read.
    func urlSession(_ session: AdaptableSession, readClosedFor streamTask: AdaptableSessionStreamTask)

    /// Called when no more bytes can be written.
    func urlSession(_ session: AdaptableSession, writeClosedFor streamTask: AdaptableSessionStreamTask)

    /// Called after `captureStreams()` with two streams that continue the connection. The receiver must open and close
    /// them. This is the task's last callback.
    func urlSession(
        _ session: AdaptableSession, streamTask: AdaptableSessionStreamTask, didBecome inputStream: sending InputStream,
        outputStream: sending OutputStream)
}

extension AdaptableSessionStreamDelegate {
    public func urlSession(_ session: AdaptableSession, readClosedFor streamTask: AdaptableSessionStreamTask) {
        _ = OptionalMethodProbe.markMissing(self)
    }

    public func urlSession(_ session: AdaptableSession, writeClosedFor streamTask: AdaptableSessionStreamTask) {
        _ = OptionalMethodProbe.markMissing(self)
    }

    public func urlSession(
        _ session: AdaptableSession, streamTask: AdaptableSessionStreamTask, didBecome inputStream: sending InputStream,
        outputStream: sending OutputStream
    ) {
        _ = OptionalMethodProbe.markMissing(self)
    }
}
