import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

/// A download of 20 bytes of which 10 exist, against a scripted server.
@Suite struct ResumedDownloadTests {
    /// Programs that clean temporary folders do so at any time, without coordination.
    @Test(.timeLimit(.minutes(1))) func `a partial file removed during the request is requested again`()
        async throws
    {
        let place = PartialDownloadFile.freshLocation()
        try Data("0123456789".utf8).write(to: place)
        let server = try await ScriptedServer { request in
            try? FileManager.default.removeItem(at: place)
            return request.fields["range"] == nil
                ? ScriptedServer.ok("0123456789abcdefghij")
                : [
                    .send(
                        "HTTP/1.1 206 Partial Content\r\nContent-Length: 10\r\nContent-Range: bytes 10-19/20\r\nETag: \"v1\"\r\n\r\nabcdefghij"
                    )
                ]
        }
        let url = server.url("/big").absoluteString
        let data = DownloadResumeData.write(
            DownloadResumeRecord(
                url: url, respondedBy: url, received: 10, total: 20, validator: .entityTag("\"v1\""), file: place.path,
                tail: PartialFileTail.identity(Array("0123456789".utf8))))
        let log = EventLog()
        let task = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: nil).downloadTask(
            withResumeData: Data(data))
        task.resume()
        #expect(await log.completion(of: task) == nil)
        #expect(log.file(of: task) == Data("0123456789abcdefghij".utf8))
        #expect(server.requests.map { $0.fields["range"] } == ["bytes=10-", nil])
    }
}
