/// The error an implementation reported for a task.
package struct Failure: Hashable, Sendable {
    /// `NSURLErrorDomain` for the codes of `FailureCode`; an implementation may use others.
    package var domain: String
    package var code: Int
    package var text: String
    package init(domain: String, code: Int, text: String) {
        self.domain = domain
        self.code = code
        self.text = text
    }
    package static let urlErrorDomain = "NSURLErrorDomain"
    /// The documented name of the code, when it is a URL error.
    package var named: FailureCode? { domain == Failure.urlErrorDomain ? FailureCode(rawValue: code) : nil }
    /// `networkConnectionLost (-1005)`, or domain and code for a code without a documented name.
    package var summary: String { named.map { "\($0.name) (\(code))" } ?? "\(domain) \(code)" }
}

/// The documented URL error codes by the names that scenarios use (URLError.Code).
package enum FailureCode: Int, CaseIterable, Hashable, Sendable {
    case unknown = -1
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
}
