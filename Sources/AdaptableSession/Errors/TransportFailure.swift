import Glibc
import NIOCore
import OpenSSLTLS

/// The reason why an exchange, or the connection for it, failed.
enum TransportFailure: Error {
    /// The connection was established and closed before the response had ended.
    case lost(FailureReason)
    /// The received bytes are not an HTTP response.
    case malformed(FailureReason)
    /// The TLS handshake or a TLS record failed.
    case tls(TLSError)
    /// The connection was established and closed during the TLS handshake.
    case handshakeLost(FailureReason)
    /// No address belongs to the host name.
    case hostNotFound(FailureReason)
    /// No name server replied, or none could be reached.
    case nameServerSilent(FailureReason)
    /// The host has addresses, but none accepted the connection.
    case cannotConnect(FailureReason)
    /// No allowed interface has a route to the host.
    case noNetwork(FailureReason)
    case timedOut(FailureReason)
    /// HTTP/2: the server reset this stream with an error code (RFC 9113 §7); it may have processed the request.
    case reset(FailureReason)
    /// HTTP/2: the server refused this stream before processing the request.
    case streamRefused
    /// HTTP/2: the server requires HTTP/1.1 for this request (RFC 9113 §7); it has not processed it.
    case needsHTTP1
    /// HTTP/2: the server sent GOAWAY and has not processed this stream.
    case goneAway(served: Bool)
    /// HTTP/1.1: the request was sent behind another one, and the connection ended before its turn.
    case unanswered
    /// The proxy did not open a tunnel to the origin.
    case proxy(ProxyFailure)
    /// The request of the program cannot be sent.
    case unusable(FailureReason)
}

extension TransportFailure {
    /// Converts an error that NIO's channels and decoders throw on an established connection.
    init(onConnection error: any Error) {
        switch error {
        case let failure as TransportFailure: self = failure
        case let error as TLSError: self = error.isTruncation ? .lost("\(error)") : .tls(error)
        case ResponseSyntaxError.truncated: self = .lost("the connection ended inside the response")
        case let error as ResponseSyntaxError: self = .malformed(FailureReason("the response is not HTTP", error))
        case let error as IOError: self = .lost(FailureReason("the connection failed", error))
        default: self = .lost(FailureReason("the connection failed", error))
        }
    }
}

extension TLSError {
    var isTruncation: Bool { self == .truncated }
}

extension TransportFailure {
    init(_ failure: Dialer.Failure) {
        switch failure.reason {
        case .noSuchName: self = .hostNotFound("\(failure)")
        case .unanswered: self = .nameServerSilent("\(failure)")
        case .unreachable: self = .cannotConnect("\(failure)")
        case .refused:
            let reason = FailureReason("\(failure)", number: failure.errors.last.flatMap(ErrorDescription.number))
            let codes = failure.errors.compactMap { ($0 as? IOError)?.errnoCode }
            if !codes.isEmpty, codes.allSatisfy({ $0 == ENETUNREACH || $0 == ENETDOWN }) {
                self = .noNetwork(reason)
            } else if codes.contains(ETIMEDOUT) {
                self = .timedOut(reason)
            } else {
                self = .cannotConnect(reason)
            }
        }
    }
}
