import Glibc
import NIOCore
import OpenSSLTLS

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
