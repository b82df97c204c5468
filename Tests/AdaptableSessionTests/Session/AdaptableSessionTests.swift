import Foundation
import FoundationNetworking
import Synchronization
import Testing

@testable import AdaptableSession

/// Over real sockets of the loopback. Each server is scripted, so that the results do not depend on time.
@Suite struct AdaptableSessionTests {
    private func session(_ log: EventLog?, _ change: (AdaptableSessionConfiguration) -> Void = { _ in })
        -> AdaptableSession
    {
        let configuration = AdaptableSessionConfiguration.ephemeral
        change(configuration)
        return AdaptableSession(configuration: configuration, delegate: log, delegateQueue: nil)
    }

    @Test(.timeLimit(.minutes(1))) func `a data task reports response, data and completion in this order`() async throws
    {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("hello") }
        let log = EventLog()
        let task = session(log).dataTask(with: server.url("/a"))
        #expect(task.state == .suspended)
        task.resume()
        #expect(task.state == .running)
        #expect(await log.completion(of: task) == nil)
        #expect(log.events == ["response 200", "data", "complete"])
        #expect(log.data(of: task) == Data("hello".utf8))
        #expect(task.state == .completed)
        #expect(task.countOfBytesReceived == 5)
        #expect(task.progress.fractionCompleted == 1)
        #expect(server.requests.map(\.line) == ["GET /a HTTP/1.1"])
    }

    @Test(.timeLimit(.minutes(1))) func `a task that is not resumed does nothing`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("") }
        let session = session(nil)
        let idle = session.dataTask(with: server.url("/idle"))
        _ = try await session.data(from: server.url("/other"))
        #expect(server.requests.map(\.line) == ["GET /other HTTP/1.1"])
        #expect(idle.state == .suspended)
        idle.cancel()
    }

    @Test(.timeLimit(.minutes(1))) func `the session keeps a copy of its configuration`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("") }
        let configuration = AdaptableSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-A": "1"]
        let session = AdaptableSession(configuration: configuration)
        configuration.httpAdditionalHeaders = ["X-A": "2"]
        session.configuration.httpAdditionalHeaders = ["X-A": "3"]
        _ = try await session.data(from: server.url("/"))
        #expect(server.requests.first?.fields["x-a"] == "1")
        #expect(session.configuration.httpAdditionalHeaders?["X-A"] as? String == "1")
    }

    @Test(.timeLimit(.minutes(1))) func `requests of one session share a connection`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("x") }
        let session = session(nil)
        for _ in 0..<5 { _ = try await session.data(from: server.url("/")) }
        #expect(server.connections == 1)
        #expect(server.requests.count == 5)
    }

    @Test(.timeLimit(.minutes(1))) func `without a decision about the response no data is delivered`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("hello") }
        let log = EventLog(disposition: .cancel)
        let task = session(log).dataTask(with: server.url("/"))
        task.resume()
        #expect((await log.completion(of: task) as? URLError)?.code == .cancelled)
        #expect(log.events == ["response 200", "complete"])
    }

    @Test(.timeLimit(.minutes(1))) func `a data task that becomes a download continues as one`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("hello") }
        let log = EventLog(disposition: .becomeDownload)
        let session = session(log)
        let task = session.dataTask(with: server.url("/"))
        task.resume()
        session.finishTasksAndInvalidate()
        await log.invalidation()
        #expect(log.events == ["response 200", "became", "wrote", "file", "complete", "invalid"])
        #expect(log.data(of: task).isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func `a refused redirect is the result, with its body`() async throws {
        let server = try await ScriptedServer { _ in
            [.send("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 4\r\n\r\nmove")]
        }
        let log = EventLog(redirect: { _ in nil })
        let task = session(log).dataTask(with: server.url("/a"))
        task.resume()
        #expect(await log.completion(of: task) == nil)
        #expect(log.events == ["redirect 302", "response 302", "data", "complete"])
        #expect(log.data(of: task) == Data("move".utf8))
        #expect(server.requests.count == 1)
    }

    @Test(.timeLimit(.minutes(1))) func `a redirect is followed on the same connection`() async throws {
        let server = try await ScriptedServer { request in
            request.line.hasPrefix("GET /a ")
                ? [.send("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 4\r\n\r\nmove")]
                : ScriptedServer.ok("there")
        }
        let (data, response) = try await session(nil).data(from: server.url("/a"))
        #expect(data == Data("there".utf8))
        #expect(response.url == server.url("/b"))
        #expect(server.connections == 1)
    }

    @Test(.timeLimit(.minutes(1))) func `an upload sends its bytes and counts them`() async throws {
        let server = try await ScriptedServer { request in ScriptedServer.ok("\(request.body.count)") }
        let log = EventLog()
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "POST"
        let task = session(log).uploadTask(with: request, from: Data(repeating: 7, count: 200_000))
        task.resume()
        #expect(await log.completion(of: task) == nil)
        #expect(log.data(of: task) == Data("200000".utf8))
        #expect(task.countOfBytesSent == 200_000)
        #expect(log.events.contains("sent 200000/200000"))
        #expect(server.requests.first?.body == [UInt8](repeating: 7, count: 200_000))
    }

    @Test(.timeLimit(.minutes(1))) func `a blocking callback stops only its own task on a concurrent queue`()
        async throws
    {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("hello") }
        let stall = BlockedCall()
        let log = EventLog(onData: { _ in stall.call() })
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 4
        let session = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: queue)
        let stalled = session.dataTask(with: server.url("/stalled"))
        stalled.resume()
        try await stall.reached()
        let other = session.dataTask(with: server.url("/other"))
        other.resume()
        #expect(await log.completion(of: other) == nil)
        #expect(stalled.state != .completed)
        stall.close()
        #expect(await log.completion(of: stalled) == nil)
    }

    @Test(.timeLimit(.minutes(1))) func `reading stops while a callback does not return`() async throws {
        let body = String(repeating: "x", count: 8 << 20)
        let server = try await ScriptedServer { _ in ScriptedServer.ok(body) }
        let stall = BlockedCall()
        let log = EventLog(onData: { _ in stall.call() })
        let task = session(log).dataTask(with: server.url("/"))
        task.resume()
        try await stall.reached()
        // The count stops once the backlog is full, far from the end. Nothing reports that the load stopped, so the test
        // waits until the count stays the same; a pause that is too short only makes the bound easier to meet.
        var last: Int64 = -1
        while task.countOfBytesReceived != last {
            last = task.countOfBytesReceived
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(last < 2 << 20)
        stall.close()
        #expect(await log.completion(of: task) == nil)
        #expect(log.data(of: task).count == 8 << 20)
    }

    @Test(.timeLimit(.minutes(1))) func `a cancelled download leaves resume data that completes it to the last byte`()
        async throws
    {
        let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let gate = ScriptedServer.Gate()
        let server = try await ScriptedServer { request in
            if let range = request.fields["range"], request.fields["if-range"] == "\"v1\"",
                let start = Int(range.dropFirst("bytes=".count).dropLast())
            {
                return [
                    .send(
                        "HTTP/1.1 206 Partial Content\r\nContent-Length: \(body.count - start)\r\n"
                            + "Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)\r\nETag: \"v1\"\r\n\r\n"),
                    .sendBytes(Array(body[start...])),
                ]
            }
            return [
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nETag: \"v1\"\r\n\r\n"),
                .sendBytes(Array(body[..<50_000])),
                .wait(gate),
            ]
        }
        let log = EventLog()
        let session = session(log)
        let first = session.downloadTask(with: server.url("/big"))
        first.resume()
        while first.countOfBytesReceived < 50_000 {
            try Task.checkCancellation()
            await Task.yield()
        }
        let data = try #require(await first.cancelByProducingResumeData())
        let error = try #require(await log.completion(of: first) as? URLError)
        #expect(error.code == .cancelled)
        #expect(error.userInfo[AdaptableSession.downloadTaskResumeData] as? Data == data)
        let second = session.downloadTask(withResumeData: data)
        second.resume()
        #expect(await log.completion(of: second) == nil)
        #expect(log.file(of: second) == Data(body))
        #expect(log.events.contains("resumed at 50000 of 200000"))
        #expect(server.requests.last?.fields["range"] == "bytes=50000-")
        gate.open()
        // The file name is changed, and the HMAC is not.
        let asked = server.requests.count
        let text = String(decoding: data, as: UTF8.self).replacingOccurrences(of: "\nfile /", with: "\nfile //")
        let forged = session.downloadTask(withResumeData: Data(text.utf8))
        #expect(forged.originalRequest?.url?.host == nil)
        forged.resume()
        #expect((await log.completion(of: forged) as? URLError)?.code == .resourceUnavailable)
        #expect(server.requests.count == asked)
    }

    @Test(.timeLimit(.minutes(1))) func `invalid resume data ends the task with an error and no other callback`()
        async throws
    {
        let log = EventLog()
        let task = session(log).downloadTask(withResumeData: Data("nothing of the kind".utf8))
        task.resume()
        #expect(await log.completion(of: task) is URLError)
        #expect(log.events == ["complete"])
    }

    @Test(.timeLimit(.minutes(1))) func `a task with a handler calls only its handler, on the delegate queue`()
        async throws
    {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("hello") }
        let log = EventLog()
        let queue = OperationQueue()
        let session = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: queue)
        let isOnQueue = await withCheckedContinuation { continuation in
            session.dataTask(with: server.url("/")) { data, _, error in
                continuation.resume(
                    returning: OperationQueue.current === queue && data == Data("hello".utf8) && error == nil)
            }.resume()
        }
        #expect(isOnQueue)
        #expect(log.events.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func `methods that a task's own delegate does not implement go to the session's delegate`()
        async throws
    {
        final class Own: AdaptableSessionTaskDelegate {
            let ended = Mutex(0)
            func urlSession(
                _ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?
            ) {
                ended.withLock { $0 += 1 }
            }
        }
        let server = try await ScriptedServer { _ in ScriptedServer.ok("hello") }
        let log = EventLog()
        let own = Own()
        let session = session(log)
        let task = session.dataTask(with: server.url("/"))
        task.delegate = own
        task.resume()
        session.finishTasksAndInvalidate()
        await log.invalidation()
        #expect(own.ended.withLock { $0 } == 1)
        #expect(log.events == ["response 200", "data", "invalid"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `the invalidation is reported once, after all other callbacks, and releases the delegate`()
        async throws
    {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("hello") }
        weak var released: EventLog?
        let session: AdaptableSession
        do {
            let log = EventLog()
            released = log
            session = self.session(log)
            let tasks = (0..<4).map { session.dataTask(with: server.url("/\($0)")) }
            for task in tasks { task.resume() }
            session.invalidateAndCancel()
            await log.invalidation()
            #expect(log.events.last == "invalid")
            #expect(log.events.filter { $0 == "complete" }.count == 4)
            let late = session.dataTask(with: server.url("/late"))
            late.resume()
        }
        while session.delegate != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(session.delegate == nil)
        // The queue may release a callback, which holds the delegate, some time after it has returned.
        while released != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(released == nil)
    }

    @Test(.timeLimit(.minutes(1))) func `bytes are a sequence loaded as fast as it is read`() async throws {
        let body = String(repeating: "0123456789", count: 300_000)
        let server = try await ScriptedServer { _ in ScriptedServer.ok(body) }
        let (bytes, response) = try await session(nil).bytes(from: server.url("/"))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        var count = 0
        for try await byte in bytes {
            if byte != UInt8(ascii: "0") + UInt8(count % 10) { Issue.record("byte \(count) is \(byte)") }
            count += 1
        }
        #expect(count == 3_000_000)
    }

    @Test(.timeLimit(.minutes(1))) func `cancelling the calling task cancels the load`() async throws {
        let gate = ScriptedServer.Gate()
        let server = try await ScriptedServer { _ in [.wait(gate)] }
        let session = session(nil)
        let running = Task { try await session.data(from: server.url("/")) }
        while server.requests.isEmpty {
            try Task.checkCancellation()
            await Task.yield()
        }
        running.cancel()
        await #expect {
            try await running.value
        } throws: {
            ($0 as? URLError)?.code == .cancelled
        }
        gate.open()
    }

    @Test(.timeLimit(.minutes(1))) func `a Progress cancels, pauses and resumes its task`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("hello") }
        let log = EventLog()
        let session = session(log)
        let task = session.dataTask(with: server.url("/"))
        // The handlers of a Progress are called a little later, on a separate queue.
        task.progress.resume()
        #expect(await log.completion(of: task) == nil)
        let other = session.dataTask(with: server.url("/"))
        other.progress.cancel()
        #expect((await log.completion(of: other) as? URLError)?.code == .cancelled)
    }

    @Test(.timeLimit(.minutes(1))) func `metrics contain each exchange and keep their dates in order`() async throws {
        final class Keeper: AdaptableSessionTaskDelegate {
            let kept = Mutex<AdaptableSessionTaskMetrics?>(nil)
            func urlSession(
                _ session: AdaptableSession, task: AdaptableSessionTask,
                didFinishCollecting metrics: AdaptableSessionTaskMetrics
            ) { kept.withLock { $0 = metrics } }
        }
        let server = try await ScriptedServer { request in
            request.line.hasPrefix("GET /a ")
                ? [.send("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")]
                : ScriptedServer.ok("there")
        }
        let keeper = Keeper()
        _ = try await session(nil).data(for: URLRequest(url: server.url("/a")), delegate: keeper)
        let metrics = try #require(keeper.kept.withLock { $0 })
        #expect(metrics.redirectCount == 1)
        #expect(metrics.transactionMetrics.map(\.isReusedConnection) == [false, true])
        for transaction in metrics.transactionMetrics {
            let dates = [
                transaction.fetchStartDate, transaction.connectStartDate, transaction.connectEndDate,
                transaction.requestStartDate,
                transaction.responseStartDate, transaction.responseEndDate,
            ].compactMap { $0 }
            #expect(dates == dates.sorted())
            #expect(transaction.resourceFetchType == .networkLoad)
        }
        #expect(metrics.transactionMetrics.last?.connectStartDate == nil)
        #expect(metrics.transactionMetrics.last?.countOfResponseBodyBytesReceived == 5)
    }
}
