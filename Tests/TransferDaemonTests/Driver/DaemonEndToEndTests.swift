import AdaptableSession
import Foundation
import FoundationNetworking
import Glibc
import Synchronization
import Testing
import TransferProtocol

/// This process is the program with the background session; the daemon is the built one, a process of its own.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DaemonEndToEndTests {
    /// The events of a session, in order.
    final class Events: AdaptableSessionDownloadDelegate {
        struct Seen: Sendable {
            var files: [[UInt8]] = []
            var completions: [Int] = []
            var received: Int64 = 0
            var invalid: [Int] = []
            /// The names of some events, in order.
            var order: [String] = []
            /// The text of the error with which the session became invalid.
            var reason = ""
        }

        private let seen = Mutex(Seen())
        var now: Seen { seen.withLock { $0 } }

        func urlSession(
            _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didWriteData bytes: Int64,
            totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
        ) { seen.withLock { $0.received = totalBytesWritten } }

        func urlSession(
            _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask,
            didFinishDownloadingTo location: URL
        ) {
            let bytes = (try? Data(contentsOf: location)).map { Array($0) } ?? []
            seen.withLock { $0.files.append(bytes) }
        }

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?
        ) {
            seen.withLock { seen in
                seen.completions.append((error as? URLError)?.errorCode ?? 0)
                seen.order.append("completion")
            }
        }

        func note(_ event: String) { seen.withLock { $0.order.append(event) } }

        func urlSession(_ session: AdaptableSession, didBecomeInvalidWithError error: (any Error)?) {
            seen.withLock { seen in
                seen.invalid.append((error as? URLError)?.errorCode ?? 0)
                seen.reason = error?.localizedDescription ?? ""
            }
        }

        /// Waits until a condition holds; false after 60 s.
        func wait(until condition: (Seen) -> Bool) async throws -> Bool {
            for _ in 0..<3_000 {
                if condition(now) { return true }
                try await Task.sleep(for: .milliseconds(20))
            }
            return false
        }
    }

    static let daemon = FileManager.default.currentDirectoryPath + "/.build/debug/adaptable-transferd"
    private static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: daemon) }

    let folder: URL
    private let body = (0..<4_194_304).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }

    init() throws {
        // A missing program is a failure: a skip here would hide that the daemon is not tested.
        try #require(DaemonEndToEndTests.isBuilt, "swift build --product adaptable-transferd")
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("d-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Sessions read these when they are created; the suite is serialized.
        unsafe setenv(TransferPlaces.socketVariable, folder.path + "/run/s", 1)
        unsafe setenv(TransferPlaces.stateVariable, folder.path + "/state", 1)
        unsafe setenv(TransferPlaces.daemonVariable, DaemonEndToEndTests.daemon, 1)
    }

    /// The process that listens, as the kernel knows it.
    func daemonProcess() throws -> Int32 {
        try #require(try LocalSocket.connect(to: folder.path + "/run/s").peer?.process)
    }

    func end() {
        if let process = try? daemonProcess() { kill(process, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    func configuration(_ identifier: String) -> AdaptableSessionConfiguration {
        let configuration = AdaptableSessionConfiguration.background(withIdentifier: identifier)
        // This process must not be started a second time.
        configuration.sessionSendsLaunchEvents = false
        return configuration
    }

    /// Each byte differs from its neighbours in a way that a shifted or repeated part would show (BKGD-17, BKGD-18).
    @Test func `A download survives a killed daemon in the middle of its body`() async throws {
        defer { end() }
        let server = try PacedServer(body: body)
        PacedServer.thread { server.run() }
        defer { server.stop() }
        let events = Events()
        let session = AdaptableSession(configuration: configuration("kill"), delegate: events, delegateQueue: nil)
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/file"))
        session.downloadTask(with: url).resume()
        try #require(try await events.wait { $0.received > 1_000_000 })
        kill(try daemonProcess(), SIGKILL)
        #expect(try await events.wait { !$0.completions.isEmpty })
        #expect(events.now.completions == [0])
        #expect(events.now.files.count == 1)
        #expect(events.now.files.first == body)
        // The rest alone was requested.
        #expect(server.requests.count == 2)
        #expect(server.requests.last?.lowercased().contains("range: bytes=") == true)
        session.invalidateAndCancel()
        #expect(try await events.wait { $0.invalid == [0] })
    }

    @Test func `A second session with the same identifier becomes invalid`() async throws {
        defer { end() }
        let first = Events()
        let owner = AdaptableSession(configuration: configuration("twice"), delegate: first, delegateQueue: nil)
        _ = await owner.allTasks
        let second = Events()
        let other = AdaptableSession(configuration: configuration("twice"), delegate: second, delegateQueue: nil)
        // NSURLErrorBackgroundSessionInUseByAnotherProcess
        #expect(try await second.wait { $0.invalid == [-996] })
        #expect(first.now.invalid.isEmpty)
        owner.invalidateAndCancel()
        withExtendedLifetime(other) {}
    }

    /// Both connect at the same time; without an order among them, the second one is the owner in half of the rounds
    /// (BKGD-28).
    @Test func `The first of two sessions that are made at once keeps the identifier`() async throws {
        defer { end() }
        for round in 1...10 {
            let (first, second) = (Events(), Events())
            let owner = AdaptableSession(
                configuration: configuration("round \(round)"), delegate: first, delegateQueue: nil)
            let other = AdaptableSession(
                configuration: configuration("round \(round)"), delegate: second, delegateQueue: nil)
            #expect(try await second.wait { $0.invalid == [-996] })
            #expect(await owner.allTasks.isEmpty)
            #expect(first.now.invalid.isEmpty)
            owner.invalidateAndCancel()
            #expect(try await first.wait { $0.invalid == [0] })
            withExtendedLifetime(other) {}
        }
    }

    /// A program that continues the download when its task ends needs the data by then (DNLD-20).
    @Test func `The resume data of a cancelled download comes before its end`() async throws {
        defer { end() }
        let server = try PacedServer(body: body)
        PacedServer.thread { server.run() }
        defer { server.stop() }
        let events = Events()
        let session = AdaptableSession(configuration: configuration("part"), delegate: events, delegateQueue: nil)
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/file"))
        let task = session.downloadTask(with: url)
        task.resume()
        try #require(try await events.wait { $0.received > 1_000_000 })
        task.cancel { events.note($0 == nil ? "nothing" : "data") }
        #expect(try await events.wait { $0.order.count == 2 })
        #expect(events.now.order == ["data", "completion"])
        session.invalidateAndCancel()
    }

    /// BKGD-08, BKGD-09, BKGD-14
    @Test func `Tasks that the kind does not allow end when they are resumed or cancelled`() async throws {
        defer { end() }
        let events = Events()
        let session = AdaptableSession(configuration: configuration("rules"), delegate: events, delegateQueue: nil)
        let http = try #require(URL(string: "http://127.0.0.1:1/"))
        let file = session.dataTask(with: URL(fileURLWithPath: "/etc/hostname"))
        let upload = session.uploadTask(with: URLRequest(url: http), from: Data("body".utf8))
        _ = session.uploadTask(with: URLRequest(url: http), from: Data("body".utf8))
        // The list comes after the callbacks of the creation.
        #expect(await session.allTasks.count == 3)
        #expect(events.now.completions.isEmpty)
        file.resume()
        upload.cancel()
        #expect(try await events.wait { $0.completions.count == 2 })
        // unsupportedURL, resourceUnavailable
        #expect(events.now.completions == [-1002, -1008])
        let (data, _, error) = await withCheckedContinuation { continuation in
            session.dataTask(with: http) { continuation.resume(returning: ($0, $1, $2)) }.resume()
        }
        #expect(data == nil)
        #expect((error as? URLError)?.code == .resourceUnavailable)
        #expect(await session.allTasks.count == 1)
        session.invalidateAndCancel()
        // With the task that was never resumed.
        #expect(try await events.wait { $0.completions.count == 3 && $0.invalid == [0] })
    }
}
