import Foundation
import FoundationNetworking
import Synchronization

/// Receives the events of a protocol object from any thread and passes them to the load in one order. After the last
/// event, or when the load is closed, it ignores everything.
final class ProtocolClient: AdaptableURLProtocolClient {
    private struct State {
        var isOver = false
        /// The number of bytes that the load has not consumed yet.
        var waiting = 0
        var whenRoom: (@Sendable () -> Void)?
    }

    private let limit: Int
    private let pass: @Sendable (ProtocolClient, ProtocolMessage) -> Void
    private let state = Mutex(State())

    /// `pass` must keep the order of its calls and return immediately. `limit` is the number of bytes that may be
    /// buffered before `whenRoom` waits.
    init(limit: Int, pass: @escaping @Sendable (ProtocolClient, ProtocolMessage) -> Void) {
        self.limit = limit
        self.pass = pass
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Ignores all further events.
    func close() {
        state.withLock { state in
            state.isOver = true
            state.whenRoom = nil
        }
    }

    private func forward(_ message: ProtocolMessage) {
        state.withLock { state in
            guard !state.isOver else { return }
            if message.isLast { state.isOver = true }
            if case .data(let data) = message { state.waiting += data.count }
            // Inside the lock, so that messages from several threads arrive in the order in which they took the lock.
            pass(self, message)
        }
    }

    // MARK: Room

    /// Reports that the load consumed `count` bytes.
    func didConsume(_ count: Int) {
        let act = state.withLock { state -> (@Sendable () -> Void)? in
            state.waiting -= count
            guard state.waiting < limit else { return nil }
            defer { state.whenRoom = nil }
            return state.whenRoom
        }
        act?()
    }

    /// Runs `act` now or when the load has consumed enough, and never after the load is over. For classes that can
    /// wait.
    func whenRoom(_ act: @escaping @Sendable () -> Void) {
        let isNow = state.withLock { state in
            if state.isOver { return false }
            if state.waiting < limit { return true }
            state.whenRoom = act
            return false
        }
        if isNow { act() }
    }

    // MARK: The messages

    func urlProtocol(
        _ protocol: AdaptableURLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
    ) {
        forward(.redirected(request, redirectResponse))
    }

    func urlProtocol(_ protocol: AdaptableURLProtocol, cachedResponseIsValid cachedResponse: AdaptableCachedURLResponse)
    {
        forward(.cachedIsValid(cachedResponse))
    }

    func urlProtocol(
        _ protocol: AdaptableURLProtocol, didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    ) { forward(.response(response, policy)) }

    func urlProtocol(_ protocol: AdaptableURLProtocol, didLoad data: Data) { forward(.data(data)) }

    func urlProtocolDidFinishLoading(_ protocol: AdaptableURLProtocol) { forward(.finished) }

    func urlProtocol(_ protocol: AdaptableURLProtocol, didFailWithError error: any Error) { forward(.failed(error)) }

    func urlProtocol(_ protocol: AdaptableURLProtocol, didReceive challenge: AdaptableSessionAuthenticationChallenge) {
        forward(.challenge(challenge))
    }

    func urlProtocol(_ protocol: AdaptableURLProtocol, didCancel challenge: AdaptableSessionAuthenticationChallenge) {
        forward(.challengeCancelled)
    }
}
