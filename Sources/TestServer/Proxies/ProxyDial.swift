/// A connection that a proxy has made; its receiver owns the descriptor.
package struct ProxyConnection: Hashable, Sendable {
    package var descriptor: CInt
    /// The address of the proxy's end.
    package var localAddress: String
    package var localPort: Int
    package var remoteAddress: String
    package var remotePort: Int
    package init(descriptor: CInt, localAddress: String, localPort: Int, remoteAddress: String, remotePort: Int) {
        self.descriptor = descriptor
        self.localAddress = localAddress
        self.localPort = localPort
        self.remoteAddress = remoteAddress
        self.remotePort = remotePort
    }
}

/// The reason why a proxy cannot reach its target.
package enum ProxyDialError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownName(String)
    case refused(String)
    case unreachable(String)
    case timedOut(String)

    package var description: String {
        switch self {
        case .unknownName(let host): "the host name \(host) does not exist"
        case .refused(let target): "\(target) refused the connection"
        case .unreachable(let target): "\(target) cannot be reached"
        case .timedOut(let target): "\(target) does not respond"
        }
    }

    /// RFC 9110 §15.6.3, §15.6.5.
    var status: Int {
        switch self {
        case .unknownName, .refused, .unreachable: 502
        case .timedOut: 504
        }
    }

    /// RFC 1928 §6.
    var socksReply: UInt8 {
        switch self {
        case .unknownName: 4
        case .refused: 5
        case .unreachable: 3
        case .timedOut: 4
        }
    }
}

/// Makes a proxy's connections; it may block, and is called on a thread where that is allowed.
package typealias ProxyDialer = @Sendable (ProxyTarget) -> Result<ProxyConnection, ProxyDialError>
