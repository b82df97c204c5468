import Foundation
import FoundationNetworking
import Synchronization

/// Takes what a protocol object tells, from any thread, and passes it to the load in one order; after the last message, or when the load
/// wants nothing more, it takes nothing.
final class ProtocolClient: AdaptableURLProtocolClient {
    private struct State {
        var isOver = false
        /// Bytes that the load has not taken.
        var waiting = 0
        var whenRoom: (@Sendable () -> Void)?
    }

    private let limit: Int
    private let pass: @Sendable (ProtocolClient, ProtocolMessage) -> Void
    private let state = Mutex(State())

    /// `pass` must keep the order of its calls, and return at once. `limit`: bytes that may wait before there is no room.
    init(limit: Int, pass: @escaping @Sendable (ProtocolClient, ProtocolMessage) -> Void) {
        self.limit = limit
        self.pass = pass
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// The load wants nothing more.
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
            // Inside the lock, so that messages of several threads arrive in the order of which this lock decides.
            pass(self, message)
        }
    }

    // MARK: Room

    /// The load took so many bytes.
    func didConsume(_ count: Int) {
        let act = state.withLock { state -> (@Sendable () -> Void)? in
            state.waiting -= count
            guard state.waiting < limit else { return nil }
            defer { state.whenRoom = nil }
            return state.whenRoom
        }
        act?()
    }

    /// Runs `act` now or when the load has taken enough; never when it is over. For classes that can wait.
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
