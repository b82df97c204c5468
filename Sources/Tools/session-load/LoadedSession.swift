import AdaptableSession
import Foundation
import FoundationNetworking

/// The session operations that a load needs. `done` receives the byte count of a complete and successful response, or
/// nil.
protocol LoadedSession: Sendable {
    func get(_ url: URL, done: @escaping @Sendable (Int?) -> Void)
    func download(_ url: URL, done: @escaping @Sendable (Int?) -> Void)
    /// A request that must not be sent twice.
    func post(_ url: URL, done: @escaping @Sendable (Int?) -> Void)
    func upload(_ file: URL, to url: URL, done: @escaping @Sendable (Int?) -> Void)
}

private func posting(_ url: URL) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data("amount=1".utf8)
    return request
}

private func putting(_ url: URL) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "PUT"
    return request
}

/// Returns the size of a downloaded file and removes the file: the program may end before its session would remove it.
private func take(_ file: URL?) -> Int? {
    guard let file else { return nil }
    defer { try? FileManager.default.removeItem(at: file) }
    return try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
}

struct AdaptableLoad: LoadedSession {
    private let session: AdaptableSession

    init(connections: Int) {
        let configuration = AdaptableSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        session = AdaptableSession(configuration: configuration)
    }

    func get(_ url: URL, done: @escaping @Sendable (Int?) -> Void) {
        session.dataTask(with: url) { data, response, error in
            done(error == nil && (response as? HTTPURLResponse)?.statusCode == 200 ? data?.count : nil)
        }.resume()
    }

    func download(_ url: URL, done: @escaping @Sendable (Int?) -> Void) {
        session.downloadTask(with: url) { file, _, error in done(error == nil ? take(file) : nil) }.resume()
    }

    func post(_ url: URL, done: @escaping @Sendable (Int?) -> Void) {
        session.dataTask(with: posting(url)) { data, response, error in
            done(error == nil && (response as? HTTPURLResponse)?.statusCode == 200 ? data?.count : nil)
        }.resume()
    }

    func upload(_ file: URL, to url: URL, done: @escaping @Sendable (Int?) -> Void) {
        session.uploadTask(with: putting(url), fromFile: file) { data, response, error in
            done(error == nil && (response as? HTTPURLResponse)?.statusCode == 200 ? data?.count : nil)
        }.resume()
    }
}

struct FoundationLoad: LoadedSession {
    private let session: URLSession

    init(connections: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        session = URLSession(configuration: configuration)
    }

    func get(_ url: URL, done: @escaping @Sendable (Int?) -> Void) {
        session.dataTask(with: url) { data, response, error in
            done(error == nil && (response as? HTTPURLResponse)?.statusCode == 200 ? data?.count : nil)
        }.resume()
    }

    func download(_ url: URL, done: @escaping @Sendable (Int?) -> Void) {
        session.downloadTask(with: url) { file, _, error in done(error == nil ? take(file) : nil) }.resume()
    }

    func post(_ url: URL, done: @escaping @Sendable (Int?) -> Void) {
        session.dataTask(with: posting(url)) { data, response, error in
            done(error == nil && (response as? HTTPURLResponse)?.statusCode == 200 ? data?.count : nil)
        }.resume()
    }

    func upload(_ file: URL, to url: URL, done: @escaping @Sendable (Int?) -> Void) {
        session.uploadTask(with: putting(url), fromFile: file) { data, response, error in
            done(error == nil && (response as? HTTPURLResponse)?.statusCode == 200 ? data?.count : nil)
        }.resume()
    }
}
