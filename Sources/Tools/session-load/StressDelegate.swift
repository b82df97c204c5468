import AdaptableSession
import Foundation
import FoundationNetworking

/// The delegate of the tasks without a completion handler.
final class StressDelegate: AdaptableSessionDataDelegate, AdaptableSessionDownloadDelegate {
    private let tally: StressStatistics

    init(_ tally: StressStatistics) { self.tally = tally }

    func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data) {
        tally.didReceiveCallback(dataTask.taskIdentifier)
    }

    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        tally.didReceiveCallback(downloadTask.taskIdentifier)
    }

    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) { tally.didReceiveCallback(downloadTask.taskIdentifier) }

    func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?) {
        tally.completed(task.taskIdentifier, error)
    }
}
