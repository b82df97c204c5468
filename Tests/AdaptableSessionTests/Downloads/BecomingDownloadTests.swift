import Dispatch
import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

/// A data task that becomes a download shares its load with the download task.
@Suite struct BecomingDownloadTests {
    /// The callback blocks the delegate's queue after its decision, so that the load becomes a download before the
    /// suspension and the delegate receives it afterwards.
    @Test(.timeLimit(.minutes(1))) func `a task suspended while it becomes a download is a suspended download`()
        async throws
    {
        final class Decider: AdaptableSessionDataDelegate {
            let became = AsyncStream.makeStream(of: AdaptableSessionDownloadTask.self)
            let log = EventLog()
            func urlSession(
                _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse,
                completionHandler: @escaping @Sendable (AdaptableSession.ResponseDisposition) -> Void
            ) {
                completionHandler(.becomeDownload)
                let hasBecome = DispatchSemaphore(value: 0)
                session.perform { _ in hasBecome.signal() }
                #expect(hasBecome.wait(timeout: .now() + 30) == .success)
                dataTask.suspend()
                #expect(dataTask.state == .suspended)
            }
            func urlSession(
                _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
                didBecome downloadTask: AdaptableSessionDownloadTask
            ) {
                // Here, because the body may have arrived before the suspension: its file follows at once.
                downloadTask.delegate = log
                became.continuation.yield(downloadTask)
            }
        }
        let server = try await ScriptedServer { _ in ScriptedServer.ok("hello") }
        let decider = Decider()
        let session = AdaptableSession(configuration: .ephemeral, delegate: decider, delegateQueue: nil)
        let task = session.dataTask(with: server.url("/"))
        task.resume()
        var downloads = decider.became.stream.makeAsyncIterator()
        let download = try #require(await downloads.next())
        #expect(download.state == .suspended)
        download.resume()
        #expect(await decider.log.completion(of: download) == nil)
        #expect(decider.log.file(of: download) == Data("hello".utf8))
        #expect(task.state == .completed)
    }
}
