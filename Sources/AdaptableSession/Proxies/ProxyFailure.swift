/// Why a proxy did not open the way to an origin.
package enum ProxyFailure: Error, Equatable, Sendable {
    /// An answer to CONNECT other than 2xx. 407: ask again with credentials, on a new connection.
    case refused(status: Int, fields: HeaderFields)
    case socks(SOCKSHandshake.Failure)
    /// It broke off, or does not speak HTTP.
    case failed(String)
}

extension ProxyFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(407, _): "the proxy wants credentials"
        case .refused(let status, _): "the proxy refused the tunnel with status \(status)"
        case .socks(let failure): failure.description
        case .failed(let reason): reason
        }
    }
}
