import AdaptableSession
import Foundation
import FoundationNetworking
import GRDB
import Glibc
import Testing
import TransferProtocol

/// A connection that sends what no library sends.
final class RawClient {
    private let socket: LocalSocket
    private var lines = LineBuffer()
    private var waiting: [TransferMessage] = []
    private var last = 0

    init(_ path: String) throws { socket = try LocalSocket.connect(to: path) }

    func send(_ command: TransferCommand) {
        last += 1
        _ = socket.send(TransferWire.line(TransferCommandLine(number: last, command: command)))
    }

    /// Waits for a message; nil at the end of the connection.
    func next() -> TransferMessage? {
        while waiting.isEmpty {
            guard let bytes = socket.receive(), let complete = lines.append(bytes) else { return nil }
            waiting += complete.compactMap { TransferWire.message($0) }
        }
        return waiting.removeFirst()
    }

    func next<Value>(_ pick: (TransferMessage) -> Value?) -> Value? {
        while let message = next() { if let value = pick(message) { return value } }
        return nil
    }

    func sessions() -> [TransferListing]? {
        send(.list(version: TransferWire.version))
        return next { if case .listing(let sessions) = $0 { sessions } else { nil } }
    }
}

/// Programs, stores and daemons that are not as they should be.
extension DaemonEndToEndTests {
    private var socket: String { folder.path + "/run/s" }
    private var state: String { folder.path + "/state" }
    private var database: String { state + "/current/store.sqlite" }

    private func log() -> String { (try? String(contentsOfFile: state + "/log", encoding: .utf8)) ?? "" }

    private func eventually(_ condition: () -> Bool) async throws -> Bool {
        for _ in 0..<1_000 {
            if condition() { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    /// Starts the daemon as a person would, and returns once it listens.
    private func startDaemon(_ arguments: [String] = []) async throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: DaemonEndToEndTests.daemon)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        #expect(try await eventually { (try? LocalSocket.connect(to: socket)) != nil })
        return process
    }

    private func url(_ server: PacedServer) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(server.port)/a"))
    }

    /// Each thread takes a number, and the daemon takes a number below the last for a repeated command.
    @Test func `Tasks that many threads create at once are all stored`() async throws {
        defer { end() }
        let events = Events()
        let session = AdaptableSession(configuration: configuration("many"), delegate: events, delegateQueue: nil)
        let closed = try #require(URL(string: "http://127.0.0.1:1/"))
        DispatchQueue.concurrentPerform(iterations: 64) { _ in _ = session.downloadTask(with: closed) }
        let tasks = try #require(RawClient(socket).sessions()?.first?.tasks)
        #expect(tasks.map(\.number) == Array(1...64))
        session.invalidateAndCancel()
    }

    /// Each of these numbers overflowed, or made SQLite change to floating point.
    @Test func `Numbers that no library sends do not end the daemon`() async throws {
        defer { end() }
        let daemon = try await startDaemon()
        let client = try RawClient(socket)
        let settings = TransferSettings(
            identifier: "odd", requestTimeout: .infinity, resourceTimeout: .nan, launch: TransferLaunch(command: []))
        client.send(.hello(version: TransferWire.version, settings: settings, state: .background))
        #expect(client.next { if case .welcome = $0 { true } else { nil } } == true)
        let request = TransferRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
        for number in [Int.max, 0, -1, 1] {
            client.send(
                .create(
                    task: TransferTask(
                        session: "odd", number: number, kind: .download, request: request, created: Date())))
        }
        client.send(.acknowledge(event: .max))
        client.send(.acknowledge(event: .min))
        client.send(.cancel(task: 1, keepsPart: false))
        // The last of seven replies, by which all were handled.
        var failures: [Bool] = []
        while failures.count < 7,
            let failed = client.next({ message -> Bool? in
                if case .reply(_, let failure, _) = message { failure != nil } else { nil }
            })
        { failures.append(failed) }
        #expect(failures == [true, true, true, false, false, false, false])
        // The end of the cancelled task was not acknowledged by the numbers before.
        let event = client.next { if case .event(let event) = $0 { event } else { nil } }
        #expect(event?.number == Int64(1))
        #expect(try RawClient(socket).sessions()?.first?.tasks.map(\.number) == [1])
        #expect(daemon.isRunning)
    }

