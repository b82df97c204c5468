/// The error an implementation reported for a task.
package struct Failure: Hashable, Sendable {
    /// `NSURLErrorDomain` for the codes of `FailureCode`; an implementation may use others. Nil with `code` when the
    /// client reports only a class.
    package var domain: String?
    package var code: Int?
    package var text: String
    /// The class that the adapter reported.
    package var reportedClass: FailureClass?
    package init(domain: String, code: Int, text: String, class reportedClass: FailureClass? = nil) {
        self.domain = domain
        self.code = code
        self.text = text
        self.reportedClass = reportedClass
    }
    package init(class reportedClass: FailureClass, text: String) {
        self.text = text
        self.reportedClass = reportedClass
    }
    package static let urlErrorDomain = "NSURLErrorDomain"
    /// The documented name of the code, when it is a URL error.
    package var named: FailureCode? { domain == Failure.urlErrorDomain ? code.flatMap(FailureCode.init) : nil }
    /// The reported class; without one, the class of the URL error. Nil for a code of another domain.
    package var `class`: FailureClass? { reportedClass ?? named?.class }
    /// `networkConnectionLost (-1005)`, domain and code for a code without a documented name, or the class if it was
    /// reported alone.
    package var summary: String {
        guard let domain, let code else { return "class \(reportedClass?.rawValue ?? FailureClass.other.rawValue)" }
        let name = named.map { "\($0.name) (\(code))" } ?? "\(domain) \(code)"
        return name + (reportedClass.map { $0 == named?.class ? "" : ", class \($0.rawValue)" } ?? "")
    }
}

/// The kind of an error, which every client can report; `FailureCode` is URLSession's own vocabulary.
package enum FailureClass: String, CaseIterable, Hashable, Sendable {
    /// The client found no usable network and did not try.
    case offline
    /// A host name could not be resolved.
    case nameResolution
    /// No connection could be made.
    case refused
    /// An established connection ended before the response was complete.
    case lost
    /// The body ended before its announced end (RFC 9112 §8).
    case truncated
    /// A time limit of the client passed.
    case timedOut
    /// The TLS handshake failed, or a certificate was not accepted.
    case tlsRejected
    /// The response is not valid HTTP, or its content cannot be decoded.
    case malformedResponse
    /// The program cancelled the task.
    case cancelled
    /// Anything else, such as a file that cannot be read or too many redirects.
    case other
}

/// The documented URL error codes by the names that scenarios use (URLError.Code).
package enum FailureCode: Int, CaseIterable, Hashable, Sendable {
    case unknown = -1
    case backgroundSessionRequiresSharedContainer = -995
    case backgroundSessionInUseByAnotherProcess = -996
    case backgroundSessionWasDisconnected = -997
    case cancelled = -999
    case badURL = -1000
    case timedOut = -1001
    case unsupportedURL = -1002
    case cannotFindHost = -1003
    case cannotConnectToHost = -1004
    case networkConnectionLost = -1005
    case dnsLookupFailed = -1006
    case httpTooManyRedirects = -1007
    case resourceUnavailable = -1008
    case notConnectedToInternet = -1009
    case redirectToNonExistentLocation = -1010
    case badServerResponse = -1011
    case userCancelledAuthentication = -1012
    case userAuthenticationRequired = -1013
    case zeroByteResource = -1014
    case cannotDecodeRawData = -1015
    case cannotDecodeContentData = -1016
    case cannotParseResponse = -1017
    case internationalRoamingOff = -1018
    case callIsActive = -1019
    case dataNotAllowed = -1020
    case requestBodyStreamExhausted = -1021
    case appTransportSecurityRequiresSecureConnection = -1022
    case fileDoesNotExist = -1100
    case fileIsDirectory = -1101
    case noPermissionsToReadFile = -1102
    case dataLengthExceedsMaximum = -1103
    case secureConnectionFailed = -1200
    case serverCertificateHasBadDate = -1201
    case serverCertificateUntrusted = -1202
    case serverCertificateHasUnknownRoot = -1203
    case serverCertificateNotYetValid = -1204
    case clientCertificateRejected = -1205
    case clientCertificateRequired = -1206
    case cannotLoadFromNetwork = -2000
    case cannotCreateFile = -3000
    case cannotOpenFile = -3001
    case cannotCloseFile = -3002
    case cannotWriteToFile = -3003
    case cannotRemoveFile = -3004
    case cannotMoveFile = -3005

    package var name: String { "\(self)" }
    package init?(name: String) {
        guard let code = FailureCode.allCases.first(where: { $0.name == name }) else { return nil }
        self = code
    }

    /// The class of this code.
    package var `class`: FailureClass {
        switch self {
        case .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed: .offline
        case .cannotFindHost, .dnsLookupFailed: .nameResolution
        case .cannotConnectToHost: .refused
        case .networkConnectionLost: .lost
        case .timedOut: .timedOut
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            .tlsRejected
        case .badServerResponse, .zeroByteResource, .cannotDecodeRawData, .cannotDecodeContentData,
            .cannotParseResponse:
            .malformedResponse
        case .cancelled, .userCancelledAuthentication: .cancelled
        case .unknown, .badURL, .unsupportedURL, .httpTooManyRedirects, .resourceUnavailable,
            .redirectToNonExistentLocation, .userAuthenticationRequired, .requestBodyStreamExhausted,
            .appTransportSecurityRequiresSecureConnection, .fileDoesNotExist, .fileIsDirectory,
            .noPermissionsToReadFile, .dataLengthExceedsMaximum, .cannotLoadFromNetwork, .cannotCreateFile,
            .cannotOpenFile, .cannotCloseFile, .cannotWriteToFile, .cannotRemoveFile, .cannotMoveFile,
            .backgroundSessionRequiresSharedContainer, .backgroundSessionInUseByAnotherProcess,
            .backgroundSessionWasDisconnected:
            .other
        }
    }
}
