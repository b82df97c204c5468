import Compression
import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

/// Encoded bodies over real sockets of the loopback. Most exceed the backlog of 512 KiB when decoded, so that the
/// exchange ends long before the decoder is empty; a body of 300 KiB stays below it, and a binary one does not shrink
/// at all.
@Suite struct CodedBodyTests {
    enum Coding: String, CaseIterable {
        case gzip, zlib, deflate, brotli

        var token: String {
            switch self {
            case .gzip: "gzip"
            case .zlib, .deflate: "deflate"
            case .brotli: "br"
            }
        }

        func encode(_ plain: Data) -> [UInt8] {
            switch self {
            case .gzip: Compressor.gzip(.bytes(Array(plain)))
            case .zlib: Compressor.zlib(.bytes(Array(plain)))
            case .deflate: Compressor.deflate(.bytes(Array(plain)))
            case .brotli: Compressor.brotli(.bytes(Array(plain)))
            }
        }
    }

    enum Content: String, CaseIterable {
        case smallJSON, json, zeros, binary, mixed

        private static let rows = Data(
            (0..<40_000).map { #"{"id":\#($0),"name":"user \#($0 % 997)","active":true}"# }.joined(separator: ",\n")
                .utf8)
        private static let noise: Data = {
            var generator = Noise()
            let words = (0..<400_000).map { _ in generator.next() }
            return unsafe words.withUnsafeBytes { unsafe Data($0) }
        }()

        var plain: Data {
            switch self {
            case .smallJSON: Self.rows.prefix(300 << 10)
            case .json: Self.rows
            case .zeros: Data(count: 8 << 20)
            case .binary: Self.noise
            case .mixed: Self.noise.prefix(700_000) + Data(count: 3 << 20) + Self.rows + Self.noise.suffix(100_000)
            }
        }
    }

    /// SplitMix64: the same bytes in every run.
    private struct Noise: RandomNumberGenerator {
        private var state: UInt64 = 1
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    private static func head(_ coding: Coding, _ length: Int, _ fields: String = "") -> ScriptedServer.Step {
        .send("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding.token)\r\nContent-Length: \(length)\r\n\(fields)\r\n")
    }

    private static func server(_ coding: Coding, _ body: [UInt8]) async throws -> ScriptedServer {
        try await ScriptedServer { _ in [head(coding, body.count), .sendBytes(body)] }
    }

    private func session(_ log: EventLog?) -> AdaptableSession {
        AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
    }

    /// Compares outside of `#expect`, which takes minutes to describe the difference of two large bodies.
    private static func isSame(_ found: Data?, _ plain: Data) -> Bool { found == plain }

    private static func code(_ error: (any Error)?) -> URLError.Code? { (error as? URLError)?.code }

    @Test(.timeLimit(.minutes(1)), arguments: Coding.allCases, Content.allCases)
    func `a data task delivers the whole body to its delegate before the completion`(coding: Coding, content: Content)
        async throws
    {
        let plain = content.plain
        let server = try await Self.server(coding, coding.encode(plain))
        let log = EventLog()
        let task = session(log).dataTask(with: server.url("/"))
        task.resume()
        #expect(await log.completion(of: task) == nil)
        #expect(Self.isSame(log.data(of: task), plain))
        #expect(log.events == ["response 200", "data", "complete"])
        #expect(task.countOfBytesReceived == Int64(plain.count))
    }

    @Test(.timeLimit(.minutes(1)), arguments: Coding.allCases, Content.allCases)
    func `a download writes the whole body to its file`(coding: Coding, content: Content) async throws {
        let plain = content.plain
        let server = try await Self.server(coding, coding.encode(plain))
        let log = EventLog()
        let task = session(log).downloadTask(with: server.url("/"))
        task.resume()
        #expect(await log.completion(of: task) == nil)
        #expect(Self.isSame(log.file(of: task), plain))
        #expect(log.events == ["wrote", "file", "complete"])
    }

    @Test(.timeLimit(.minutes(1)), arguments: Coding.allCases, Content.allCases)
    func `a data task that becomes a download writes the whole body`(coding: Coding, content: Content) async throws {
        let plain = content.plain
        let server = try await Self.server(coding, coding.encode(plain))
        let log = EventLog(disposition: .becomeDownload)
        let session = session(log)
        let task = session.dataTask(with: server.url("/"))
        task.resume()
        session.finishTasksAndInvalidate()
        await log.invalidation()
        #expect(log.events == ["response 200", "became", "wrote", "file", "complete", "invalid"])
        #expect(Self.isSame(try log.file(of: #require(log.download(from: task))), plain))
    }

