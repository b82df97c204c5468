public import Foundation

/// Hears of stream tasks. Every message is optional.
public protocol AdaptableSessionStreamDelegate: AdaptableSessionTaskDelegate {
    /// Nothing more is to be read.
    func urlSession(_ session: AdaptableSession, readClosedFor streamTask: AdaptableSessionStreamTask)

    /// Nothing more can be written.
    func urlSession(_ session: AdaptableSession, writeClosedFor streamTask: AdaptableSessionStreamTask)

    /// After `captureStreams()`: the connection goes on in these two, which are to be opened, and closed. The task's last message.
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
