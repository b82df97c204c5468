/// The reason why a proxy did not open a tunnel to an origin.
package enum ProxyFailure: Error, Equatable, Sendable {
    /// A response to CONNECT other than 2xx. After a 407 the request is repeated with credentials, on a new connection.
    case refused(status: Int, fields: HeaderFields)
    case socks(SOCKSHandshake.Failure)
    /// The connection ended, or the proxy does not use HTTP.
    case failed(String)
}

extension ProxyFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(407, _): "the proxy requires credentials"
        case .refused(let status, _): "the proxy refused the tunnel with status \(status)"
        case .socks(let failure): failure.description
        case .failed(let reason): reason
        }
    }
}
