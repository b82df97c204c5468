import AdapterProtocol
import LinkEngines
import NIOCore
import NIOPosix
import NetworkMonitor
import OpenSSLTLS
import Record
import ScenarioLanguage
import TestServer

/// The origin and the proxies of a scenario. The proxies listen beside the origin and make their connections from there.
final class HTTPServers {
    /// The ports of the origin; the second one is nil without TLS.
    let ports: (plain: UInt16, secure: UInt16?)
    /// The port of each proxy, in the order of the scenario.
    private(set) var proxyPorts: [UInt16] = []
    private let origin: Origin
    private var proxies: [String: ProxyServer] = [:]
    /// Connecting blocks, which is not allowed on an event loop.
    private let threads: NIOThreadPool?

    /// Starts the servers. The ports are the origin's; proxies have those of the scenario in a lab, and free ones on the
    /// loopback interface.
    init(_ scenario: Scenario, at place: ServerPlace, port: UInt16, securePort: UInt16) throws(LabError) {
        let tls: TLSContext?
        do throws(TLSError) {
            tls = try scenario.origin.tls.map { plan throws(TLSError) in
                try place.identity(plan, hosts: place.originHosts)
            }
        } catch {
            throw .origin("cannot issue its certificate: \(error)")
        }
        let plain = try place.listen(port)
        let secure = try tls.map { _ throws(LabError) in try place.listen(securePort) }
        ports = (plain.port, secure?.port)
        let breakpoints: [(Int, Int64)] = scenario.breakpoints.compactMap {
            if case .response(let request, let bytes) = $0 { (request, bytes) } else { nil }
        }
        let record = place.record
        origin = Origin(
            plan: scenario.origin, seed: place.seed, tls: tls, breakpoints: breakpoints, group: place.group,
            clock: { MonotonicClock.now() }, record: { record(.server($0)) })
        threads = scenario.proxies.isEmpty ? nil : NIOThreadPool(numberOfThreads: 4)
        threads?.start()
        do throws(LabError) {
            let started: EventLoopFuture<Void> = origin.start(plain: plain.descriptors, tls: secure?.descriptors ?? [])
            do { try started.wait() } catch { throw .origin("\(error)") }
            for plan in scenario.proxies { try start(plan, of: scenario, at: place) }
        } catch {
            stop()
            throw error
        }
    }

    private func start(_ plan: ProxyPlan, of scenario: Scenario, at place: ServerPlace) throws(LabError) {
        guard let threads else { return }
        let tls: TLSContext?
        do throws(TLSError) {
            tls = plan.kind == .https ? try place.identity(plan.tls, hosts: place.proxyHosts) : nil
        } catch {
            throw place.failure("cannot issue the certificate of the proxy \(plan.name): \(error)")
        }
        let sockets = try place.listen(
            place.kind == .lab ? UInt16(clamping: plan.port) : 0, for: "a socket for the proxy \(plan.name)")
        let record = place.record
        let server = ProxyServer(
            plan: plan, seed: place.seed, breakpoints: scenario.breakpoints.compactMap { $0.atProxy(plan.name) },
            tls: tls, group: place.group, threads: threads, clock: { MonotonicClock.now() },
            dial: place.dialer(ports.plain, ports.secure), record: { record(.proxy($0)) })
        proxies[plan.name] = server
        proxyPorts.append(sockets.port)
        do { try server.start(on: sockets.descriptors).wait() } catch {
            throw place.failure("cannot start the proxy \(plan.name): \(error)")
        }
    }

    /// The numbers of connections and requests at the origin so far.
    var counts: Origin.Counts { origin.counts }

    /// Lets the server continue that pauses here; links are resumed by the lab.
    func release(_ breakpoint: Breakpoint) {
        switch breakpoint {
        case .response(let request, let bytes): origin.resumeBreakpoint(request: request, bytes: bytes)
        case .proxy(let moment):
            if let place = breakpoint.atProxy(moment.proxy) { proxies[moment.proxy]?.resumeBreakpoint(place) }
        case .packet: break
        }
    }

    /// Makes the origin pause at this byte of a later response. Links and proxies have their breakpoints from the start.
    func add(_ breakpoint: Breakpoint) {
        guard case .response(let request, let bytes) = breakpoint else { return }
        try? origin.addBreakpoint(request: request, bytes: bytes).wait()
    }

    /// Replaces the faults of the origin. Returns when the change is in force.
    func setFaults(_ faults: [Fault]) { try? origin.setFaults(faults).wait() }

    /// Makes a change of the origin or of a proxy, and ignores others. Returns when it is in force; a server that has
    /// stopped does not need it.
    func change(_ change: NetworkChange) {
        switch change {
        case .proxy(let change): try? proxies[change.proxy]?.change(change).wait()
        case .faults(let faults): setFaults(faults)
        case .interfaceState, .link, .name, .renumber, .cost, .connections, .flaps, .program, .power, .disk: break
        }
    }

    /// Stops the servers. An error is ignored: the sockets are closed in any case. A run's own thread may block; an
    /// event loop must not.
    func stop() {
        for proxy in proxies.values { try? proxy.stop().wait() }
        threads?.shutdownGracefully { _ in }
        let stopped: EventLoopFuture<Void> = origin.stop()
        try? stopped.wait()
    }
}

extension Breakpoint {
    /// The position at which the proxy of this name waits; nil for other breakpoints.
    fileprivate func atProxy(_ name: String) -> ProxyBreakpoint? {
        guard case .proxy(let moment) = self, moment.proxy == name,
            case .carried(let direction, let bytes, let request) = moment.event
        else { return nil }
        return ProxyBreakpoint(direction: direction, bytes: bytes, request: request)
    }
}
