import Glibc
import InternetAddresses
import LabKernel
import NetworkMonitor
import TestServer

/// Makes the connections of a proxy.
enum ProxyDialing {
    private static let timeout: Int64 = 10_000_000_000

    static func dialer(in namespace: NetworkNamespace, names: ProxyDNSResolver) -> ProxyDialer {
        { target in
            let addresses = names.addresses(of: target.host)
            guard !addresses.isEmpty else { return .failure(.unknownName(target.host)) }
            let port = UInt16(clamping: target.port)
            return connect(
                to: addresses.map { SocketAddress($0, port: port) }, in: namespace,
                place: "\(target.host):\(target.port)")
        }
    }

    /// Returns a dialer that connects every name to the origin and translates the ports of URLs to the ports served on
    /// the loopback interface.
    static func dialer(in namespace: NetworkNamespace, plain: UInt16, secure: UInt16?) -> ProxyDialer {
        { target in
            let port: UInt16? =
                switch target.port {
                case 80, Int(plain): plain
                case 443: secure
                case let other: secure.flatMap { Int($0) == other ? $0 : nil }
                }
            guard let port else { return .failure(.refused("\(target.host):\(target.port)")) }
            return connect(
                to: [SocketAddress(.loopbackV4, port: port)], in: namespace, place: "\(target.host):\(target.port)")
        }
    }

    /// Connects to the first of these addresses that accepts.
    static func connect(
        to addresses: [SocketAddress], in namespace: NetworkNamespace, place: String
    ) -> Result<ProxyConnection, ProxyDialError> {
        let deadline = MonotonicClock.deadline(after: timeout)
        var failure = ProxyDialError.unreachable(place)
        for address in addresses {
            do throws(SystemCallError) {
                let socket = try namespace.connectTCP(to: address)
                return .success(try connection(socket, to: address, until: deadline))
            } catch {
                failure = reason(error, place)
            }
        }
        return .failure(failure)
    }

    private static func connection(
        _ socket: consuming OwnedDescriptor, to wanted: SocketAddress, until deadline: Int64
    ) throws(SystemCallError) -> ProxyConnection {
        let ready = try socket.withRaw { raw throws(SystemCallError) in
            try Poller.wait(for: raw, .writable, until: deadline)
        }
        if ready.isEmpty { throw SystemCallError(call: "connect", errno: ETIMEDOUT) }
        if let error = socket.pendingError() { throw error }
        let local = try socket.localAddress()
        return ProxyConnection(
            descriptor: socket.release(), localAddress: local.address.description, localPort: Int(local.port),
            remoteAddress: wanted.address.description, remotePort: Int(wanted.port))
    }

    private static func reason(_ error: SystemCallError, _ place: String) -> ProxyDialError {
        switch error.errno {
        case ECONNREFUSED: .refused(place)
        case ETIMEDOUT: .timedOut(place)
        default: .unreachable(place)
        }
    }
}
