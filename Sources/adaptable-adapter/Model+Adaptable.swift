import AdaptableSession
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
    init(_ challenge: AdaptableSessionAuthenticationChallenge, level: String) {
        let space = challenge.protectionSpace
        let method =
            switch space.authenticationMethod {
            case NSURLAuthenticationMethodHTTPBasic, "Basic": "httpBasic"
            case NSURLAuthenticationMethodHTTPDigest, "Digest": "httpDigest"
            case AdaptableSessionAuthenticationChallenge.serverTrustMethod: "serverTrust"
            case AdaptableSessionAuthenticationChallenge.clientCertificateMethod: "clientCertificate"
            case let word: word
            }
        self.init(
            level: level, method: method, realm: space.realm, host: space.host,
            previousFailureCount: challenge.previousFailureCount, isProxy: space.isProxy())
    }
}

extension TaskEvent {
    static func inspected(_ task: AdaptableSessionTask) -> TaskEvent {
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
    /// The first setting of this configuration that AdaptableSession does not offer.
    var missingInAdaptable: Capability? {
        if kind == .background { return .backgroundSession }
        return nil
    }

    var newConfiguration: AdaptableSessionConfiguration {
        switch kind {
        case .standard, .background, .shared: .default
        case .ephemeral: .ephemeral
        }
    }

    /// Writes the given settings except the stores.
    func write(to configuration: AdaptableSessionConfiguration) {
        if let serviceType { configuration.networkServiceType = serviceType.adaptable }
        if let proxy { configuration.connectionProxyDictionary = proxy.adaptable }
        if let waitsForConnectivity { configuration.waitsForConnectivity = waitsForConnectivity }
        if let requestTimeout { configuration.timeoutIntervalForRequest = requestTimeout.adaptable }
        if let resourceTimeout { configuration.timeoutIntervalForResource = resourceTimeout.adaptable }
        if let maximumConnectionsPerHost { configuration.httpMaximumConnectionsPerHost = maximumConnectionsPerHost }
        if let allowsCellularAccess { configuration.allowsCellularAccess = allowsCellularAccess }
        if let minimumTLSVersion { configuration.tlsMinimumSupportedProtocolVersion = minimumTLSVersion.adaptable }
        if let maximumTLSVersion { configuration.tlsMaximumSupportedProtocolVersion = maximumTLSVersion.adaptable }
        if !headers.isEmpty {
            configuration.httpAdditionalHeaders = Dictionary(headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        }
    }
}

extension SessionConfiguration.ServiceType {
    var adaptable: URLRequest.NetworkServiceType {
        switch self {
        case .standard: .default
        case .background: .background
        case .video: .video
        case .voice: .voice
        }
    }
}

extension Duration {
    var adaptable: TimeInterval { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension TLSVersion {
    var adaptable: AdaptableTLSVersion {
        switch self {
        case .tls10: .TLSv10
        case .tls11: .TLSv11
        case .tls12: .TLSv12
        case .tls13: .TLSv13
        }
    }
}

extension AdapterProtocol.CachePolicy {
    var adaptable: URLRequest.CachePolicy {
        switch self {
        case .useProtocolCachePolicy: .useProtocolCachePolicy
        case .reloadIgnoringLocalCacheData: .reloadIgnoringLocalCacheData
        case .reloadIgnoringLocalAndRemoteCacheData: .reloadIgnoringLocalAndRemoteCacheData
        case .returnCacheDataElseLoad: .returnCacheDataElseLoad
        case .returnCacheDataDontLoad: .returnCacheDataDontLoad
        case .reloadRevalidatingCacheData: .reloadRevalidatingCacheData
        }
    }
}

extension CookieSettings.Acceptance {
    var adaptable: HTTPCookie.AcceptPolicy {
        switch self {
        case .always: .always
        case .never: .never
        case .onlyFromMainDocumentDomain: .onlyFromMainDocumentDomain
        }
    }
}

extension CredentialPersistence {
    var adaptable: URLCredential.Persistence {
        switch self {
        case .none: .none
        case .forSession: .forSession
        case .permanent: .permanent
        }
    }
}

extension TaskEvent.StoredResponse {
    init(_ cached: AdaptableCachedURLResponse) {
        self.init(response: TaskEvent.Response(cached.response), body: Array(cached.data))
    }
}
