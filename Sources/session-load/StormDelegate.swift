import AdaptableSession
import Foundation
import FoundationNetworking

/// The delegate of the tasks without a completion handler.
final class StormDelegate: AdaptableSessionDataDelegate, AdaptableSessionDownloadDelegate {
    private let tally: StormTally

    init(_ tally: StormTally) { self.tally = tally }

    func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data) {
        tally.heard(dataTask.taskIdentifier)
    }

    func urlSession(_ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didFinishDownloadingTo location: URL) {
        tally.heard(downloadTask.taskIdentifier)
    }

    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) { tally.heard(downloadTask.taskIdentifier) }

    func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?) {
        tally.completed(task.taskIdentifier, error)
    }
}