    /// The client repeats a command whose reply was lost.
    @Test func `A repeated decision does not end the download that it made`() async throws {
        defer { end() }
        _ = try await startDaemon()
        let server = try PacedServer(body: [1, 2, 3])
        PacedServer.thread { server.run() }
        defer { server.stop() }
        let client = try RawClient(socket)
        client.send(
            .hello(
                version: TransferWire.version, settings: TransferSettings(identifier: "becomes"), state: .foreground))
        let task = TransferTask(
            session: "becomes", number: 1, kind: .data, request: TransferRequest(url: try url(server)),
            created: Date())
        client.send(.create(task: task))
        client.send(.resume(task: 1))
        func isResponse(_ message: TransferMessage) -> Bool? {
            if case .event(let event) = message, case .response = event.content { true } else { nil }
        }
        try #require(client.next(isResponse) == true)
        for _ in 0..<2 { client.send(.decideResponse(task: 1, disposition: .becomeDownload(number: 2))) }
        var hasFile = false
        let failure = client.next { message -> TransferFailure?? in
            guard case .event(let event) = message else { return nil }
            #expect(event.task == 2)
            if case .finishedFile = event.content { hasFile = true }
            if case .completed(let failure, _) = event.content { return .some(failure) }
            return nil
        }
        #expect(failure == .some(nil) && hasFile)
    }

