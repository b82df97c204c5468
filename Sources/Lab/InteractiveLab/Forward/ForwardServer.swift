import Foundation
import InternetAddresses
import LabKernel
import LinkEngines
import NIOCore
import NIOPosix
import NetworkMonitor
import OpenSSLTLS
import ScenarioLanguage
import Synchronization
import TLSTestKit

/// Serves all forwards of an interactive lab: listens inside the lab's internet, connects on the host, and joins the
/// two connections.
final class ForwardServer: Sendable {
    /// Events of forwarded names.
    enum Event: Sendable {
        case accepted(String)
        /// A problem to show at the terminal; repeated texts are shown once.
        case problem(String)
    }

    private let host: HostNetwork
    private let group: any EventLoopGroup
    /// Connecting blocks, which is not allowed on an event loop.
    private let connectors = NIOThreadPool(numberOfThreads: 8)
    private let listeners = Mutex<[any Channel]>([])
    private let record: @Sendable (Event) -> Void

    private static let connectTime: Int64 = 10_000_000_000

    init(
        _ plan: ForwardPlan, lab: Lab, authority: CertificateAuthority, group: any EventLoopGroup, capture: Capture?,
        host: HostNetwork, record: @escaping @Sendable (Event) -> Void
    ) throws(LabError) {
        self.host = host
        self.group = group
        self.record = record
        connectors.start()
        try ForwardServer.addAddresses(plan, lab)
        do throws(LabError) {
            for entry in plan.entries { try serve(entry, lab, authority, capture) }
        } catch {
            stop()
            throw error
        }
    }

    func stop() {
        for listener in listeners.withLock({ $0 }) { try? listener.close().wait() }
        // Not waited for: an unresponsive host must not delay the end.
        connectors.shutdownGracefully { _ in }
    }

    private static func addAddresses(_ plan: ForwardPlan, _ lab: Lab) throws(LabError) {
        do throws(NetlinkError) {
            let netlink = try NetlinkSocket(in: lab.internet)
            let loopback = try netlink.link(named: "lo").index
            for (_, addresses) in plan.names {
                for address in addresses { try netlink.addAddress(AddressPrefix(host: address), to: loopback) }
            }
        } catch {
            throw .failed("\(error)")
        }
    }

    private func serve(
        _ entry: ForwardPlan.Entry, _ lab: Lab, _ authority: CertificateAuthority, _ capture: Capture?
    ) throws(LabError) {
        let forward = entry.forward
        let route = try route(entry, authority, capture)
        for address in entry.addresses {
            let socket: CInt
            do throws(SystemCallError) {
                socket = try lab.internet.listenTCP(on: SocketAddress(address, port: forward.port)).release()
            } catch {
                throw .failed("cannot create a socket for \(forward.place): \(error)")
            }
            do {
                let listener = try bootstrap(route).withBoundSocket(socket).wait()
                listeners.withLock { $0.append(listener) }
            } catch {
                throw .failed("cannot start a server for \(forward.place): \(error)")
            }
        }
    }

    /// The targets and the TLS settings of one forward.
    private struct Route: Sendable {
        var forward: Forward
        var targets: [InternetAddresses.SocketAddress]
        var server: TLSContext?
        /// The TLS to the host, by the protocols that it offers; empty if the host does not use TLS.
        var clients: [[String]: TLSContext] = [:]
        var serverName: String
    }

    private func route(
        _ entry: ForwardPlan.Entry, _ authority: CertificateAuthority, _ capture: Capture?
    ) throws(LabError) -> Route {
        let forward = entry.forward
        var route = Route(forward: forward, targets: entry.targets, serverName: entry.serverName)
        do {
            switch forward.treatment {
            case .passthrough: break
            case .terminate:
                // Without TLS to the host the protocol must be known here; otherwise the host selects it.
                let known = forward.speaksHTTP2 ? ForwardProtocols.http2 : ForwardProtocols.http1
                let protocols = entry.trust == nil ? known : ForwardProtocols.both
                let identity = try authority.issue(
                    CertificateRequest(commonName: forward.name, dnsNames: [forward.name]))
                route.server = try TLSContext.server(
                    ServerTLSOptions(identity: identity, alpn: protocols, keyLog: { capture?.secret($0) }))
                guard let trust = try hostTrust(entry) else { break }
                for offered in [ForwardProtocols.both, ForwardProtocols.http2, ForwardProtocols.http1] {
                    route.clients[offered] = try TLSContext.client(ClientTLSOptions(trust: trust, alpn: offered))
                }
            }
        } catch let error as LabError {
            throw error
        } catch {
            throw .failed("cannot prepare TLS for \(forward.place): \(error)")
        }
        return route
    }

