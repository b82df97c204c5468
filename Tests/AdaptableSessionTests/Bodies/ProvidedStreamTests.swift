import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

/// A request with its own body stream, without a delegate that could provide another one.
@Suite struct ProvidedStreamTests {
    private func request(_ server: ScriptedServer) -> URLRequest {
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data("streamed".utf8))
        request.setValue("8", forHTTPHeaderField: "Content-Length")
        return request
    }

    @Test(.timeLimit(.minutes(1))) func `a data task sends the stream of its request`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("ok") }
        let (data, _) = try await AdaptableSession(configuration: .ephemeral).data(for: request(server))
        #expect(data == Data("ok".utf8))
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["streamed"])
    }

    /// The first response is sent when the whole body has arrived; the stream is used up by then.
    @Test(.timeLimit(.minutes(1))) func `the stream of a request is not sent twice`() async throws {
        let server = try await ScriptedServer { request in
            request.number == 1
                ? [.send("HTTP/1.1 307 Temporary Redirect\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")]
                : ScriptedServer.ok("ok")
        }
        let error = await #expect(throws: URLError.self) {
            try await AdaptableSession(configuration: .ephemeral).data(for: request(server))
        }
        #expect(error?.code == .requestBodyStreamExhausted)
        #expect(server.requests.filter { !$0.body.isEmpty }.count == 1)
    }
}
