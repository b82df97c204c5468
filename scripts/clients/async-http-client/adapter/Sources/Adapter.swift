// Crosswind adapter for AsyncHTTPClient: one HTTPClient for each session, execute() and the response's body as a sequence.
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSOCKS
import NIOSSL

struct Session: Sendable {
    var client: HTTPClient
    var limit: TimeAmount?
}

struct AsyncHTTPClientAdapter: Client {
    let name = "AsyncHTTPClient"
    let version = CommandLine.arguments.dropFirst().first ?? ""
    let capabilities = """
        data upload download delegate completionHandler requestTimeout resourceTimeout maximumConnectionsPerHost tls tlsVersionLimits cancel http2 \
        contentDecoding connectionReuse incrementalData followRedirects responseDisposition downloadProgress sessionProxy socksProxy
        """
    let reports: String? = """
        didReceiveResponse didReceiveData didWriteData fileContent didFinishDownloading didComplete completionHandler
        """

    func makeSession(_ configuration: JSON) throws -> Session {
        var tls = TLSConfiguration.makeClientConfiguration()
        let versions: [String: TLSVersion] = ["1.0": .tlsv1, "1.1": .tlsv11, "1.2": .tlsv12, "1.3": .tlsv13]
        if let least = configuration.text("minimumTLSVersion").flatMap({ versions[$0] }) { tls.minimumTLSVersion = least }
        tls.maximumTLSVersion = configuration.text("maximumTLSVersion").flatMap { versions[$0] }
        // Decoding is off by default; redirects are followed, at most 5 and no cycle.
        var options = HTTPClient.Configuration(tlsConfiguration: tls, decompression: .enabled(limit: .none))
        if let limit = configuration.number("requestTimeout").map(amount) {
            options.timeout.connect = limit
            options.timeout.read = limit
        }
        if let count = configuration.number("maximumConnectionsPerHost") {
            options.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Int(count)
        }
        if let proxy = configuration["proxy"] { options.proxy = try self.proxy(proxy) }
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: options)
        return Session(client: client, limit: configuration.number("resourceTimeout").map(amount))
    }

    private func proxy(_ proxy: JSON) throws -> HTTPClient.Configuration.Proxy {
        let host = proxy.text("host") ?? ""
        let port = Int(proxy.number("port") ?? 0)
        switch proxy.text("kind") {
        case "https": throw Unsupported(feature: "a proxy with TLS")
        case "socks5":
            if proxy.text("user") != nil { throw Unsupported(feature: "credentials for a SOCKS proxy") }
            return .socksServer(host: host, port: port)
        default:
            let user = proxy.text("user").map { HTTPClient.Authorization.basic(username: $0, password: proxy.text("password") ?? "") }
            return .server(host: host, port: port, authorization: user)
        }
    }

    func makeTask(_ session: Session, _ task: LoadTask) throws {
        // Both are settings of a whole HTTPClient.
        if let decision = task.description.text("redirect"), decision != "follow" { throw Unsupported(feature: "the decision \(decision) on a redirect") }
        if task.description["timeout"] != nil { throw Unsupported(feature: "a timeout of one request") }
    }

    func load(_ session: Session, _ task: LoadTask) async throws {
        var request = HTTPClientRequest(url: task.url)
        request.method = HTTPMethod(rawValue: task.method)
        for (name, value) in task.headers { request.headers.add(name: name, value: value) }
        if let body = try task.body() { request.body = .bytes(ByteBuffer(bytes: body)) }
        let end = session.limit.map { NIODeadline.now() + $0 } ?? .distantFuture
        let response = try await session.client.execute(request, deadline: end)
        let length = response.headers.first(name: "Content-Length").flatMap { Int64($0) } ?? -1
        let headers = response.headers.map { (name: $0.name, value: $0.value) }
        guard task.response(
            status: Int(response.status.code), url: response.url?.absoluteString ?? task.url, headers: headers, expected: length)
        else { return }
        for try await piece in response.body { task.receive(Data(piece.readableBytesView)) }
    }

    func classify(_ error: any Error, _ task: LoadTask) -> Failure {
        let text = "\(type(of: error)): \(error)"
        switch error {
        case let error as HTTPClientError: return failure(error, task, text)
        case let error as NIOConnectionError:
            if error.dnsAError != nil || error.dnsAAAAError != nil, error.connectionErrors.isEmpty { return Failure(.nameResolution, text) }
            return error.connectionErrors.last.map { classify($0.error, task) } ?? Failure(.refused, text)
        case is SocketAddressError: return Failure(.nameResolution, text)
        case let error as IOError:
            switch error.errnoCode {
            case ENETUNREACH, ENETDOWN: return Failure(.offline, text)
            case ECONNREFUSED, EHOSTUNREACH: return Failure(.refused, text)
            case ETIMEDOUT: return Failure(.timedOut, text)
            default: return Failure(task.hasHead ? .truncated : .lost, text)
            }
        case is ChannelError: return Failure(text.contains("connectTimeout") ? .timedOut : .lost, text)
        // A missing close_notify shows only while a body is read.
        case NIOSSLError.uncleanShutdown: return Failure(task.hasHead ? .truncated : .lost, text)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: return Failure(.tlsRejected, text)
        case HTTPParserError.invalidEOFState: return Failure(task.hasHead ? .truncated : .lost, text)
        case is HTTPParserError, is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            return Failure(.malformedResponse, text)
        case is SOCKSError.ConnectionFailed: return Failure(.refused, text)
        default: return Failure(.other, text)
        }
    }

    private func failure(_ error: HTTPClientError, _ task: LoadTask, _ text: String) -> Failure {
        switch error {
        case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout,
            .socksHandshakeTimeout, .getConnectionFromPoolTimeout:
            Failure(.timedOut, text)
        case .remoteConnectionClosed, .uncleanShutdown: Failure(task.hasHead ? .truncated : .lost, text)
        case .invalidProxyResponse, .proxyAuthenticationRequired: Failure(.refused, text)
        case .redirectLimitReached, .redirectCycleDetected: Failure(.other, text, code: -1007)
        case .invalidURL, .emptyHost, .emptyScheme: Failure(.other, text, code: -1000)
        case .httpEndReceivedAfterHeadWith1xx: Failure(.malformedResponse, text)
        case .cancelled: Failure(.cancelled, text)
        default: text.contains("unsupportedScheme") ? Failure(.other, text, code: -1002) : Failure(.other, text)
        }
    }
}

private func amount(_ seconds: Double) -> TimeAmount { .nanoseconds(Int64(seconds * 1e9)) }

@main
enum Main {
    static func main() { run(AsyncHTTPClientAdapter()) }
}