    @Test(.timeLimit(.minutes(1)), arguments: Coding.allCases)
    func `completion handlers, async calls and byte sequences receive the whole body`(coding: Coding) async throws {
        let plain = Content.mixed.plain
        let server = try await Self.server(coding, coding.encode(plain))
        let session = session(nil)
        #expect(Self.isSame(try await session.data(from: server.url("/")).0, plain))
        let (file, _) = try await session.download(from: server.url("/"))
        #expect(Self.isSame(try Data(contentsOf: file), plain))
        try FileManager.default.removeItem(at: file)
        let (bytes, _) = try await session.bytes(from: server.url("/"))
        var read = Data()
        // In pieces: this build takes a second for a million single bytes.
        while let piece = try await bytes.readers.pieces.next() { read += piece }
        #expect(Self.isSame(read, plain))
        let upload = try await session.upload(for: URLRequest(url: server.url("/")), from: Data("x".utf8)).0
        #expect(Self.isSame(upload, plain))
    }

    @Test(.timeLimit(.minutes(1)), arguments: Coding.allCases)
    func `a delegate that blocks until everything has arrived receives the whole body`(coding: Coding) async throws {
        let plain = Content.mixed.plain
        let server = try await Self.server(coding, coding.encode(plain))
        let stall = BlockedCall()
        let log = EventLog(onData: { _ in stall.call() })
        let task = session(log).dataTask(with: server.url("/"))
        task.resume()
        try await stall.reached()
        // Reading stops when the backlog is full, before the decoder is empty.
        while task.countOfBytesReceived <= 512 << 10 {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(task.state == .running)
        stall.close()
        #expect(await log.completion(of: task) == nil)
        #expect(Self.isSame(log.data(of: task), plain))
    }

    @Test(.timeLimit(.minutes(1)), arguments: Coding.allCases, [false, true])
    func `a task suspended while it decodes is complete after it is resumed`(coding: Coding, isDownload: Bool)
        async throws
    {
        let plain = Content.mixed.plain
        let server = try await Self.server(coding, coding.encode(plain))
        let log = EventLog(onData: { task in
            task.suspend()
            task.resume()
        })
        let session = session(log)
        let task: AdaptableSessionTask =
            isDownload ? session.downloadTask(with: server.url("/")) : session.dataTask(with: server.url("/"))
        task.resume()
        if isDownload {
            while task.countOfBytesReceived == 0 {
                try Task.checkCancellation()
                await Task.yield()
            }
            task.suspend()
            task.resume()
        }
        #expect(await log.completion(of: task) == nil)
        #expect(Self.isSame(isDownload ? log.file(of: task) : log.data(of: task), plain))
    }

    @Test(.timeLimit(.minutes(1))) func `a suspended task delivers at most its backlog and does not end`()
        async throws
    {
        let plain = Content.zeros.plain
        let server = try await Self.server(.gzip, Coding.gzip.encode(plain))
        let stall = BlockedCall()
        let log = EventLog(onData: { _ in stall.call() })
        let session = session(log)
        let task = session.dataTask(with: server.url("/"))
        task.resume()
        try await stall.reached()
        task.suspend()
        stall.close()
        // Another task of the same session completes while this one is suspended.
        #expect(Self.isSame(try await session.data(from: server.url("/other")).0, plain))
        #expect(task.state == .suspended)
        #expect(task.countOfBytesReceived < plain.count)
        task.resume()
        #expect(await log.completion(of: task) == nil)
        #expect(Self.isSame(log.data(of: task), plain))
    }

    // MARK: Errors

    @Test(.timeLimit(.minutes(1)), arguments: Coding.allCases)
    func `an encoding that ends too early is an error after all decoded bytes`(coding: Coding) async throws {
        let plain = Content.mixed.plain
        let body = Array(coding.encode(plain).dropLast(1_000))
        let server = try await Self.server(coding, body)
        let log = EventLog()
        let task = session(log).dataTask(with: server.url("/"))
        task.resume()
        #expect(Self.code(await log.completion(of: task)) == .cannotDecodeContentData)
        // 1,000 bytes of the last part, which does not shrink, and at most one block of the encoding.
        #expect(log.data(of: task).count > plain.count - 200_000)
        #expect(Self.isSame(log.data(of: task), plain.prefix(log.data(of: task).count)))
    }

    @Test(.timeLimit(.minutes(1)), arguments: Coding.allCases)
    func `a lost connection ends the task after all received bytes`(coding: Coding) async throws {
        let plain = Content.mixed.plain
        let body = coding.encode(plain)
        let server = try await ScriptedServer { _ in
            [Self.head(coding, body.count), .sendBytes(Array(body.dropLast(1_000))), .close]
        }
        let log = EventLog()
        let task = session(log).dataTask(with: server.url("/"))
        task.resume()
        #expect(Self.code(await log.completion(of: task)) == .networkConnectionLost)
        #expect(log.data(of: task).count > plain.count - 200_000)
        #expect(Self.isSame(log.data(of: task), plain.prefix(log.data(of: task).count)))
    }

    @Test(.timeLimit(.minutes(1)), arguments: [Coding.gzip, .zlib])
    func `a wrong checksum is an error after all pieces but the last`(coding: Coding) async throws {
        let plain = Content.json.plain
        var body = coding.encode(plain)
        body[body.count - 5 + (coding == .gzip ? 0 : 2)] ^= 0xFF
        let server = try await Self.server(coding, body)
        let log = EventLog()
        let task = session(log).dataTask(with: server.url("/"))
        task.resume()
        #expect(Self.code(await log.completion(of: task)) == .cannotDecodeContentData)
        // zlib reports the error in place of the last decoded piece.
        #expect(log.data(of: task).count >= plain.count - ContentDecoder.pieceSize)
        #expect(Self.isSame(log.data(of: task), plain.prefix(log.data(of: task).count)))
    }

    @Test(.timeLimit(.minutes(1)), arguments: Coding.allCases)
    func `bytes after the encoded body and further gzip members change nothing`(coding: Coding) async throws {
        let plain = Content.zeros.plain
        let body = coding.encode(plain)
        let isGzip = coding == .gzip
        let server = try await Self.server(
            coding, (isGzip ? body + body : body) + [UInt8](repeating: 0x78, count: 100_000))
        let log = EventLog()
        let task = session(log).dataTask(with: server.url("/"))
        task.resume()
        #expect(await log.completion(of: task) == nil)
        #expect(Self.isSame(log.data(of: task), isGzip ? plain + plain : plain))
    }

    @Test(.timeLimit(.minutes(1))) func `a task cancelled while it decodes ends as cancelled, once`()
        async throws
    {
        let server = try await Self.server(.gzip, Coding.gzip.encode(Content.zeros.plain))
        let log = EventLog(onData: { $0.cancel() })
        let session = session(log)
        let task = session.dataTask(with: server.url("/"))
        task.resume()
        session.finishTasksAndInvalidate()
        await log.invalidation()
        #expect(Self.code(await log.completion(of: task)) == .cancelled)
        #expect(log.events == ["response 200", "data", "complete", "invalid"])
    }

    @Test(.timeLimit(.minutes(1))) func `the connection of an encoded body serves the next request`() async throws {
        let server = try await Self.server(.gzip, Coding.gzip.encode(Content.zeros.plain))
        let log = EventLog()
        let session = session(log)
        for _ in 0..<3 {
            let task = session.dataTask(with: server.url("/"))
            task.resume()
            #expect(await log.completion(of: task) == nil)
        }
        #expect(server.connections == 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func `the decoder of an abandoned response does not affect the next body`() async throws {
        let gate = ScriptedServer.Gate()
        let content = Data(repeating: 7, count: 200_000)
        let server = try await ScriptedServer { request in
            switch request.number {
            case 1:
                [
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\nETag: \"v1\"\r\n\r\n"),
                    .sendBytes(Array(content.prefix(50_000))), .wait(gate),
                ]
            // The partial response is refused with an encoded body, so the whole is requested; that request is
            // redirected with a body that is not encoded.
            case 2:
                [
                    .send(
                        "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n"),
                    .sendBytes(Array(Compressor.gzip(.bytes([1])).prefix(10))),
                ]
            case 3: [.send("HTTP/1.1 302 Found\r\nLocation: /moved\r\nContent-Length: 5\r\n\r\nmoved")]
            default: [.send("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n"), .sendBytes(Array(content))]
            }
        }
        let log = EventLog()
        let session = session(log)
        let first = session.downloadTask(with: server.url("/big"))
        first.resume()
        while first.countOfBytesReceived < 50_000 {
            try Task.checkCancellation()
            await Task.yield()
        }
        let second = session.downloadTask(withResumeData: try #require(await first.cancelByProducingResumeData()))
        second.resume()
        #expect(await log.completion(of: second) == nil)
        #expect(Self.isSame(log.file(of: second), content))
        gate.open()
    }
}
