import NetworkMonitor
import Foundation
import FoundationNetworking
import Synchronization
import Testing

@testable import AdaptableSession

/// The callbacks of a task that a protocol class loads: the class controls every step, so nothing depends on time
/// unless stated.
@Suite struct AdaptableURLProtocolTests {
    private struct Trouble: Error, Equatable { var word: String }

    private func run(_ stage: Stage, _ log: EventLog, _ change: (AdaptableSessionConfiguration) -> Void = { _ in })
        async -> (any Error)?
    {
        let task = stage.session(log, change).dataTask(with: stage.request)
        task.resume()
        return await log.completion(of: task)
    }

    @Test(.timeLimit(.minutes(1))) func `the delegate receives the class's events in order`() async throws {
        let stage = Stage { object in
            object.respond(203, ["X-From": "class", "Content-Length": "6"])
            object.load("moo")
            object.load("f!!")
            object.finish()
        }
        let log = EventLog()
        let task = stage.session(log).dataTask(with: stage.request)
        task.resume()
        #expect(await log.completion(of: task) == nil)
        #expect(log.events == ["response 203", "data", "complete"])
        #expect(log.data(of: task) == Data("moof!!".utf8))
        #expect((task.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-From") == "class")
        #expect(task.countOfBytesReceived == 6 && task.countOfBytesExpectedToReceive == 6)
        #expect(task.progress.fractionCompleted == 1)
        #expect(stage.seen.tasks == [task.taskIdentifier])
        await stage.stops()
        #expect(stage.seen.stops == 1)
    }

    /// The order is that of the calls, which a lock around each call determines; a thousand calls make an inversion
    /// almost certain if events could overtake each other.
    @Test(.timeLimit(.minutes(1))) func `events from several threads are delivered in the order of their calls`()
        async throws
    {
        let spoken = Mutex("")
        let stage = Stage { object in
            object.respond()
            var reporters: [DedicatedThread?] = []
            for letter in ["a", "b", "c", "d"] {
                reporters.append(
                    try? DedicatedThread(name: "teller \(letter)") {
                        for _ in 0..<250 {
                            spoken.withLock { spoken in
                                spoken += letter
                                object.load(letter)
                            }
                        }
                    })
            }
            // Consumed while the calls are being made.
            reporters = []
            object.finish()
        }
        let log = EventLog()
        let task = stage.session(log).dataTask(with: stage.request)
        task.resume()
        #expect(await log.completion(of: task) == nil)
        #expect(log.data(of: task) == Data(spoken.withLock { $0 }.utf8))
        #expect(log.data(of: task).count == 1000)
    }

    @Test(.timeLimit(.minutes(1))) func `events after the end are ignored`() async throws {
        let stage = Stage { object in
            object.give("once")
            object.finish()
            object.load("more")
            object.fail(Trouble(word: "late"))
            object.respond(500)
        }
        let log = EventLog()
        let session = stage.session(log)
        let task = session.dataTask(with: stage.request)
        task.resume()
        session.finishTasksAndInvalidate()
        await log.invalidation()
        #expect(log.events == ["response 200", "data", "complete", "invalid"])
        #expect(log.data(of: task) == Data("once".utf8))
        await stage.stops()
        #expect(stage.seen.stops == 1)
    }

    @Test(.timeLimit(.minutes(1))) func `a second response is ignored, and body bytes before a response are an error`()
        async throws
    {
        let twice = Stage { object in
            object.respond(200)
            object.respond(500)
            object.give("x")
        }
        let log = EventLog()
        #expect(await run(twice, log) == nil)
        #expect(log.events == ["response 200", "data", "complete"])
        let hasty = Stage { $0.load("x") }
        #expect((await run(hasty, EventLog()) as? URLError)?.code == .badServerResponse)
        await hasty.stops()
    }

    @Test(.timeLimit(.minutes(1))) func `an error of the class reaches the delegate and the handler unchanged`()
        async throws
    {
        let stage = Stage { object in
            object.respond()
            object.fail(Trouble(word: "mine"))
        }
        let log = EventLog()
        #expect(await run(stage, log) as? Trouble == Trouble(word: "mine"))
        await #expect(throws: Trouble(word: "mine")) { try await stage.session(nil).data(for: stage.request) }
        await #expect(throws: Trouble(word: "mine")) { try await stage.session(nil).download(for: stage.request) }
        let broken = Stage { $0.fail(URLError(.cannotConnectToHost)) }
        #expect((await run(broken, EventLog()) as? URLError)?.code == .cannotConnectToHost)
    }

    // MARK: Stopping

