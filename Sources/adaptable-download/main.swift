import AdaptableSession
import Foundation
import FoundationNetworking

/// `adaptable-download URL FILE`: a download with a progress bar that waits for the network and resumes at the last
/// byte when the network returns.
final class AdaptableDownload: AdaptableSessionDownloadDelegate {
    let file: URL
    let ended = DispatchSemaphore(value: 0)
    init(to file: URL) { self.file = file }

    func urlSession(_ session: AdaptableSession, taskIsWaitingForConnectivity task: AdaptableSessionTask) {
        print("\nwaiting for a network")
    }
    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didResumeAtOffset offset: Int64,
        expectedTotalBytes: Int64
    ) { print("resuming at byte \(offset) of \(expectedTotalBytes)") }
    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didWriteData bytes: Int64,
        totalBytesWritten total: Int64,
        totalBytesExpectedToWrite expected: Int64
    ) {
        let filled = Int(40 * total / max(expected, total, 1))
        print(
            "\r[\(String(repeating: "#", count: filled))\(String(repeating: " ", count: 40 - filled))] \(total) bytes",
            terminator: "")
        fflush(nil)
    }
    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        do { try FileManager.default.moveItem(at: location, to: file) } catch {
            print("\n\(error.localizedDescription)")
        }
    }
    func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?) {
        print(error.map { "\n\($0.localizedDescription)" } ?? "\ncomplete")
        guard let data = (error as? URLError)?.userInfo[AdaptableSession.downloadTaskResumeData] as? Data else {
            _ = ended.signal()
            return
        }
        session.downloadTask(withResumeData: data).resume()
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let url = URL(string: arguments[1]) else {
    print("usage: adaptable-download URL FILE")
    exit(2)
}
let configuration = AdaptableSessionConfiguration.ephemeral
configuration.waitsForConnectivity = true
configuration.timeoutIntervalForRequest = 5
let download = AdaptableDownload(to: URL(fileURLWithPath: arguments[2]))
AdaptableSession(configuration: configuration, delegate: download, delegateQueue: nil).downloadTask(with: url).resume()
download.ended.wait()