    /// BKGD-29. Each connection counts as a program. The refusal must be sent before the connection is released.
    @Test func `A second program with the same identifier is refused with the reason every time`() async throws {
        defer { end() }
        let daemon = try await startDaemon()
        func hello(_ client: RawClient, _ version: Int = TransferWire.version) -> TransferMessage? {
            client.send(
                .hello(version: version, settings: TransferSettings(identifier: "owned"), state: .foreground))
            return client.next { $0 }
        }
        let owner = try RawClient(socket)
        guard case .welcome? = hello(owner) else { return #expect(Bool(false), "the first program is not welcome") }
        var refused = 0
        for _ in 0..<100 {
            if case .refused(.identifierInUse, _)? = hello(try RawClient(socket)) { refused += 1 }
            if case .refused(.otherVersion, _)? = hello(try RawClient(socket), 99) { refused += 1 }
        }
        #expect(refused == 200)
        #expect(log().contains("version 99"))
        #expect(daemon.isRunning)
        withExtendedLifetime(owner) {}
    }

    @Test func `A program without a launch command is named in the log`() async throws {
        defer { end() }
        let daemon = try await startDaemon()
        for (identifier, command) in [("silent", []), ("gone", [folder.path + "/gone"])] {
            let client = try RawClient(socket)
            let settings = TransferSettings(identifier: identifier, launch: TransferLaunch(command: command))
            client.send(.hello(version: TransferWire.version, settings: settings, state: .foreground))
            #expect(client.next { if case .welcome = $0 { true } else { nil } } == true)
        }
        #expect(try await eventually { log().contains("session silent: cannot be launched") })
        #expect(try await eventually { log().contains("/gone is not a program") })
        #expect(daemon.isRunning)
    }

    @Test func `The session reports why the daemon cannot start`() async throws {
        defer { end() }
        // A file in the place of the folder.
        try Data().write(to: URL(fileURLWithPath: state))
        let events = Events()
        let session = AdaptableSession(configuration: configuration("nowhere"), delegate: events, delegateQueue: nil)
        #expect(try await events.wait { $0.invalid == [-997] })
        #expect(events.now.reason.contains("cannot start the transfer daemon"))
        withExtendedLifetime(session) {}
    }

    @Test func `A store of a newer version is refused with the reason`() async throws {
        defer { end() }
        let first = try await startDaemon()
        // It listens before it has opened the store.
        _ = try RawClient(socket).sessions()
        kill(first.processIdentifier, SIGKILL)
        first.waitUntilExit()
        do {
            let queue = try DatabaseQueue(path: database)
            try await queue.write { db in try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('2')") }
            try queue.close()
        }
        let events = Events()
        let session = AdaptableSession(configuration: configuration("newer"), delegate: events, delegateQueue: nil)
        // NSURLErrorBackgroundSessionWasDisconnected
        #expect(try await events.wait { $0.invalid == [-997] })
        #expect(events.now.reason.contains("version 2"))
        #expect(log().contains("version 2"))
        withExtendedLifetime(session) {}
    }

    /// The reason may be gone by then, for example when a disk was full.
    @Test func `A daemon that cannot use its store ends, and the next one serves`() async throws {
        defer { end() }
        // A folder in the place of the database cannot be opened, and is not a damaged store.
        try FileManager.default.createDirectory(atPath: database, withIntermediateDirectories: true)
        let daemon = try await startDaemon()
        let refused = try RawClient(socket)
        refused.send(.list(version: TransferWire.version))
        #expect(refused.next { if case .refused(.storeUnusable, _) = $0 { true } else { nil } } == true)
        #expect(try await eventually { !daemon.isRunning })
        try FileManager.default.removeItem(atPath: database)
        let events = Events()
        let session = AdaptableSession(configuration: configuration("next"), delegate: events, delegateQueue: nil)
        #expect(await session.allTasks.isEmpty)
        #expect(events.now.invalid.isEmpty)
        session.invalidateAndCancel()
    }

    @Test func `A program that runs while its store is damaged learns of its lost tasks and continues`() async throws {
        defer { end() }
        let server = try PacedServer(body: [1, 2, 3])
        PacedServer.thread { server.run() }
        defer { server.stop() }
        let events = Events()
        let session = AdaptableSession(configuration: configuration("damaged"), delegate: events, delegateQueue: nil)
        // Three events, so that the numbers of the new store begin below the last one.
        session.downloadTask(with: try url(server)).resume()
        try #require(try await events.wait { $0.completions == [0] })
        _ = session.downloadTask(with: try url(server))
        kill(try daemonProcess(), SIGKILL)
        // The log may hold every page of the database.
        for path in [database, database + "-wal"] {
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.write(contentsOf: Data(repeating: 0x55, count: 4096))
            try file.close()
        }
        #expect(try await events.wait { $0.completions == [0, -997] })
        session.downloadTask(with: try url(server)).resume()
        #expect(try await events.wait { $0.completions == [0, -997, 0] })
        #expect(events.now.files == [[1, 2, 3], [1, 2, 3]])
        let names = try FileManager.default.contentsOfDirectory(atPath: state)
        #expect(names.contains { $0.hasPrefix("damaged-") })
        #expect(log().contains("is kept at"))
        session.invalidateAndCancel()
    }

    @Test func `A program that is missing is launched once it is there`() async throws {
        defer { end() }
        unsafe setenv("ADAPTABLE_TRANSFER_CLOCK", "scale=20 origin=1700000000", 1)
        defer { unsafe unsetenv("ADAPTABLE_TRANSFER_CLOCK") }
        let server = try PacedServer(body: [1, 2, 3])
        PacedServer.thread { server.run() }
        defer { server.stop() }
        let daemon = try await startDaemon()
        let program = folder.path + "/app"
        do {
            let client = try RawClient(socket)
            let settings = TransferSettings(identifier: "missing", launch: TransferLaunch(command: [program]))
            client.send(.hello(version: TransferWire.version, settings: settings, state: .background))
            let request = TransferRequest(url: try url(server))
            client.send(
                .create(
                    task: TransferTask(
                        session: "missing", number: 1, kind: .download, request: request, created: Date())))
            client.send(.resume(task: 1))
            #expect(client.next { if case .reply(3, nil, _) = $0 { true } else { nil } } == true)
        }
        #expect(try await eventually { log().contains("cannot launch \(program)") })
        try Data("#!/bin/sh\necho \"$1\" >\(folder.path)/launched\n".utf8).write(to: URL(fileURLWithPath: program))
        #expect(unsafe chmod(program, 0o700) == 0)
        // The next try comes after 10 s of the clock, half a second.
        #expect(
            try await eventually {
                (try? String(contentsOfFile: folder.path + "/launched", encoding: .utf8)) == "missing\n"
            })
        #expect(daemon.isRunning)
    }

    /// BKGD-24. A program makes its sessions one after the other, and the time of a launch may end in between.
    @Test func `A program that has just connected is not launched again for its next session`() async throws {
        defer { end() }
        let daemon = try await startDaemon()
        let launches = folder.path + "/launches"
        let command = ["/bin/sh", "-c", "date +%s.%N >>\(launches)"]
        func connect(_ identifier: String) throws -> RawClient {
            let client = try RawClient(socket)
            let settings = TransferSettings(identifier: identifier, launch: TransferLaunch(command: command))
            client.send(.hello(version: TransferWire.version, settings: settings, state: .foreground))
            #expect(client.next { if case .welcome = $0 { true } else { nil } } == true)
            return client
        }
        func times() -> [Double] {
            let text = (try? String(contentsOfFile: launches, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").compactMap { Double($0) }
        }
        do {
            let second = try connect("second")
            let request = TransferRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
            second.send(
                .create(
                    task: TransferTask(
                        session: "second", number: 1, kind: .download, request: request, created: Date())))
            second.send(.cancel(task: 1, keepsPart: false))
            // Not acknowledged, so that the session has an event for which the program is launched.
            #expect(second.next { if case .event = $0 { true } else { nil } } == true)
        }
        #expect(try await eventually { times().count == 1 })
        // In the middle of the 10 s in which the launched program can connect.
        try await Task.sleep(for: .seconds(4))
        let connected = Date().timeIntervalSince1970
        let first = try connect("first")
        // It does not make the second session.
        #expect(try await eventually { times().count == 2 })
        #expect(try #require(times().last) >= connected + 10)
        #expect(daemon.isRunning)
        withExtendedLifetime(first) {}
    }

    @Test func `A daemon of another version is named as the reason`() async throws {
        defer { end() }
        try FileManager.default.createDirectory(atPath: folder.path + "/run", withIntermediateDirectories: true)
        let listener = try LocalSocket.listen(at: socket)
        PacedServer.thread {
            while let connection = listener.accept() {
                _ = connection.receive()
                _ = connection.send(
                    TransferWire.line(.refused(reason: .otherVersion, message: "The transfer daemon speaks version 2."))
                )
                connection.shutDown()
            }
        }
        defer { listener.shutDown() }
        let events = Events()
        let session = AdaptableSession(configuration: configuration("other"), delegate: events, delegateQueue: nil)
        #expect(try await events.wait { $0.invalid == [-997] })
        #expect(events.now.reason.contains("version 2"))
        // This process listens itself, so `end` must not kill the peer.
        try FileManager.default.removeItem(atPath: socket)
        withExtendedLifetime(session) {}
    }

    @Test func `Two programs with different identifiers do not see each other's tasks`() async throws {
        defer { end() }
        let server = try PacedServer(body: [1, 2, 3])
        PacedServer.thread { server.run() }
        defer { server.stop() }
        let (left, right) = (Events(), Events())
        let one = AdaptableSession(configuration: configuration("one"), delegate: left, delegateQueue: nil)
        let two = AdaptableSession(configuration: configuration("two"), delegate: right, delegateQueue: nil)
        for _ in 0..<3 { one.downloadTask(with: try url(server)).resume() }
        two.downloadTask(with: try url(server)).resume()
        #expect(try await left.wait { $0.completions == [0, 0, 0] })
        #expect(try await right.wait { $0.completions == [0] })
        one.invalidateAndCancel()
        #expect(try await left.wait { $0.invalid == [0] })
        two.downloadTask(with: try url(server)).resume()
        #expect(try await right.wait { $0.completions == [0, 0] })
        #expect(left.now.files.count == 3)
        two.invalidateAndCancel()
    }

    /// DISC-08. The kernel accepts the connection, and nothing answers: 0 bytes in 10 s are less than 4 KiB/s.
    @Test func `A discretionary transfer with poor throughput is stopped and kept for later`() async throws {
        defer { end() }
        let silent = try PacedServer(body: [])
        let events = Events()
        let poor = configuration("poor")
        poor.isDiscretionary = true
        let session = AdaptableSession(configuration: poor, delegate: events, delegateQueue: nil)
        session.downloadTask(with: try url(silent)).resume()
        #expect(try await eventually { log().contains("task 1 of session poor: stops: poor throughput") })
        let tasks = try RawClient(socket).sessions()?.first?.tasks
        #expect(tasks?.map(\.state) == [.running])
        #expect(events.now.completions.isEmpty)
        session.invalidateAndCancel()
        #expect(try await events.wait { $0.completions == [-999] })
    }

    /// The connection counts as work, and so does a task with a begin date.
    @Test func `A daemon without work ends, and one with work stays`() async throws {
        defer { end() }
        let idle = try await startDaemon(["--idle-exit", "0.5"])
        #expect(try await eventually { !idle.isRunning })
        #expect(log().contains("nothing is to do"))
        let busy = try await startDaemon(["--idle-exit", "0.5"])
        do {
            let client = try RawClient(socket)
            client.send(
                .hello(
                    version: TransferWire.version, settings: TransferSettings(identifier: "later"), state: .background))
            var task = TransferTask(
                session: "later", number: 1, kind: .download,
                request: TransferRequest(url: try #require(URL(string: "http://127.0.0.1:1/"))), created: Date())
            task.earliestBeginDate = Date(timeIntervalSinceNow: 3_600)
            client.send(.create(task: task))
            client.send(.resume(task: 1))
            #expect(client.next { if case .reply(3, nil, _) = $0 { true } else { nil } } == true)
        }
        // Four times the limit.
        try await Task.sleep(for: .seconds(2))
        #expect(busy.isRunning)
    }
}
