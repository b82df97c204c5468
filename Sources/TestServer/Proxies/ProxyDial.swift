/// A connection that a proxy has made; the descriptor belongs to whoever gets it.
package struct ProxyConnection: Hashable, Sendable {
    package var descriptor: CInt
    /// The proxy's own end.
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

/// Why a proxy cannot reach its target.
package enum ProxyDialError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownName(String)
    case refused(String)
    case unreachable(String)
    case timedOut(String)

    package var description: String {
        switch self {
        case .unknownName(let host): "nobody knows the name \(host)"
        case .refused(let target): "\(target) refuses the connection"
        case .unreachable(let target): "\(target) cannot be reached"
        case .timedOut(let target): "\(target) does not answer"
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

/// Makes a proxy's connections; it may block, and is called on a thread that may.
package typealias ProxyDialer = @Sendable (ProxyTarget) -> Result<ProxyConnection, ProxyDialError>
