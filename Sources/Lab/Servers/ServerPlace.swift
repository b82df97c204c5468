import InternetAddresses
import LabKernel
import LinkEngines
import NIOCore
import NetworkMonitor
import OpenSSLTLS
import Record
import ScenarioLanguage
import TLSTestKit
import TestServer

/// The network in which a scenario's servers listen, and the values that they share.
struct ServerPlace {
    enum Kind {
        case lab
        /// The loopback addresses of the machine's own network, of which only the first one has to be available.
        case loopback
    }

    struct Listening {
        var port: UInt16
        var descriptors: [CInt] = []
    }

    var kind: Kind
    var network: NetworkNamespace
    /// The addresses on which every server listens.
    var addresses: [IPAddress]
    /// The names in the certificate of the origin, and in those of proxies.
    var originHosts: [String]
    var proxyHosts: [String]
    var seed: UInt64
    var authority: CertificateAuthority
    var group: any EventLoopGroup
    var keyLog: (@Sendable (String) -> Void)?
    var record: @Sendable (RecordEntry.Fact) -> Void
    /// Returns the dialer of the proxies, given the ports of the origin.
    var dialer: (_ plain: UInt16, _ secure: UInt16?) -> ProxyDialer

    /// Listens on the same port of all addresses; 0 selects a free one.
    func listen(_ port: UInt16, for server: String = "a server socket") throws(LabError) -> Listening {
        var listening = Listening(port: port)
        for address in addresses {
            do throws(SystemCallError) {
                let socket = try network.listenTCP(on: SocketAddress(address, port: listening.port))
                listening.port = try socket.localAddress().port
                listening.descriptors.append(socket.release())
            } catch {
                // Only IPv4 is served on a machine without IPv6, or where another program uses that port.
                if kind == .loopback, !listening.descriptors.isEmpty { continue }
                for descriptor in listening.descriptors { _ = OwnedDescriptor(adopting: descriptor) }
                switch kind {
                case .lab: throw .failed("cannot create \(server): \(error)")
                case .loopback:
                    throw .machine(
                        "cannot listen on port \(port) of this machine: \(error)",
                        fix: "choose another one, or 0 for any")
                }
            }
        }
        return listening
    }

    func identity(_ plan: TLSPlan, hosts: [String]) throws(TLSError) -> TLSContext {
        try OriginIdentity.context(
            for: plan, authority: authority, hosts: hosts, addresses: addresses.map(\.description), keyLog: keyLog)
    }

    /// The error of a proxy that cannot be started.
    func failure(_ cause: String) -> LabError {
        switch kind {
        case .lab: .failed(cause)
        case .loopback: .origin(cause)
        }
    }
}
