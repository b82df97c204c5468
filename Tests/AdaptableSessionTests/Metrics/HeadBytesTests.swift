import Foundation
import FoundationNetworking
import Synchronization
import Testing

@testable import AdaptableSession

/// Heads are counted as they are on the wire: the server knows both, the test its own response to the byte.
@Suite struct HeadBytesTests {
    private final class Collector: AdaptableSessionTaskDelegate {
        let metrics = Mutex<AdaptableSessionTaskMetrics?>(nil)

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask,
            didFinishCollecting metrics: AdaptableSessionTaskMetrics
        ) {
            self.metrics.withLock { $0 = metrics }
        }
    }

    /// The first response comes in one read with its body, the second one in pieces and after another head.
    @Test(.timeLimit(.minutes(1))) func `the heads of an exchange are counted without the bodies`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX: y\r\n\r\n"
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let server = try await ScriptedServer { request in
            request.number == 1
                ? [.send(head + "body")] : [.send(hints + String(head.prefix(9))), .send(head.dropFirst(9) + "body")]
        }
        let session = AdaptableSession(configuration: .ephemeral)
        for (number, expected) in [(1, head), (2, hints + head)] {
            let collector = Collector()
            var request = URLRequest(url: server.url("/path"))
            request.httpMethod = "POST"
            _ = try await session.upload(for: request, from: Data("upload".utf8), delegate: collector)
            while collector.metrics.withLock({ $0 }) == nil { await Task.yield() }
            let metrics = try #require(collector.metrics.withLock { $0?.transactionMetrics.last })
            #expect(metrics.isReusedConnection == (number == 2))
            let sent = try #require(server.requests.last)
            let fields = sent.fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 4 }
            #expect(metrics.countOfRequestHeaderBytesSent == Int64(sent.line.utf8.count + 2 + fields + 2))
            #expect(metrics.countOfRequestBodyBytesSent == 6)
            #expect(metrics.countOfResponseHeaderBytesReceived == Int64(expected.utf8.count))
            #expect(metrics.countOfResponseBodyBytesReceived == 4)
            #expect(metrics.negotiatedTLSCipherSuite == nil && metrics.domainResolutionProtocol == .unknown)
        }
    }
}
