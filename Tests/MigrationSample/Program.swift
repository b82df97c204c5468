import AdaptableSession
import Foundation
import FoundationNetworking
import Synchronization

final class Downloader: NSObject, URLSessionDownloadDelegate {
    private let results = Mutex<[Int: CheckedContinuation<Data, any Error>]>([:])

    func download(_ url: URL) async throws -> Data {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 30
        configuration.httpAdditionalHeaders = ["User-Agent": "Sample/1"]
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let task = session.downloadTask(with: URLRequest(url: url))
        task.priority = URLSessionTask.highPriority
        return try await withCheckedThrowingContinuation { continuation in
            results.withLock { $0[task.taskIdentifier] = continuation }
            task.resume()
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        end(downloadTask, Result { try Data(contentsOf: location) })
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { end(task, .failure(error)) }
    }

    private func end(_ task: URLSessionTask, _ result: Result<Data, any Error>) {
        let continuation = results.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        continuation?.resume(with: result)
    }
}
