import Lab
import InternetAddresses
import LabKernel
@testable import LinkEngines
import NetworkMonitor
import Record
import ScenarioLanguage
import Synchronization
import Testing

/// A lab of perfect links with a monitor in the client's namespace, which sees the same events as a client's own path
/// monitor.
final class InterfaceLab {
    let lab: Lab
    private let reported: Reported
    private var monitor: NetlinkMonitor
    private let names: [CInt: String]

    private final class Reported: Sendable {
        let facts = Mutex<[NetworkFact]>([])
        let failures = Mutex<[String]>([])
    }

    init(
        _ engine: EngineChoice, _ interfaces: [InterfacePlan] = [InterfaceLab.perfect(.wifi)],
        families: AddressFamilies = .both, nat64: NAT64Plan? = nil
    ) throws {
        var plan = NetworkPlan()
        plan.interfaces = interfaces
        plan.families = families
        plan.nat64 = nat64
        let reported = Reported()
        self.reported = reported
        lab = try Lab(plan, engine: engine, seed: 7, capture: nil, breakpoints: []) { observation in
            switch observation {
            case .fact(let fact): reported.facts.withLock { $0.append(fact) }
            case .packetBreakpoint: break
            // These tests have bounds of their own.
            case .late: break
            case .failed(let reason): reported.failures.withLock { $0.append(reason) }
            }
        }
        monitor = try NetlinkMonitor.make(in: lab.client)
        let links = try NetlinkSocket(in: lab.client).links()
        names = Dictionary(uniqueKeysWithValues: links.map { ($0.index, $0.name) })
    }

    static func perfect(_ kind: InterfaceKind, _ state: InterfaceState = .up) -> InterfacePlan {
        InterfacePlan(kind: kind, link: .perfect, state: state)
    }

    /// Applies the changes and returns the events of the monitor, one per line.
    func seeing(_ changes: NetworkChange...) throws -> [String] {
        for change in changes { try lab.apply(change) }
        return try events()
    }

    func expect(
        _ changes: NetworkChange..., reports expected: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for change in changes { try lab.apply(change) }
        let events = try events()
        #expect(events == expected, sourceLocation: sourceLocation)
    }

    /// Returns the events so far. The kernel notifies its monitors before a call returns, except for carriers, for
    /// which the lab itself waits.
    func events() throws -> [String] {
        var lines: [String] = []
        while let event = try monitor.next(until: 0) {
            if let words = words(event) { lines.append(words) }
        }
        return lines
    }

    func finish() {
        lab.stop()
        #expect(reported.failures.withLock { $0 } == [])
    }

    var facts: [NetworkFact] { reported.facts.withLock { $0 } }

    /// Returns a description of the event; nil when it contains nothing relevant to a client.
    private func words(_ event: NetworkEvent) -> String? {
        switch event {
        case .link(let link, let changes):
            var words: [String] = []
            if changes.contains(.existence) { words.append("exists") }
            if changes.contains(.administration) { words.append(link.isUp ? "up" : "down") }
            if changes.contains(.operation), changes.contains(.administration) == false || link.isUp != link.isRunning {
                words.append(link.isRunning ? "running" : "not running")
            }
            if changes.contains(.alias) { words.append("alias '\(link.alias)'") }
            return words.isEmpty ? nil : "\(link.name) \(words.joined(separator: ", "))"
        case .linkRemoved(let link): return "\(link.name) gone"
        case .addressAdded(let address): return "+ \(address.prefix) \(name(address.index))"
        case .addressRemoved(let address): return "- \(address.prefix) \(name(address.index))"
        case .routeAdded(let route): return "+ " + words(route)
        case .routeRemoved(let route): return "- " + words(route)
        case .ruleAdded(let rule): return "+ rule \(rule.priority)"
        case .ruleRemoved(let rule): return "- rule \(rule.priority)"
        case .other(let type): return "other \(type)"
        case .overrun: return "overrun"
        }
    }

    private func words(_ route: NetworkMonitor.Route) -> String {
        let to = route.destination.length == 0 ? "default" : route.destination.description
        switch route.target {
        case .gateway(let gateway, let interface, onLink: _):
            return "\(to) via \(gateway) \(interface.map(name) ?? "") \(route.metric)"
        case .interface(let index): return "\(to) \(name(index))"
        case .blackhole, .unreachable, .prohibit: return to
        }
    }

    private func name(_ index: CInt) -> String { names[index] ?? "#\(index)" }
}

// MARK: - Client

extension InterfaceLab {
    /// Tries a new TCP connection from the client to a listener at the origin's address. Returns the client's address,
    /// or the error.
    func connects(ipv6: Bool = false) throws -> String {
        let origin = try #require(IPAddress(ipv6 ? Addressing.origin6 : Addressing.origin4))
        let listener = try lab.internet.listenTCP(on: SocketAddress(origin, port: 0))
        let target = try listener.localAddress()
        do throws(SystemCallError) {
            let connection = try lab.client.connectTCP(to: target)
            let readiness = try connection.withRaw { raw throws(SystemCallError) in
                try Poller.wait(for: raw, .writable, until: MonotonicClock.deadline(after: 2_000_000_000))
            }
            if readiness.isEmpty { return "silence" }
            if let error = connection.pendingError() { return SystemCallError.text(of: error.errno) }
            return "\(try connection.localAddress().address)"
        } catch {
            return SystemCallError.text(of: error.errno)
        }
    }

    func states(of kind: InterfaceKind) -> [InterfaceState] {
        facts.compactMap { if case .interfaceState(kind, let state) = $0 { state } else { nil } }
    }

    func changes(of kind: InterfaceKind) -> [String] {
        facts.compactMap { if case .interfaceChanged(kind, let words) = $0 { words } else { nil } }
    }
}
