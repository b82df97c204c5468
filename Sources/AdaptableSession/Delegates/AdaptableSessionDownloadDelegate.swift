public import Foundation

/// Hears of download tasks. Every message is optional.
public protocol AdaptableSessionDownloadDelegate: AdaptableSessionTaskDelegate {
    /// The file is gone when the message returns, unless it was moved away (DNLD-02, DNLD-03).
    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didFinishDownloadingTo location: URL)

    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)

    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64)
}

extension AdaptableSessionDownloadDelegate {
    public func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didFinishDownloadingTo location: URL
    ) { _ = OptionalMethodProbe.markMissing(self) }

    public func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) { _ = OptionalMethodProbe.markMissing(self) }

    public func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) { _ = OptionalMethodProbe.markMissing(self) }
}
