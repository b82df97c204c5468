import InternetAddresses
import LabKernel
package import LinkEngines
package import NIOCore
import NetworkMonitor
import OpenSSLTLS
package import Record
package import ScenarioLanguage
import Synchronization
package import TLSTestKit
import TestServer

/// The servers of a lab, on sockets created inside its internet namespace.
package final class LabServers {
    private let http: HTTPServers
    private let dns: DNSServer
    private let authority: CertificateAuthority
    private let group: any EventLoopGroup

    package init(
        scenario: Scenario, lab: Lab, seed: UInt64, authority: CertificateAuthority, group: any EventLoopGroup,
        capture: Capture?, record: @escaping @Sendable (RecordEntry.Fact) -> Void
    ) throws(LabError) {
        self.authority = authority
        self.group = group
        let names = ProxyDNSResolver(plan: scenario.network.dns, origin: lab.originAddresses)
        http = try HTTPServers(
            scenario,
            at: ServerPlace(
                kind: .lab, network: lab.internet, addresses: lab.originAddresses,
                originHosts: [Addressing.defaultHost, "*.test"]
                    + scenario.network.dns.rules.map(\.host).filter { $0 != "*" },
                proxyHosts: [ProxyPlan.host], seed: seed, authority: authority, group: group,
                keyLog: { capture?.secret($0) }, record: record,
                dialer: { _, _ in ProxyDialing.dialer(in: lab.internet, names: names) }),
            port: 80, securePort: 443)
        do {
            let sockets = try DNSSockets(lab: lab, acceptsTCP: scenario.network.dns.resolver.acceptsTCP)
            let service = try DNSService(
                plan: scenario.network.dns, families: scenario.network.families, nat64: scenario.network.nat64,
                hosts: [],
                origin4: Addressing.origin4, origin6: Addressing.origin6, servers: Addressing.nameServers)
            let serving: EventLoopFuture<DNSServer> = DNSServer.start(
                service, udp: sockets.udp, tcp: sockets.tcp, on: group, record: { record(.name($0)) })
            dns = try serving.wait()
        } catch {
            http.stop()
            throw error as? LabError ?? .origin("\(error)")
        }
    }

    package var authorityPEM: String { authority.certificatePEM }
    package var authorityHash: String { authority.subjectHash }

    /// Lets the server continue that pauses here; links are resumed by the lab.
    package func release(_ breakpoint: Breakpoint) { http.release(breakpoint) }

    /// Makes a change of a server, and ignores others.
    package func change(_ change: NetworkChange) throws(LabError) {
        guard case .name(let rule) = change else { return http.change(change) }
        do { try dns.change(rule) } catch { throw .failed("\(error)") }
    }

    func add(_ breakpoint: Breakpoint) { http.add(breakpoint) }

    func setFaults(_ faults: [Fault]) { http.setFaults(faults) }

    func replaceDNSRules(_ rules: [DNSRule]) throws(LabError) {
        do { try dns.replaceRules(rules) } catch { throw .failed("\(error)") }
    }

    func setNAT64(_ nat64: NAT64Plan?) throws(LabError) {
        do { try dns.setNAT64(nat64) } catch { throw .failed("\(error)") }
    }

    package func stop() {
        // An error on closing is ignored: the socket is closed in any case.
        let stopped: EventLoopFuture<Void> = dns.stop(on: group.next())
        try? stopped.wait()
        http.stop()
    }
}

/// Bound sockets of the name server, owned by NIO after it starts.
private struct DNSSockets {
    var udp: [CInt] = []
    var tcp: [CInt] = []

    init(lab: Lab, acceptsTCP: Bool) throws(LabError) {
        do throws(SystemCallError) {
            for address in lab.allNameServerAddresses.map({ SocketAddress($0, port: 53) }) {
                udp.append(try lab.internet.bindUDP(on: address).release())
                if acceptsTCP { tcp.append(try lab.internet.listenTCP(on: address).release()) }
            }
        } catch {
            throw .failed("cannot create a server socket: \(error)")
        }
    }
}
