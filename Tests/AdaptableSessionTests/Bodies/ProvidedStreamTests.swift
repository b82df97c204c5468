import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

/// A request that brings its body as a stream, without a delegate that could give another.
@Suite struct ProvidedStreamTests {
    private func request(_ server: ScriptedServer) -> URLRequest {
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data("streamed".utf8))
        request.setValue("8", forHTTPHeaderField: "Content-Length")
        return request
    }

    @Test(.timeLimit(.minutes(1))) func `a data task sends it`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("ok") }
        let (data, _) = try await AdaptableSession(configuration: .ephemeral).data(for: request(server))
        #expect(data == Data("ok".utf8))
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["streamed"])
    }

    /// The first answer comes when all of the body is there; the stream is used up by then.
    @Test(.timeLimit(.minutes(1))) func `it is not sent twice`() async throws {
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
