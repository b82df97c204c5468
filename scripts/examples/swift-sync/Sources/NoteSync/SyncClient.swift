import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A small sync client: downloads files and uploads notes, and retries while the network is bad.
///
/// SYNC_RETRY=0 breaks it: the first failure is the last.
public struct SyncClient: Sendable {
    private let base: String
    private let retries: Int
    private static let pause = Duration.milliseconds(250)

    /// A client of this server.
    public init(base: String = "http://notes.test") {
        self.base = base
        retries = ProcessInfo.processInfo.environment["SYNC_RETRY"] == "0" ? 0 : 20
    }

    /// Returns the file's bytes.
    public func download(_ path: String) async throws -> Data {
        try await retrying { try await send(request(path)) }
    }

    /// Uploads a note. Every attempt has the same key, so that the server can recognise a repeated one.
    public func upload(_ path: String, _ text: String) async throws {
        var request = request(path)
        request.httpMethod = "PUT"
        request.httpBody = Data(text.utf8)
        request.setValue(UUID().uuidString, forHTTPHeaderField: "Idempotency-Key")
        let whole = request
        _ = try await retrying { try await send(whole) }
    }

    private func request(_ path: String) -> URLRequest {
        guard let url = URL(string: base + path) else { preconditionFailure("\(path) is not a path") }
        return URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 5)
    }

    private func send(_ request: URLRequest) async throws -> Data {
        // A session of its own for each attempt: the pool may hold connections of the lost network.
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let (data, response) = try await session.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode, status < 500 else {
            throw URLError(.badServerResponse)
        }
        // Foundation on Linux may report a response that ended early as complete.
        if response.expectedContentLength > 0, Int64(data.count) < response.expectedContentLength {
            throw URLError(.networkConnectionLost)
        }
        return data
    }

    private func retrying<Value>(_ attempt: () async throws -> Value) async throws -> Value {
        for _ in 0..<retries {
            do {
                return try await attempt()
            } catch where !(error is CancellationError) {
                try await Task.sleep(for: Self.pause)
            }
        }
        return try await attempt()
    }
}
