import Foundation
import FoundationNetworking
import OpenSSLTLS

extension TransportFailure {
    /// The error that a task gets.
    func urlError(_ url: URL?) -> URLError { URLError.made(code, text, url) }

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
        case .streamRefused, .goneAway, .needsHTTP1: .networkConnectionLost
        case .proxy: .cannotConnectToHost
        case .unusable: .badURL
        }
    }

    var text: String {
        switch self {
        case .lost(let text), .malformed(let text), .handshakeLost(let text), .hostNotFound(let text), .nameServerSilent(let text), .cannotConnect(let text),
            .noNetwork(let text), .timedOut(let text), .unusable(let text), .reset(let text):
            text
        case .tls(let error): "\(error)"
        case .proxy(let failure): "\(failure)"
        case .streamRefused: "the server refused the stream"
        case .needsHTTP1: "the server takes this request over HTTP/1.1 only"
        case .goneAway: "the server is going away"
        }
    }
}

extension TLSError {
    fileprivate var code: URLError.Code {
        switch self {
        case .peerNotTrusted(_, let code): Self.code(ofVerification: code)
        case .alertReceived(42), .alertReceived(43), .alertReceived(44), .alertReceived(45), .alertReceived(46), .alertReceived(48):
            .clientCertificateRejected
        case .alertReceived(116): .clientCertificateRequired
        case .truncated: .networkConnectionLost
        case .library, .invalid, .alertReceived, .handshakeOrRecord, .notPossible: .secureConnectionFailed
        }
    }

    /// By OpenSSL's X509_V_ERR numbers, which are part of its interface.
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
    static func made(_ code: URLError.Code, _ text: String, _ url: URL?, _ more: [String: Any] = [:]) -> URLError {
        var information: [String: Any] = [NSLocalizedDescriptionKey: text]
        if let url {
            information[NSURLErrorFailingURLErrorKey] = url
        }
        information.merge(more) { _, new in new }
        return URLError(code, userInfo: information)
    }
}
