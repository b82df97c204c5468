import AdapterProtocol
import Foundation
import InternetAddresses
import LabKernel
package import LinkEngines
import NIOPosix
package import NetworkMonitor
import OpenSSLTLS
package import Record
import ScenarioLanguage
import TLSTestKit
import TestServer

/// Serves a scenario's origin and proxies on this machine's loopback interface, for use with curl: without a lab, root
/// or an adapter. Plays the changes of the timeline that concern the servers.
package final class HostServing: LabDriverDelegate {
    package private(set) var places: ServedEndpoints
    package private(set) var hasEnded = false
    private let servers: HTTPServers
    private let loop: DriverLoop
    private var player: TimelinePlayer
    private let note: @Sendable (RecordEntry.Fact) -> Void

    /// `record` is called by several threads; the facts of each server are in order.
    package init(_ settings: ServeSettings, stop: StopSignal, record: @escaping @Sendable (RecordEntry) -> Void)
        throws(LabError)
    {
        let timeline = ServedTimeline(settings.scenario.timeline)
        var scenario = settings.scenario
        scenario.timeline = timeline.played
        scenario.script = []
        let network: NetworkNamespace
        let authority: CertificateAuthority
        do throws(SystemCallError) { network = try NetworkNamespace.current() } catch { throw .origin("\(error)") }
        do throws(TLSError) { authority = try CertificateAuthority.make(commonName: "Crosswind serve") } catch {
            throw .origin("cannot create its certificate authority: \(error)")
        }
        let loop = try DriverLoop(stop: stop)
        let note: @Sendable (RecordEntry.Fact) -> Void = { record(RecordEntry(time: MonotonicClock.now(), fact: $0)) }
        // A server without a timeline to play may run for long, so that nothing is kept of its requests.
        let isPlaying = !timeline.played.isEmpty
        let listed =
            scenario.network.dns.rules.map(\.host).filter { $0 != "*" } + scenario.origin.routes.compactMap(\.host)
        servers = try HTTPServers(
            scenario,
            at: ServerPlace(
                kind: .loopback, network: network, addresses: [.loopbackV4, .loopbackV6],
                originHosts: ["localhost", Addressing.defaultHost, "*.test"] + Set(listed).sorted(),
                proxyHosts: ["localhost", ProxyPlan.host], seed: settings.seed, authority: authority,
                group: MultiThreadedEventLoopGroup.singleton,
                record: { fact in
                    note(fact)
                    if isPlaying { loop.post(fact) }
                },
                dialer: { ProxyDialing.dialer(in: network, plain: $0, secure: $1) }),
            port: settings.port, securePort: settings.securePort)
        places = ServedEndpoints(
            port: servers.ports.plain, securePort: servers.ports.secure,
            proxies: zip(scenario.proxies, servers.proxyPorts).map { plan, port in
                ServedEndpoints.Proxy(name: plan.name, url: HostServing.url(plan.kind, port))
            },
            omitted: timeline.omitted)
        self.loop = loop
        self.note = note
        player = TimelinePlayer(scenario, start: MonotonicClock.now())
        if places.securePort != nil || scenario.proxies.contains(where: { $0.kind == .https }) {
            try HostServing.write(authority.certificatePEM, to: settings.authorityFile)
            places.authorityFile = settings.authorityFile
        }
    }

    /// The number of connections and requests so far.
    package var counts: (connections: Int, requests: Int) { (servers.counts.connections, servers.counts.requests) }

    /// Serves until the stop signal is raised.
    package func run() throws(LabError) {
        defer { servers.stop() }
        do throws(SystemCallError) { try loop.run(self) } catch { throw .failed("\(error)") }
        for entry in player.unreached { note(.note(.other("never reached: \(entry.trigger.summary)"))) }
    }

    // MARK: - The loop

    package var nextDeadline: Int64 { player.nextDeadline ?? .max }

    package func register(in poller: borrowing Poller) {}

    package func handle(_ event: Poller.Event, in poller: borrowing Poller) {}

    package func handle(_ message: LabMessage) {
        switch message {
        // The counts are of use only until every change has been made.
        case .event(let event): if !player.unreached.isEmpty { player.record(event) }
        case .stopped: hasEnded = true
        // Only labs have a control socket and engines.
        case .control, .failed: break
        }
        // Applied after each message, not after all of them: a change belongs to its trigger.
        advance(to: MonotonicClock.now())
    }

    package func tick(_ now: Int64, in poller: borrowing Poller) { advance(to: now) }

    private func advance(to now: Int64) {
        for change in player.advance(to: now) {
            for change in change.immediate { servers.change(change) }
            if case .trigger(let trigger) = change.cause {
                let words = change.immediate.map(\.summary).joined(separator: ", ")
                note(.step("timeline: \(trigger.summary): \(words)"))
            }
        }
        for breakpoint in player.releaseBreakpoints(at: now) { servers.release(breakpoint) }
    }

    // MARK: - Endpoints

    private static func url(_ kind: ProxyAddress.Kind, _ port: UInt16) -> String {
        switch kind {
        case .http: "http://localhost:\(port)"
        case .https: "https://localhost:\(port)"
        case .socks5: "socks5h://localhost:\(port)"
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
