import InternetAddresses
import LabKernel
package import NIOCore
import NetworkMonitor
import OpenSSLTLS
package import Record
package import ScenarioLanguage
import Synchronization
package import TLSTestKit
import TestServer

/// The origin and the name server of a lab, on sockets created inside its internet namespace.
package final class LabServers {
    private let origin: Origin
    private let dns: DNSServer
    private let proxies: LabProxies
    private let authority: CertificateAuthority
    private let group: any EventLoopGroup

    package init(
        scenario: Scenario, lab: Lab, seed: UInt64, authority: CertificateAuthority, group: any EventLoopGroup,
        capture: Capture?, record: @escaping @Sendable (RecordEntry.Fact) -> Void
    ) throws(LabError) {
        self.authority = authority
        self.group = group
        let tls = try scenario.origin.tls.map { plan throws(LabError) in
            try LabServers.tls(plan, scenario, lab, authority) { capture?.secret($0) }
        }
        let breakpoints: [(Int, Int64)] = scenario.breakpoints.compactMap {
            if case .response(let request, let bytes) = $0 { (request, bytes) } else { nil }
        }
        origin = Origin(
            plan: scenario.origin, seed: seed, tls: tls, breakpoints: breakpoints,
            group: group,
            clock: { MonotonicClock.now() }, record: { record(.server($0)) })
        let origin = origin
        let sockets = try LabSockets(
            lab: lab, isSecure: tls != nil, namesOverTCP: scenario.network.dns.resolver.acceptsTCP)
        do {
            let started: EventLoopFuture<Void> = origin.start(plain: sockets.plain, tls: sockets.secure)
            try started.wait()
            let service = try DNSService(
                plan: scenario.network.dns, families: scenario.network.families, nat64: scenario.network.nat64,
                hosts: [],
                origin4: Addressing.origin4, origin6: Addressing.origin6, servers: Addressing.nameServers)
            let serving: EventLoopFuture<DNSServer> = DNSServer.start(
                service, udp: sockets.dnsUDP, tcp: sockets.dnsTCP, on: group, record: { record(.name($0)) })
            dns = try serving.wait()
        } catch {
            LabServers.wait(for: origin.stop())
            throw .origin("\(error)")
        }
        do throws(LabError) {
            proxies = try LabProxies(
                scenario: scenario, lab: lab, seed: seed, authority: authority, group: group, capture: capture,
                record: { record(.proxy($0)) })
        } catch {
            LabServers.wait(for: dns.stop(on: group.next()))
            LabServers.wait(for: origin.stop())
            throw error
        }
    }

    private static func tls(
        _ plan: TLSPlan, _ scenario: Scenario, _ lab: Lab, _ authority: CertificateAuthority,
        keyLog: @escaping @Sendable (String) -> Void
    ) throws(LabError) -> TLSContext {
        let listed = scenario.network.dns.rules.map(\.host).filter { $0 != "*" }
        do throws(TLSError) {
            return try OriginIdentity.context(
                for: plan, authority: authority, hosts: [Addressing.defaultHost, "*.test"] + listed,
                addresses: lab.originAddresses.map(\.description), keyLog: keyLog)
        } catch {
            throw .origin("cannot issue its certificate: \(error)")
        }
    }

    package var authorityPEM: String { authority.certificatePEM }
    package var authorityHash: String { authority.subjectHash }

    /// Lets the server continue that pauses here; links are resumed by the lab.
    package func release(_ breakpoint: Breakpoint) {
        switch breakpoint {
        case .response(let request, let bytes): origin.resumeBreakpoint(request: request, bytes: bytes)
        case .proxy(let moment): proxies.release(moment)
        case .packet: break
        }
    }

    package func change(_ change: ProxyChange) { proxies.change(change) }

    package func change(_ rule: DNSRule) throws(LabError) {
        do { try dns.change(rule) } catch { throw .failed("\(error)") }
    }

    package func stop() {
        proxies.stop()
        LabServers.wait(for: dns.stop(on: group.next()))
        LabServers.wait(for: origin.stop())
    }

    /// Waits for a server to stop. An error is ignored: the socket is closed in any case. A run's own thread may block;
    /// an event loop must not.
    private static func wait(for future: EventLoopFuture<Void>) { try? future.wait() }
}

/// Bound sockets of the origin and the name server, owned by NIO after the servers start.
private struct LabSockets {
    var plain: [CInt] = []
    var secure: [CInt] = []
    var dnsUDP: [CInt] = []
    var dnsTCP: [CInt] = []

    init(lab: Lab, isSecure: Bool, namesOverTCP: Bool) throws(LabError) {
        do throws(SystemCallError) {
            for address in lab.originAddresses {
                plain.append(try lab.internet.listenTCP(on: SocketAddress(address, port: 80)).release())
                if isSecure {
                    secure.append(try lab.internet.listenTCP(on: SocketAddress(address, port: 443)).release())
                }
            }
            for address in lab.allNameServerAddresses {
                dnsUDP.append(try lab.internet.bindUDP(on: SocketAddress(address, port: 53)).release())
                if namesOverTCP {
                    dnsTCP.append(try lab.internet.listenTCP(on: SocketAddress(address, port: 53)).release())
                }
            }
        } catch {
            throw .failed("cannot create a server socket: \(error)")
        }
    }
}