    @Test(.timeLimit(.minutes(1))) func `a cancelled load is stopped once, and its later events are ignored`()
        async throws
    {
        let objects = Mutex<[StagedProtocol]>([])
        let (begun, hasBegun) = AsyncStream<Void>.makeStream()
        let stage = Stage { object in
            object.respond()
            objects.withLock { $0.append(object) }
            hasBegun.yield()
        }
        let log = EventLog()
        let task = stage.session(log).dataTask(with: stage.request)
        task.resume()
        for await _ in begun { break }
        task.cancel()
        #expect((await log.completion(of: task) as? URLError)?.code == .cancelled)
        await stage.stops()
        objects.withLock { $0.first?.give("late") }
        // After everything that the event loop still has of it.
        _ = await task.session.allTasks
        #expect(stage.seen.stops == 1)
        #expect(log.data(of: task).isEmpty && log.events.filter { $0 == "complete" }.count == 1)
    }

    /// Before an object is created, while it starts, between its events and after the last one.
    @Test(.timeLimit(.minutes(1)))
    func `loads cancelled at any moment are stopped as often as they were started, and end once`() async throws {
        let stage = Stage { object in
            object.respond()
            DispatchQueue.global().async { object.give("x") }
        }
        let log = EventLog()
        let session = stage.session(log)
        var generator = SeededGenerator(state: 7)
        let total = 400
        var whole = 0
        for _ in 0..<total {
            let task = session.dataTask(with: stage.request)
            task.resume()
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: task.cancel()
            case 1: DispatchQueue.global().async { task.cancel() }
            case 2:
                let wait = Int.random(in: 0..<3000, using: &generator)
                DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(wait)) { task.cancel() }
            default: whole += 1
            }
        }
        session.finishTasksAndInvalidate()
        await log.invalidation()
        // A load's stop precedes its last callback in the queue, so nothing of it remains after this point.
        await withCheckedContinuation { done in ProtocolRun.threads.addBarrierBlock { done.resume() } }
        let seen = stage.seen
        #expect(seen.stops == seen.requests.count && seen.requests.count >= whole)
        #expect(log.events.filter { $0 == "complete" }.count == total)
    }

    @Test(.timeLimit(.minutes(1))) func `an invalidated session stops the loads of its classes`() async throws {
        let (begun, hasBegun) = AsyncStream<Void>.makeStream()
        let stage = Stage { _ in hasBegun.yield() }
        let log = EventLog()
        let session = stage.session(log)
        session.dataTask(with: stage.request).resume()
        for await _ in begun { break }
        session.invalidateAndCancel()
        await log.invalidation()
        await stage.stops()
        #expect(log.events == ["complete", "invalid"])
    }

    @Test(.timeLimit(.minutes(1))) func `both timeouts end a class that sends nothing or never ends`() async throws {
        let silent = Stage { _ in }
        let error = await run(silent, EventLog()) { $0.timeoutIntervalForRequest = 0.5 }
        #expect((error as? URLError)?.code == .timedOut)
        let endless = Stage { $0.respond() }
        let log = EventLog()
        #expect((await run(endless, log) { $0.timeoutIntervalForResource = 0.5 } as? URLError)?.code == .timedOut)
        #expect(log.events.last == "complete")
        // On a very busy machine the object may not have been created in time, and then it is not stopped.
        for stage in [silent, endless] where !stage.seen.requests.isEmpty { await stage.stops() }
    }

    @Test(.timeLimit(.minutes(1))) func `a suspended task gets no callbacks until it is resumed`() async throws {
        let (notified, hasReported) = AsyncStream<Void>.makeStream()
        let stage = Stage { object in
            object.task?.suspend()
            object.give("later")
            hasReported.yield()
        }
        let log = EventLog()
        let task = stage.session(log).dataTask(with: stage.request)
        task.resume()
        for await _ in notified { break }
        _ = await task.session.allTasks
        #expect(log.events.isEmpty)
        task.resume()
        #expect(await log.completion(of: task) == nil)
        #expect(log.data(of: task) == Data("later".utf8))
    }

    // MARK: The kinds of tasks

    @Test(.timeLimit(.minutes(1))) func `a delegate may refuse the body or turn it into a download`() async throws {
        let stage = Stage { $0.give("body") }
        let refusing = EventLog(disposition: .cancel)
        #expect((await run(stage, refusing) as? URLError)?.code == .cancelled)
        #expect(refusing.events == ["response 200", "complete"])
        await stage.stops()
        let becoming = EventLog(disposition: .becomeDownload)
        let session = stage.session(becoming)
        session.dataTask(with: stage.request).resume()
        session.finishTasksAndInvalidate()
        await becoming.invalidation()
        #expect(becoming.events == ["response 200", "became", "wrote", "file", "complete", "invalid"])
    }

    @Test(.timeLimit(.minutes(1))) func `a download, a handler and the async methods return the whole body`()
        async throws
    {
        let stage = Stage { $0.give("whole", 201) }
        let log = EventLog()
        let download = stage.session(log).downloadTask(with: stage.request)
        download.resume()
        #expect(await log.completion(of: download) == nil)
        #expect(log.file(of: download) == Data("whole".utf8))
        #expect(log.events == ["wrote", "file", "complete"])
        let (data, response) = try await stage.session(nil).data(for: stage.request)
        #expect(data == Data("whole".utf8) && (response as? HTTPURLResponse)?.statusCode == 201)
        let (bytes, _) = try await stage.session(nil).bytes(for: stage.request)
        var read = Data()
        for try await byte in bytes { read.append(byte) }
        #expect(read == Data("whole".utf8))
    }

    /// A custom scheme need not be HTTP.
    @Test(.timeLimit(.minutes(1))) func `a response need not be an HTTP response`() async throws {
        let stage = Stage { object in
            guard let url = object.request.url else { return }
            let response = URLResponse(
                url: url, mimeType: "text/x-moof", expectedContentLength: 4, textEncodingName: nil)
            object.client?.urlProtocol(object, didReceive: response, cacheStoragePolicy: .allowed)
            object.load("moof")
            object.finish()
        }
        let (data, response) = try await stage.session(nil).data(for: stage.request)
        #expect(data == Data("moof".utf8) && response.mimeType == "text/x-moof" && !(response is HTTPURLResponse))
        let (file, _) = try await stage.session(nil).download(for: stage.request)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Data(contentsOf: file) == Data("moof".utf8))
    }

    @Test(.timeLimit(.minutes(1))) func `the class receives the body of an upload and the session's header fields`()
        async throws
    {
        let stage = Stage { $0.give("got") }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID().uuidString)")
        try Data("from a file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var request = stage.request
        request.httpMethod = "POST"
        request.setValue("own", forHTTPHeaderField: "X-B")
        let session = stage.session(nil) { $0.httpAdditionalHeaders = ["X-A": "session", "X-B": "session"] }
        _ = try await session.upload(for: request, from: Data("from memory".utf8))
        _ = try await session.upload(for: request, fromFile: file)
        request.httpBody = Data("of the request".utf8)
        _ = try await session.data(for: request)
        #expect(stage.seen.bodies == ["from memory", "from a file", "of the request"].map { Data($0.utf8) })
        #expect(stage.seen.requests.map { $0.value(forHTTPHeaderField: "X-A") } == ["session", "session", "session"])
        #expect(stage.seen.requests.map { $0.value(forHTTPHeaderField: "X-B") } == ["own", "own", "own"])
    }

    private final class Streaming: AdaptableSessionTaskDelegate {
        let body: Data?
        init(_ body: Data?) { self.body = body }

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) { if let body { completionHandler(InputStream(data: body)) } else { completionHandler(nil) } }
    }

    @Test(.timeLimit(.minutes(1))) func `the class receives the body stream of the delegate`() async throws {
        let stage = Stage { $0.give("got") }
        let log = EventLog()
        let session = stage.session(log)
        for (body, code) in [(Data("streamed".utf8) as Data?, nil), (nil, URLError.Code.requestBodyStreamExhausted)] {
            let task = session.uploadTask(withStreamedRequest: stage.request)
            task.delegate = Streaming(body)
            task.resume()
            #expect((await log.completion(of: task) as? URLError)?.code == code)
        }
        #expect(stage.seen.bodies == [Data("streamed".utf8)])
    }

    @Test(.timeLimit(.minutes(1))) func `an object is released when its load is over`() async throws {
        final class Held: Sendable {
            private struct Weak { weak var object: StagedProtocol? }
            private let held = Mutex(Weak())
            var object: StagedProtocol? {
                get { held.withLock { $0.object } }
                set { held.withLock { $0.object = newValue } }
            }
        }
        let held = Held()
        let stage = Stage { object in
            held.object = object
            object.give("x")
        }
        _ = try await stage.session(nil).data(for: stage.request)
        await stage.stops()
        // The thread that stopped it has released it too.
        await withCheckedContinuation { done in ProtocolRun.threads.addBarrierBlock { done.resume() } }
        #expect(held.object == nil)
    }
}
