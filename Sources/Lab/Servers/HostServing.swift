import AdapterProtocol
import Foundation
import NIOCore
import NIOPosix
import NetworkMonitor
import OpenSSLTLS
package import Record
import ScenarioLanguage
import TLSTestKit
import TestServer

/// Serves a scenario's origin and proxies on this machine's loopback interface, for use with curl: without a lab, root
/// or an adapter.
package final class HostServing {
    package let places: ServedEndpoints
    private let origin: Origin
    private let proxies: [ProxyServer]
    private let threads: NIOThreadPool

    /// `record` is called in order, on the servers' event loop.
    package init(_ settings: ServeSettings, record: @escaping @Sendable (RecordEntry) -> Void) throws(LabError) {
        let scenario = settings.scenario
        let host = try HostSockets()
        let authority: CertificateAuthority
        do throws(TLSError) { authority = try CertificateAuthority.make(commonName: "Crosswind serve") } catch {
            throw .origin("cannot create its certificate authority: \(error)")
        }
        let note: @Sendable (RecordEntry.Fact) -> Void = { record(RecordEntry(time: MonotonicClock.now(), fact: $0)) }
        let group = MultiThreadedEventLoopGroup.singleton
        let tls = try scenario.origin.tls.map { plan throws(LabError) in
            try HostServing.tls(
                plan, authority,
                hosts: ["localhost", Addressing.defaultHost, "*.test"] + HostServing.hosts(of: scenario))
        }
        let plain = try host.listen(settings.port)
        let secure = try tls.map { _ throws(LabError) in try host.listen(settings.securePort) }
        let origin = Origin(
            plan: scenario.origin, seed: settings.seed, tls: tls, group: group, clock: { MonotonicClock.now() },
            record: { note(.server($0)) })
        let started: EventLoopFuture<Void> = origin.start(plain: plain.descriptors, tls: secure?.descriptors ?? [])
        do { try started.wait() } catch { throw .origin("\(error)") }
        threads = NIOThreadPool(numberOfThreads: 2)
        threads.start()
        var places = ServedEndpoints(port: plain.port, securePort: secure?.port)
        var proxies: [ProxyServer] = []
        let dial = host.dialer(plain: plain.port, secure: secure?.port)
        for plan in scenario.proxies {
            let sockets = try host.listen(0)
            let identity =
                plan.kind == .https
                ? try HostServing.tls(plan.tls, authority, hosts: ["localhost", ProxyPlan.host]) : nil
            let server = ProxyServer(
                plan: plan, seed: settings.seed, tls: identity, group: group, threads: threads,
                clock: { MonotonicClock.now() },
                dial: dial, record: { note(.proxy($0)) })
            do { try server.start(on: sockets.descriptors).wait() } catch {
                throw .origin("cannot start the proxy \(plan.name): \(error)")
            }
            proxies.append(server)
            places.proxies.append(ServedEndpoints.Proxy(name: plan.name, url: HostServing.url(plan.kind, sockets.port)))
        }
        if tls != nil || scenario.proxies.contains(where: { $0.kind == .https }) {
            try HostServing.write(authority.certificatePEM, to: settings.authorityFile)
            places.authorityFile = settings.authorityFile
        }
        self.origin = origin
        self.proxies = proxies
        self.places = places
    }

    /// The number of connections and requests so far.
    package var counts: (connections: Int, requests: Int) { (origin.counts.connections, origin.counts.requests) }

    package func stop() {
        // An error on closing is ignored: the socket is closed in any case.
        for proxy in proxies { try? proxy.stop().wait() }
        let stopped: EventLoopFuture<Void> = origin.stop()
        try? stopped.wait()
        threads.shutdownGracefully { _ in }
    }

    private static func url(_ kind: ProxyAddress.Kind, _ port: UInt16) -> String {
        switch kind {
        case .http: "http://localhost:\(port)"
        case .https: "https://localhost:\(port)"
        case .socks5: "socks5h://localhost:\(port)"
        }
    }

    private static func hosts(of scenario: Scenario) -> [String] {
        let listed =
            scenario.network.dns.rules.map(\.host).filter { $0 != "*" } + scenario.origin.routes.compactMap(\.host)
        return Array(Set(listed)).sorted()
    }

    private static func tls(_ plan: TLSPlan, _ authority: CertificateAuthority, hosts: [String]) throws(LabError)
        -> TLSContext
    {
        do throws(TLSError) {
            return try OriginIdentity.context(
                for: plan, authority: authority, hosts: hosts, addresses: ["127.0.0.1", "::1"])
        } catch {
            throw .origin("cannot issue its certificate: \(error)")
        }
    }

    private static func write(_ text: String, to path: String) throws(LabError) {
        do {
            let url = URL(fileURLWithPath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        } catch {
            throw .cannotWrite(path: path, reason: reasonText(error), option: "--ca")
        }
    }
}
