import Foundation
import FoundationNetworking
import OpenSSLTLS

extension TransportFailure {
    /// Returns the error with which the task completes.
    func urlError(_ url: URL?) -> URLError { URLError.made(code, reason.text, url, underlying: reason.underlyingError) }

    var code: URLError.Code {
        switch self {
        case .lost, .reset: .networkConnectionLost
        case .malformed: .cannotParseResponse
        case .tls(let error): error.code
        case .handshakeLost: .secureConnectionFailed
        case .hostNotFound, .nameServerSilent: .cannotFindHost
        case .cannotConnect: .cannotConnectToHost
        case .noNetwork: .notConnectedToInternet
        case .timedOut: .timedOut
        case .streamRefused, .goneAway, .needsHTTP1, .unanswered: .networkConnectionLost
        case .proxy: .cannotConnectToHost
        case .unusable: .badURL
        }
    }

    var reason: FailureReason {
        switch self {
        case .lost(let reason), .malformed(let reason), .handshakeLost(let reason), .hostNotFound(let reason),
            .nameServerSilent(let reason), .cannotConnect(let reason), .noNetwork(let reason), .timedOut(let reason),
            .unusable(let reason), .reset(let reason):
            reason
        case .tls(let error): FailureReason(error.description)
        case .proxy(let failure): FailureReason(failure.description)
        case .streamRefused: "the server refused the stream"
        case .needsHTTP1: "the server accepts this request over HTTP/1.1 only"
        case .goneAway: "the server is closing the connection (GOAWAY)"
        case .unanswered: "the connection ended before the response to a pipelined request"
        }
    }
}

extension TLSError {
    fileprivate var code: URLError.Code {
        switch self {
        case .peerNotTrusted(_, let code): Self.code(ofVerification: code)
        case .alertReceived(42), .alertReceived(43), .alertReceived(44), .alertReceived(45), .alertReceived(46),
            .alertReceived(48):
            .clientCertificateRejected
        case .alertReceived(116): .clientCertificateRequired
        case .truncated: .networkConnectionLost
        case .library, .invalid, .alertReceived, .handshakeOrRecord, .notPossible: .secureConnectionFailed
        }
    }

    /// Maps OpenSSL's X509_V_ERR numbers, which are part of its API.
    private static func code(ofVerification number: Int) -> URLError.Code {
        switch number {
        case 9, 13: .serverCertificateNotYetValid
        case 10, 14: .serverCertificateHasBadDate
        case 2, 18, 19, 20, 21: .serverCertificateHasUnknownRoot
        default: .serverCertificateUntrusted
        }
    }
}

extension URLError {
    private static let failingURLStringKey = "NSErrorFailingURLStringKey"

    static func made(
        _ code: URLError.Code, _ text: String, _ url: URL?, _ more: [String: Any] = [:], underlying: NSError? = nil
    ) -> URLError {
        var information: [String: Any] = [NSLocalizedDescriptionKey: text]
        if let url {
            information[NSURLErrorFailingURLErrorKey] = url
            // The value of NSURLErrorFailingURLStringErrorKey, which is deprecated but still read.
            information[failingURLStringKey] = url.absoluteString
        }
        if let underlying { information[NSUnderlyingErrorKey] = underlying }
        information.merge(more) { _, new in new }
        return URLError(code, userInfo: information)
    }

    /// Creates an error whose text is `text`, a colon and the description of `error`; errno becomes the underlying
    /// error.
    static func made(_ code: URLError.Code, _ text: String, because error: any Error, _ url: URL?) -> URLError {
        let reason = FailureReason(text, error)
        return made(code, reason.text, url, underlying: reason.underlyingError)
    }
}