    /// Returns the certificates that are accepted from the host, with a warning where they protect nothing; nil if the
    /// host does not use TLS.
    private func hostTrust(_ entry: ForwardPlan.Entry) throws(LabError) -> ServerTrust? {
        let forward = entry.forward
        switch entry.trust {
        case nil:
            if !entry.targets.allSatisfy(\.address.isLoopback) {
                record(
                    .problem(
                        "--forward \(forward.place): WARNING: decrypted traffic continues in the clear to \(forward.target); write "
                            + "https://\(forward.target) to use TLS there as well"))
            }
            return nil
        case .machineAuthorities:
            guard let roots = MachineAuthorities.text() else {
                throw LabError.machine(
                    "--forward \(forward.place): the server's certificate cannot be verified, because this machine does not have a list of "
                        + "certificate authorities",
                    fix: "install ca-certificates, set SSL_CERT_FILE, or write tls=terminate-unverified")
            }
            return .roots(roots)
        case .everyone(let isRequested):
            if isRequested {
                record(
                    .problem(
                        "--forward \(forward.place): WARNING: the certificate of \(forward.target) is not verified; anyone between "
                            + "this machine and that server can read and change the traffic"))
            }
            return .everyone
        }
    }

    private func bootstrap(_ route: Route) -> ServerBootstrap {
        let server = self
        return ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let negotiates = !route.clients.isEmpty
                    let half = ForwardHalf(
                        readsAlone: negotiates, began: { if !negotiates { server.connect($0, of: channel, route) } },
                        failed: { error in
                            server.record(.problem("\(route.forward.place): TLS with the program failed: \(error)"))
                        })
                    let pipeline = channel.pipeline.syncOperations
                    if negotiates {
                        try pipeline.addHandler(server.negotiating(half, channel, route))
                    } else if let tls = route.server {
                        try pipeline.addHandler(try TLSServerHandler(context: tls))
                    }
                    try pipeline.addHandler(half)
                }
            }
    }

    /// Returns the handler of a program's TLS whose handshake waits until the host has selected the protocol.
    private func negotiating(
        _ half: ForwardHalf, _ channel: any Channel, _ route: Route
    ) throws(TLSError) -> TLSServerHandler {
        guard let tls = route.server else { preconditionFailure("a forward that negotiates terminates TLS") }
        let gate = ForwardGate()
        let connection = try TLSConnection(server: tls, gate: gate)
        return TLSServerHandler(connection) { _, handler, context in
            let offered = ForwardProtocols.offered(connection.hello?.alpn ?? [])
            self.connect(half, of: channel, route, offering: offered) { info in
                gate.acceptedProtocols = [info.alpn ?? "http/1.1"]
                handler.continueHandshake(context)
            }
        }
    }

    /// Connects to the host and joins the two connections; `agreed` is called at the end of the host's TLS handshake.
    private func connect(
        _ near: ForwardHalf, of channel: any Channel, _ route: Route, offering protocols: [String] = [],
        agreed: @escaping (TLSInfo) -> Void = { _ in }
    ) {
        record(.accepted(route.forward.place))
        let (host, loop, note) = (host, channel.eventLoop, record)
        let near = NIOLoopBound(near, eventLoop: loop)
        let agreed = NIOLoopBound(agreed, eventLoop: loop)
        connectors.runIfActive(eventLoop: loop) {
            try host.connect(to: route.targets, until: MonotonicClock.deadline(after: ForwardServer.connectTime))
                .release()
        }.flatMap { socket -> EventLoopFuture<Void> in
            guard channel.isActive else {
                _ = OwnedDescriptor(adopting: socket)
                return loop.makeSucceededVoidFuture()
            }
            let far = NIOLoopBound(
                ForwardHalf(
                    agreed: agreed.value,
                    failed: { error in
                        note(.problem("\(route.forward.place): TLS with \(route.forward.target) failed: \(error)"))
                    }), eventLoop: loop)
            return ClientBootstrap(group: loop)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let tls = route.clients[protocols] {
                            try pipeline.addHandler(try TLSClientHandler(context: tls, serverName: route.serverName))
                        }
                        try pipeline.addHandler(far.value)
                    }
                }
                .withConnectedSocket(socket).map { _ in ForwardHalf.join(near.value, far.value) }
        }.whenFailure { error in
            let reason = (error as? SystemCallError)?.cause ?? "\(error)"
            note(
                .problem("\(route.forward.place): cannot connect to \(route.forward.target) on this machine: \(reason)")
            )
            near.value.reset()
        }
    }
}

/// The certificate authorities that this machine trusts.
enum MachineAuthorities {
    /// The locations in common distributions; `SSL_CERT_FILE` takes precedence, as in OpenSSL.
    private static let places = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// In PEM; nil without such a list.
    static func text() -> String? {
        ([ProcessInfo.processInfo.environment["SSL_CERT_FILE"]].compactMap(\.self) + places).lazy.compactMap {
            try? String(contentsOfFile: $0, encoding: .utf8)
        }.first
    }
}
