import AdapterProtocol
import Glibc
import InternetAddresses
import LabKernel
import NIOCore
import NIOPosix
import NetworkMonitor
import OpenSSLTLS
import Record
import ScenarioLanguage
import TLSTestKit
import TestServer

/// The proxies of a lab. They listen beside the origin and make their connections from there.
final class LabProxies {
    private let servers: [ProxyServer]
    private let proxyNames: [String]
    /// Connecting blocks, which is not allowed on an event loop.
    private let threads: NIOThreadPool?

    init(
        scenario: Scenario, lab: Lab, seed: UInt64, authority: CertificateAuthority, group: any EventLoopGroup,
        capture: Capture?, record: @escaping @Sendable (ProxyFact) -> Void
    ) throws(LabError) {
        guard !scenario.proxies.isEmpty else {
            (servers, threads, proxyNames) = ([], nil, [])
            return
        }
        let threads = NIOThreadPool(numberOfThreads: 4)
        threads.start()
        self.threads = threads
        let dial = ProxyDialing.dialer(
            in: lab.internet, names: ProxyDNSResolver(plan: scenario.network.dns, origin: lab.originAddresses))
        var servers: [ProxyServer] = []
        do throws(LabError) {
            for plan in scenario.proxies {
                let server = ProxyServer(
                    plan: plan, seed: seed, breakpoints: LabProxies.breakpoints(of: plan, in: scenario),
                    tls: try LabProxies.tls(plan, lab, authority) { capture?.secret($0) }, group: group,
                    threads: threads, clock: { MonotonicClock.now() }, dial: dial, record: record)
                servers.append(server)
                try LabProxies.start(server, plan, lab)
            }
        } catch {
            for server in servers { try? server.stop().wait() }
            threads.shutdownGracefully { _ in }
            throw error
        }
        self.servers = servers
        proxyNames = scenario.proxies.map(\.name)
    }

    private static func breakpoints(of plan: ProxyPlan, in scenario: Scenario) -> [ProxyBreakpoint] {
        scenario.breakpoints.compactMap { breakpoint in
            guard case .proxy(let moment) = breakpoint, moment.proxy == plan.name,
                case .carried(let direction, let bytes, let request) = moment.event
            else { return nil }
            return ProxyBreakpoint(direction: direction, bytes: bytes, request: request)
        }
    }

    private static func start(_ server: ProxyServer, _ plan: ProxyPlan, _ lab: Lab) throws(LabError) {
        var sockets: [CInt] = []
        do throws(SystemCallError) {
            for address in lab.originAddresses {
                sockets.append(
                    try lab.internet.listenTCP(
                        on: InternetAddresses.SocketAddress(address, port: UInt16(clamping: plan.port))
                    )
                    .release())
            }
        } catch {
            for socket in sockets { _ = OwnedDescriptor(adopting: socket) }
            throw .failed("cannot create a socket for the proxy \(plan.name): \(error)")
        }
        do { try server.start(on: sockets).wait() } catch {
            throw .failed("cannot start the proxy \(plan.name): \(error)")
        }
    }

    private static func tls(
        _ plan: ProxyPlan, _ lab: Lab, _ authority: CertificateAuthority, keyLog: @escaping @Sendable (String) -> Void
    ) throws(LabError) -> TLSContext? {
        switch plan.kind {
        case .http, .socks5: return nil
        case .https: break
        }
        do throws(TLSError) {
            return try OriginIdentity.context(
                for: plan.tls, authority: authority, hosts: [ProxyPlan.host],
                addresses: lab.originAddresses.map(\.description),
                keyLog: keyLog)
        } catch {
            throw .failed("cannot issue the certificate of the proxy \(plan.name): \(error)")
        }
    }

    func release(_ moment: ProxyMoment) {
        guard case .carried(let direction, let bytes, let request) = moment.event else { return }
        server(moment.proxy)?.resumeBreakpoint(ProxyBreakpoint(direction: direction, bytes: bytes, request: request))
    }

    func change(_ change: ProxyChange) { server(change.proxy)?.change(change) }

    private func server(_ name: String) -> ProxyServer? { zip(proxyNames, servers).first { $0.0 == name }?.1 }

    func stop() {
        // An error on closing is ignored: the socket is closed in any case.
        for server in servers { try? server.stop().wait() }
        threads?.shutdownGracefully { _ in }
    }
}
