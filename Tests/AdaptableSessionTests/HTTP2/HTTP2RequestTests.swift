import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix
import Testing

@testable import AdaptableSession

/// The frames in which a session sends requests.
@Suite struct HTTP2RequestTests {
    private final class Trusting: AdaptableSessionDelegate {
        func urlSession(
            _ session: AdaptableSession, didReceive challenge: AdaptableSessionAuthenticationChallenge,
            completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            completionHandler(
                .useCredential,
                challenge.serverTrust.map { AdaptableTrustCredential(trust: $0) })
        }
    }

    /// A server may respond as soon as the head has arrived. If the end of the request follows in another frame, nginx
    /// resets the stream after its response, which costs both sides time, and clients limit such resets.
    @Test(.timeLimit(.minutes(1))) func `a request without a body ends in its HEADERS frame`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let server = try await ConnectionReuseTests.Server(.http2, on: group.next())
        let session = AdaptableSession(configuration: .ephemeral, delegate: Trusting(), delegateQueue: nil)
        var request = URLRequest(url: try #require(URL(string: "https://127.0.0.1:\(server.port)/")))
        for (method, body, ended) in [("GET", nil, 1), ("DELETE", nil, 2), ("POST", "amount=1", 2)] {
            request.httpMethod = method
            request.httpBody = body.map { Data($0.utf8) }
            let (_, response) = try await session.data(for: request)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            #expect(server.requestsEndedByHead == ended, "\(method)")
        }
        #expect(server.requests == 3)
        session.invalidateAndCancel()
        try await group.shutdownGracefully()
    }
}
