import AdaptableSession
import Foundation
import FoundationNetworking
import Synchronization
import TransferProtocol

/// A program with a background session, which the kill sweep kills and starts again.
///
/// It keeps a number of tasks in the daemon until the file `drain` exists, and then waits for their ends.
final class SweepClient: AdaptableSessionDownloadDelegate {
    /// The tasks that wait or run in each session at a time.
    private static let load = 30

    private let ledger: SweepLedger
    /// The session and the generation of this process.
    private let name: String
    private let outstanding = Mutex<Set<Int>>([])

    private init(_ folder: String, _ name: String) {
        ledger = SweepLedger(folder)
        self.name = name
    }

    /// Plays the client until it is killed. The numbers of its tasks begin after `first`.
    static func play(folder: String, session: String, generation: Int, first: Int, port: Int) -> Never {
        endWithSweep(folder)
        let client = SweepClient(folder, "\(session).\(generation)")
        let configuration = AdaptableSessionConfiguration.background(withIdentifier: session)
        // The sweep itself starts clients.
        configuration.sessionSendsLaunchEvents = false
        let session = AdaptableSession(configuration: configuration, delegate: client, delegateQueue: nil)
        let known = DispatchSemaphore(value: 0)
        session.getAllTasks { tasks in
            client.outstanding.withLock { $0 = Set(tasks.compactMap { Self.number($0) }) }
            // The process before may have been killed between the creation of a task and its start.
            for task in tasks where task.state == .suspended { task.resume() }
            known.signal()
        }
        known.wait()
        var number = first
        var random = SplitMix(seed: UInt64(first))
        while true {
            if client.outstanding.withLock({ $0.count }) >= load
                || FileManager.default.fileExists(atPath: folder + "/drain")
            {
                usleep(5_000)
                continue
            }
            number += 1
            client.create(number, session, folder, port, cancels: random.below(16) == 0)
        }
    }

    /// Leaves no process and no file behind a sweep that was interrupted or killed.
    private static func endWithSweep(_ folder: String) {
        let sweep = getppid()
        // The terminal sends it to the whole group; what the sweep leaves is removed below.
        signal(SIGINT, SIG_IGN)
        Thread.detachNewThread {
            while getppid() == sweep { usleep(50_000) }
            // This client no longer starts it, and after the second the other client does not either.
            unsafe setenv(TransferPlaces.daemonVariable, "/bin/false", 1)
            for _ in 0..<20 {
                if let daemon = DaemonView(folder + "/run/s")?.process { kill(daemon, SIGKILL) }
                usleep(50_000)
            }
            try? FileManager.default.removeItem(atPath: folder)
            exit(3)
        }
    }

    private func create(_ number: Int, _ session: AdaptableSession, _ folder: String, _ port: Int, cancels: Bool) {
        guard let url = URL(string: "http://127.0.0.1:\(port)/file/\(number)") else { return }
        ledger.write(name, number, .intends)
        _ = outstanding.withLock { $0.insert(number) }
        let task: AdaptableSessionTask
        if SweepContent.isUpload(number) {
            let source = URL(fileURLWithPath: folder + "/sources/\(number)")
            try? Data(SweepContent.body(number)).write(to: source)
            var request = URLRequest(url: url)
            request.httpMethod = "PUT"
            task = session.uploadTask(with: request, fromFile: source)
            // The daemon has taken over the content (BKGD-15).
            try? FileManager.default.removeItem(at: source)
        } else {
            task = session.downloadTask(with: url)
        }
        guard task.state != .completed else { return }
        ledger.write(name, number, .accepted)
        task.resume()
        guard cancels else { return }
        ledger.write(name, number, .cancelled)
        task.cancel()
    }

    private static func number(_ task: AdaptableSessionTask) -> Int? {
        task.originalRequest?.url.flatMap { Int($0.lastPathComponent) }
    }

    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        guard let number = Self.number(downloadTask) else { return }
        // Kills come while a delegate has the file, too.
        if number % 4 == 0 { usleep(50_000) }
        let bytes = (try? Data(contentsOf: location)).map { Array($0) }
        ledger.write(name, number, .file(isRight: bytes == SweepContent.body(number)))
    }

    func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?) {
        guard let number = Self.number(task) else { return }
        ledger.write(name, number, .completed(code: error.map { ($0 as? URLError)?.errorCode ?? 1 } ?? 0))
        _ = outstanding.withLock { $0.remove(number) }
    }

    func urlSession(_ session: AdaptableSession, didBecomeInvalidWithError error: (any Error)?) {
        FileHandle.standardError.write(Data("\(name): the session became invalid: \(error as Any)\n".utf8))
        exit(4)
    }
}
