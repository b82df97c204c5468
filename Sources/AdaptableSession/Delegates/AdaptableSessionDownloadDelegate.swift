public import Foundation

/// Receives the events of download tasks. Every method is optional.
public protocol AdaptableSessionDownloadDelegate: AdaptableSessionTaskDelegate {
    /// Called when the download is complete. The file is removed when the method returns, unless the method moved it
    /// (DNLD-02, DNLD-03).
    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didFinishDownloadingTo location: URL)

    /// Called after bytes were written to the file. All counts are in bytes; the expected total is -1 if it is unknown.
    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)

    /// Called when a download continues from resume data, with the number of bytes that are already in the file.
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
