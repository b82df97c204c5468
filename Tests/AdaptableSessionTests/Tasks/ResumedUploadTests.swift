import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

/// An upload of 100 bytes of which the server has 40. The server is scripted; the tests check the sent bytes.
@Suite final class ResumedUploadTests {
    private let file: URL

    init() throws {
        file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")
        try Data(repeating: 65, count: 100).write(to: file)
    }

    deinit { try? FileManager.default.removeItem(at: file) }

    private func data(_ server: ScriptedServer, _ body: UploadResumeRecord.Body, length: Int64 = 100) -> Data {
        Data(
            UploadResumeData.write(
                UploadResumeRecord(
                    url: server.url("/files").absoluteString, method: "POST",
                    location: server.url("/files/1").absoluteString,
                    version: .version8, length: length, sent: length, body: body)))
    }

    private static func response(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
        request.line.hasPrefix("HEAD")
            ? [.send("HTTP/1.1 204 No Content\r\nUpload-Offset: 40\r\nUpload-Complete: ?0\r\n\r\n")]
            : ScriptedServer.ok("stored", "Upload-Complete: ?1\r\n")
    }

    private func result(of data: Data, in session: AdaptableSession) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            session.uploadTask(withResumeData: data) { _, _, error in continuation.resume(returning: error) }.resume()
        }
    }

    @Test(.timeLimit(.minutes(1))) func `the bytes that the server does not have are sent`() async throws {
        let server = try await ScriptedServer(Self.response)
        let mark = try #require(FileIdentity(of: file))
        #expect(
            await result(of: data(server, .file(file.path, mark)), in: AdaptableSession(configuration: .ephemeral))
                == nil)
        #expect(server.requests.map(\.body.count) == [0, 60])
    }

    /// The same length, other bytes.
    @Test(.timeLimit(.minutes(1))) func `no bytes of a changed file are sent`() async throws {
        let server = try await ScriptedServer(Self.response)
        let mark = try #require(FileIdentity(of: file))
        try Data(repeating: 66, count: 100).write(to: file)
        let error = await result(
            of: data(server, .file(file.path, mark)), in: AdaptableSession(configuration: .ephemeral))
        #expect((error as? URLError)?.code == .fileDoesNotExist)
        #expect((error as? URLError)?.userInfo[AdaptableSession.uploadTaskResumeData] == nil)
        #expect(server.requests.isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func `a file that changes during the request for the offset is not sent`()
        async throws
    {
        let file = file
        let server = try await ScriptedServer { request in
            if request.line.hasPrefix("HEAD") { try? Data(repeating: 66, count: 100).write(to: file) }
            return Self.response(request)
        }
        let mark = try #require(FileIdentity(of: file))
        let error = await result(
            of: data(server, .file(file.path, mark)), in: AdaptableSession(configuration: .ephemeral))
        #expect((error as? URLError)?.code == .fileDoesNotExist)
        #expect(!server.requests.contains { $0.body.contains(66) })
    }

    /// Attached as a whole: processing the body byte by byte blocked the session for seconds.
    @Test func `a body in memory adds its own length to the resume data`() throws {
        let bytes = (0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0) }
        let record = UploadResumeRecord(
            url: "http://a.test/", method: "POST", location: "http://a.test/1", version: .version8,
            length: Int64(bytes.count), sent: 1_000,
            body: .bytes(bytes))
        let key = ResumeKey(bytes: Array(0..<32))
        let written = UploadResumeData.write(record, key: key)
        #expect(written.count < bytes.count + 500)
        #expect(try UploadResumeData.read(written, key: key) == record)
    }

    @Test(.timeLimit(.minutes(1))) func `a resumed upload cancelled before its first request keeps its resume data`()
        async throws
    {
        let server = try await ScriptedServer(Self.response)
        let mark = try #require(FileIdentity(of: file))
        let given = data(server, .file(file.path, mark))
        let task = AdaptableSession(configuration: .ephemeral).uploadTask(withResumeData: given)
        let left = await withCheckedContinuation { continuation in
            task.cancel(byProducingResumeData: { continuation.resume(returning: $0) })
        }
        #expect(left == given)
    }

    @Test(.timeLimit(.minutes(1))) func `a resumed download cancelled before its first request keeps its resume data`()
        async throws
    {
        let place = PartialDownloadFile.freshLocation()
        let given = Data(
            DownloadResumeData.write(
                DownloadResumeRecord(
                    url: "http://127.0.0.1:1/", respondedBy: "http://127.0.0.1:1/", received: 10,
                    validator: .entityTag("\"v1\""),
                    file: place.path, tail: "")))
        let task = AdaptableSession(configuration: .ephemeral).downloadTask(withResumeData: given)
        let left = await withCheckedContinuation { continuation in
            task.cancel(byProducingResumeData: { continuation.resume(returning: $0) })
        }
        #expect(left == given)
    }
}
