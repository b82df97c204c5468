import AdaptableSession
import Foundation
import FoundationNetworking
import Glibc
import LabKernel
import Synchronization
import TransferProtocol

/// Measures the transfer daemon with many queued downloads: the creation of the tasks, the start of the daemon with
/// them, its memory, and the time for all of them.
///
/// The two phases of the client are processes of their own, because a session lives as long as its process.
enum TransferQueue {
    private static let session = "queue"

    static func measure(_ url: URL, _ count: Int) throws -> String {
        let folder = FileManager.default.temporaryDirectory.path + "/queue-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let socket = folder + "/s"
        unsafe setenv(TransferPlaces.socketVariable, socket, 1)
        unsafe setenv(TransferPlaces.stateVariable, folder + "/state", 1)
        let created = try client("create", url, count)
        guard let first = DaemonView(socket)?.process else { throw Failure(text: "the daemon has ended") }
        let residentCreated = ProcessMemory.mebibytes(.resident, of: first)
        kill(first, SIGKILL)
        let begun = ContinuousClock.now
        let daemon = Process()
        daemon.executableURL = URL(fileURLWithPath: program)
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        defer {
            kill(daemon.processIdentifier, SIGKILL)
            daemon.waitUntilExit()
        }
        while DaemonView(socket)?.isServed() != true {
            guard daemon.isRunning, ContinuousClock.now < begun + .seconds(120) else {
                throw Failure(text: "the daemon does not start")
            }
            usleep(1_000)
        }
        let started = ContinuousClock.now - begun
        let known = DaemonView(socket)?.sessions()?.first { $0.settings.identifier == session }?.tasks.count
        guard known == count else { throw Failure(text: "\(known ?? 0) of \(count) tasks after the start") }
        let residentStarted = ProcessMemory.mebibytes(.resident, of: daemon.processIdentifier)
        let ran = try client("run", url, count)
        let residentFinal = ProcessMemory.mebibytes(.resident, of: daemon.processIdentifier)
        return """
            {"tasks":\(count),"create":\(created),"start":\(started / .seconds(1)),"run":\(ran),\
            "residentMiB":\(max(residentCreated, residentStarted)),"finalMiB":\(residentFinal)}
            """
    }

    /// The client of one phase prints the seconds that it took.
    static func play(_ phase: String, _ url: URL, _ count: Int) {
        let delegate = Delegate(count)
        let configuration = AdaptableSessionConfiguration.background(withIdentifier: session)
        configuration.sessionSendsLaunchEvents = false
        let session = AdaptableSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        let ready = DispatchSemaphore(value: 0)
        let tasks = Mutex<[AdaptableSessionTask]>([])
        session.getAllTasks { all in
            tasks.withLock { $0 = all }
            ready.signal()
        }
        ready.wait()
        let begun = ContinuousClock.now
        if phase == "create" {
            for _ in 0..<count { _ = session.downloadTask(with: url) }
        } else {
            for task in tasks.withLock({ $0 }) { task.resume() }
            delegate.ended.wait()
        }
        print((ContinuousClock.now - begun) / .seconds(1))
        exit(delegate.failed.withLock { $0 } == 0 ? 0 : 1)
    }

    private final class Delegate: AdaptableSessionDownloadDelegate {
        let ended = DispatchSemaphore(value: 0)
        let failed = Mutex(0)
        private let left: Mutex<Int>

        init(_ count: Int) { left = Mutex(count) }

        func urlSession(
            _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask,
            didFinishDownloadingTo location: URL
        ) {}

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?
        ) {
            if error != nil { failed.withLock { $0 += 1 } }
            let isLast = left.withLock { left in
                left -= 1
                return left == 0
            }
            if isLast { ended.signal() }
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }

    private static var program: String {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        return ProcessInfo.processInfo.environment[TransferPlaces.daemonVariable]
            ?? own.path + "/" + TransferPlaces.daemonName
    }

    private static func client(_ phase: String, _ url: URL, _ count: Int) throws -> Double {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["queue-\(phase)", url.absoluteString, "\(count)"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0,
            let seconds = Double(output.trimmingCharacters(in: .whitespacesAndNewlines))
        else { throw Failure(text: "the client of the phase \(phase) ended with \(process.terminationStatus)") }
        return seconds
    }
}
