import AdaptableSession
import Foundation
import FoundationNetworking
import Synchronization

/// The script for the protocol objects of one test, and a record of the session's calls. The host of a URL selects the
/// stage, so that tests share only the class.
final class Stage: Sendable {
    struct Seen: Sendable {
        var requests: [URLRequest] = []
        var bodies: [Data?] = []
        var tasks: [Int?] = []
        var cached: [AdaptableCachedURLResponse?] = []
        var stops = 0
        var waiters: [(Int, CheckedContinuation<Void, Never>)] = []
    }

    private static let stages = Mutex<[String: Stage]>([:])

    let host = "stage-\(UUID().uuidString.lowercased())"
    let play: @Sendable (StagedProtocol) -> Void
    private let state = Mutex(Seen())

    init(_ play: @escaping @Sendable (StagedProtocol) -> Void) {
        self.play = play
        Self.stages.withLock { $0[host] = self }
    }

    static func of(_ url: URL?) -> Stage? { url?.host.flatMap { host in stages.withLock { $0[host] } } }

    var seen: Seen { state.withLock { $0 } }
    var request: URLRequest { url("stage") }

    func url(_ scheme: String) -> URLRequest {
        guard let url = URL(string: "\(scheme)://\(host)/a") else { fatalError("a UUID makes a host") }
        return URLRequest(url: url)
    }

    func session(_ log: EventLog?, _ change: (AdaptableSessionConfiguration) -> Void = { _ in }) -> AdaptableSession {
        let configuration = AdaptableSessionConfiguration.ephemeral
        configuration.protocolClasses = [StagedProtocol.self]
        change(configuration)
        return AdaptableSession(configuration: configuration, delegate: log, delegateQueue: nil)
    }

    func started(_ object: StagedProtocol) {
        var body = object.request.httpBody
        if let stream = object.request.httpBodyStream {
            stream.open()
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            var read = Data()
            while case let count = unsafe stream.read(&bytes, maxLength: 1 << 16), count > 0 {
                read.append(contentsOf: bytes.prefix(count))
            }
            stream.close()
            body = read
        }
        state.withLock { seen in
            seen.requests.append(object.request)
            seen.bodies.append(body)
            seen.tasks.append(object.task?.taskIdentifier)
            seen.cached.append(object.cachedResponse)
        }
        play(object)
    }

    func stopped() {
        let waiting = state.withLock { seen in
            seen.stops += 1
            let now = seen.stops
            defer { seen.waiters.removeAll { $0.0 <= now } }
            return seen.waiters.filter { $0.0 <= now }
        }
        for waiter in waiting { waiter.1.resume() }
    }

    /// Returns after objects of the stage were stopped `count` times.
    func stops(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { seen in
                if seen.stops < count { seen.waiters.append((count, continuation)) }
                return seen.stops >= count
            }
            if isThere { continuation.resume() }
        }
    }
}

final class StagedProtocol: AdaptableURLProtocol, @unchecked Sendable {
    // `@unchecked` is safe: the class adds no state.
    override class func canInit(with request: URLRequest) -> Bool { Stage.of(request.url) != nil }

    override func startLoading() { Stage.of(request.url)?.started(self) }

    override func stopLoading() { Stage.of(request.url)?.stopped() }

    func respond(_ status: Int = 200, _ fields: [String: String] = [:], _ policy: URLCache.StoragePolicy = .notAllowed)
    {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: policy)
    }

    func load(_ text: String) { client?.urlProtocol(self, didLoad: Data(text.utf8)) }

    func finish() { client?.urlProtocolDidFinishLoading(self) }

    func fail(_ error: any Error) { client?.urlProtocol(self, didFailWithError: error) }

    /// Sends a response, a body and the end.
    func give(_ text: String, _ status: Int = 200) {
        respond(status)
        load(text)
        finish()
    }

    func redirect(to request: URLRequest, _ status: Int = 302) {
        guard let url = self.request.url,
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
        else { return }
        client?.urlProtocol(self, wasRedirectedTo: request, redirectResponse: response)
    }
}
