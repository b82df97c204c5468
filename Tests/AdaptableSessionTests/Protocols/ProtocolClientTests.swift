import Foundation
import FoundationNetworking
import Synchronization
import Testing

@testable import AdaptableSession

/// The client counts unconsumed bytes, so that a class that can wait does.
@Suite struct ProtocolClientTests {
    private func made(limit: Int = 100) throws -> (ProtocolClient, AdaptableURLProtocol, Mutex<[String]>.Box) {
        let notified = Mutex<[String]>.Box()
        let client = ProtocolClient(limit: limit) { _, message in
            let word =
                switch message {
                case .data(let data): "data \(data.count)"
                case .finished: "finished"
                case .failed: "failed"
                case .response, .redirected, .cachedIsValid, .challenge, .challengeCancelled: "other"
                }
            notified.value.withLock { $0.append(word) }
        }
        let object = AdaptableURLProtocol(
            request: URLRequest(url: try #require(URL(string: "a://b"))), cachedResponse: nil, client: client)
        return (client, object, notified)
    }

    @Test func `nothing passes after the last event or when the load is over`() throws {
        let (client, object, notified) = try made()
        client.urlProtocol(object, didLoad: Data(count: 3))
        client.urlProtocolDidFinishLoading(object)
        client.urlProtocolDidFinishLoading(object)
        client.urlProtocol(object, didLoad: Data(count: 4))
        #expect(notified.value.withLock { $0 } == ["data 3", "finished"])
        let (other, speaker, received) = try made()
        other.close()
        other.urlProtocol(speaker, didFailWithError: URLError(.unknown))
        #expect(received.value.withLock { $0 }.isEmpty && other.isOver)
    }

    @Test func `the buffer has space until its limit, and again after enough bytes were consumed`() throws {
        let (client, object, _) = try made()
        let runs = Mutex(0)
        let act: @Sendable () -> Void = { runs.withLock { $0 += 1 } }
        client.urlProtocol(object, didLoad: Data(count: 99))
        client.whenRoom(act)
        #expect(runs.withLock { $0 } == 1)
        client.urlProtocol(object, didLoad: Data(count: 1))
        client.whenRoom(act)
        #expect(runs.withLock { $0 } == 1)
        client.didConsume(0)
        #expect(runs.withLock { $0 } == 1)
        client.didConsume(1)
        #expect(runs.withLock { $0 } == 2)
        client.didConsume(50)
        #expect(runs.withLock { $0 } == 2, "once for each request")
    }

    @Test func `a waiting callback is dropped when the load is over`() throws {
        let (client, object, _) = try made()
        let runs = Mutex(0)
        client.urlProtocol(object, didLoad: Data(count: 100))
        client.whenRoom { runs.withLock { $0 += 1 } }
        client.close()
        client.didConsume(100)
        client.whenRoom { runs.withLock { $0 += 1 } }
        #expect(runs.withLock { $0 } == 0)
    }
}

extension Mutex where Value == [String] {
    /// A value shared by a closure and a test.
    final class Box: Sendable {
        let value = Mutex<[String]>([])
    }
}
