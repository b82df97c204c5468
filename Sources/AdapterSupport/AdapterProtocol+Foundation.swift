package import AdapterProtocol
import Foundation
import FoundationNetworking

// The values of the wire protocol and the Foundation values that every implementation uses for them.

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

extension TaskEvent.StoredResponse {
    init(_ cached: some ClientCachedResponse) {
        self.init(response: TaskEvent.Response(cached.response), body: Array(cached.data))
    }
}

extension TaskEvent.Challenge {
    // FoundationNetworking does not declare the constants of these two methods.
    static let serverTrustMethod = "NSURLAuthenticationMethodServerTrust"
    static let clientCertificateMethod = "NSURLAuthenticationMethodClientCertificate"

    init(_ challenge: some ClientChallenge, level: Level) {
        let space = challenge.protectionSpace
        let method =
            switch space.authenticationMethod {
            case NSURLAuthenticationMethodHTTPBasic, "Basic": "httpBasic"
            case NSURLAuthenticationMethodHTTPDigest, "Digest": "httpDigest"
            case Self.serverTrustMethod: "serverTrust"
            case Self.clientCertificateMethod: "clientCertificate"
            case let word: word
            }
        self.init(
            level: level, method: method, realm: space.realm, host: space.host,
            previousFailureCount: challenge.previousFailureCount, isProxy: space.isProxy())
    }
}

extension ClientTask {
    /// The harness's name of the task, which the adapter gave it as its description.
    package var name: TaskName { TaskName(taskDescription ?? "task \(taskIdentifier)") }

    /// The URL of the current request; empty without one.
    var currentURL: String { currentRequest?.url?.absoluteString ?? "" }

    var inspected: TaskEvent {
        .inspected(
            state: "\(state)", bytesReceived: countOfBytesReceived, bytesSent: countOfBytesSent,
            expectedToReceive: countOfBytesExpectedToReceive, expectedToSend: countOfBytesExpectedToSend)
    }

    func listed(as kind: TaskDescription.Kind) -> ListedTask {
        ListedTask(
            kind: kind, task: taskDescription.map { TaskName($0) }, state: "\(state)", identifier: taskIdentifier,
            clientExpectsToSend: countOfBytesClientExpectsToSend,
            clientExpectsToReceive: countOfBytesClientExpectsToReceive)
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension SessionConfiguration.ServiceType {
    var value: URLRequest.NetworkServiceType {
        switch self {
        case .standard: .default
        case .background: .background
        case .video: .video
        case .voice: .voice
        }
    }
}

extension AdapterProtocol.CachePolicy {
    var value: URLRequest.CachePolicy {
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
    var value: HTTPCookie.AcceptPolicy {
        switch self {
        case .always: .always
        case .never: .never
        case .onlyFromMainDocumentDomain: .onlyFromMainDocumentDomain
        }
    }
}

extension CredentialPersistence {
    var value: URLCredential.Persistence {
        switch self {
        case .none: .none
        case .forSession: .forSession
        case .permanent: .permanent
        }
    }
}

extension StoredCredential.Method {
    var value: String {
        switch self {
        case .basic: NSURLAuthenticationMethodHTTPBasic
        case .digest: NSURLAuthenticationMethodHTTPDigest
        case .ntlm: NSURLAuthenticationMethodNTLM
        case .negotiate: NSURLAuthenticationMethodNegotiate
        }
    }
}
