import AdapterProtocol
import Foundation
import FoundationNetworking

extension Failure {
    init(_ error: any Error) {
        let error = error as NSError
        self.init(domain: error.domain, code: error.code, text: error.localizedDescription)
    }
}

extension TaskEvent.Response {
    init(_ response: URLResponse) {
        let http = response as? HTTPURLResponse
        var headers: [HeaderField] = []
        for (name, value) in http?.allHeaderFields ?? [:] { headers.append(HeaderField("\(name)", "\(value)")) }
        headers.sort { $0.name < $1.name }
        // A response without HTTP (a data: URL) does not have a status.
        self.init(
            status: http?.statusCode ?? 0, url: response.url?.absoluteString ?? "", headers: headers,
            expectedLength: response.expectedContentLength)
    }
}

extension TaskEvent.Challenge {
    init(_ challenge: URLAuthenticationChallenge, level: String) {
        let space = challenge.protectionSpace
        let method =
            switch space.authenticationMethod {
            case NSURLAuthenticationMethodHTTPBasic, "Basic": "httpBasic"
            case NSURLAuthenticationMethodHTTPDigest, "Digest": "httpDigest"
            case let word: word
            }
        self.init(
            level: level, method: method, realm: space.realm, host: space.host,
            previousFailureCount: challenge.previousFailureCount, isProxy: space.isProxy())
    }
}

extension TaskEvent {
    static func inspected(_ task: URLSessionTask) -> TaskEvent {
        let state =
            switch task.state {
            case .running: "running"
            case .suspended: "suspended"
            case .canceling: "canceling"
            case .completed: "completed"
            }
        return .inspected(
            state: state, bytesReceived: task.countOfBytesReceived, bytesSent: task.countOfBytesSent,
            expectedToReceive: task.countOfBytesExpectedToReceive, expectedToSend: task.countOfBytesExpectedToSend)
    }
}

extension SessionConfiguration {
    /// The first setting of this configuration that FoundationNetworking cannot express.
    var missingInFoundation: Capability? {
        if kind == .background { return .backgroundSession }
        if waitsForConnectivity == true { return .waitsForConnectivity }
        if minimumTLSVersion != nil || maximumTLSVersion != nil { return .tlsVersionLimits }
        if proxy?.kind == .https { return .secureProxy }
        if spies.contains(.cookies) { return .cookieSpy }
        if spies.contains(.credentials) { return .credentialSpy }
        return nil
    }

    var newConfiguration: URLSessionConfiguration {
        switch kind {
        case .standard, .background, .shared: .default
        case .ephemeral: .ephemeral
        }
    }

    /// Writes the given settings except the stores.
    func write(to configuration: URLSessionConfiguration) {
        if let serviceType { configuration.networkServiceType = serviceType.foundation }
        if let requestTimeout { configuration.timeoutIntervalForRequest = requestTimeout.foundation }
        if let resourceTimeout { configuration.timeoutIntervalForResource = resourceTimeout.foundation }
        if let maximumConnectionsPerHost { configuration.httpMaximumConnectionsPerHost = maximumConnectionsPerHost }
        if let allowsCellularAccess { configuration.allowsCellularAccess = allowsCellularAccess }
        if let proxy { configuration.connectionProxyDictionary = proxy.foundation }
        if !headers.isEmpty {
            configuration.httpAdditionalHeaders = Dictionary(headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        }
    }
}

extension SessionConfiguration.ServiceType {
    var foundation: URLRequest.NetworkServiceType {
        switch self {
        case .standard: .default
        case .background: .background
        case .video: .video
        case .voice: .voice
        }
    }
}

extension Duration {
    var foundation: TimeInterval { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
