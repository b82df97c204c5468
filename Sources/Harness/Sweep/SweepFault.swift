import LinkEmulator
import Record
import ScenarioLanguage
import Yams

/// A fault that a sweep injects; the raw value is its word on the command line and in tables.
package enum SweepFault: String, CaseIterable, Hashable, Sendable {
    // Of the origin or a proxy.
    case reset, close, stall
    // HTTP/2 only.
    case goAway = "goaway"
    case refuseStream = "refuse-stream"
    // Of the network.
    case drop, down, handover, renumber
    // Of the program.
    case stop
    // Of one packet.
    case lose, duplicate
    // Of the DNS server.
    case nxdomain, servfail
    case noReply = "no-reply"

    /// Reads the words of the command line; no word stands for every fault.
    package static func parse(_ words: [String]) throws(SweepError) -> [SweepFault] {
        var chosen: Set<SweepFault> = []
        for word in words {
            guard let fault = SweepFault(rawValue: word) else {
                throw .unknownFault(word, known: allCases.map(\.rawValue))
            }
            chosen.insert(fault)
        }
        return allCases.filter { words.isEmpty || chosen.contains($0) }
    }

    /// The failure of the look-ups that the fault applies to; nil for another fault.
    var lookupFailure: DNSFact.Failure? {
        switch self {
        case .nxdomain: .nxdomain
        case .servfail: .servfail
        case .noReply: .silent
        case .reset, .close, .stall, .goAway, .refuseStream, .drop, .down, .handover, .renumber, .stop, .lose,
            .duplicate:
            nil
        }
    }

    /// The time for which an interface is down or the program stopped.
    private static let outage = Duration.seconds(1)

    /// Returns true if the fault can be injected at this point of the scenario.
    func applies(to point: InjectionPoint, of scenario: Scenario) -> Bool {
        switch (self, point.place) {
        case (.reset, .origin), (.close, .origin), (.stall, .origin), (.reset, .proxy), (.close, .proxy),
            (.stall, .proxy):
            return true
        case (.goAway, .origin(_, let scope)), (.refuseStream, .origin(_, let scope)):
            return scope.request != nil && scenario.origin.protocols.first == .http2 && point.phase != .idle
        case (.drop, .moment), (.down, .moment), (.renumber, .moment): return !interfaces(of: scenario).isEmpty
        case (.stop, .moment): return true
        case (.handover, .moment):
            // The change needs a Wi-Fi that is lost and leaves cellular to the scenario's own plan, or adds it.
            return scenario.network.interfaces.contains { $0.kind == .wifi && $0.state == .up }
                && scenario.network.nat64 == nil
        case (.lose, .moment(let moment)), (.duplicate, .moment(let moment)):
            if case .packet = moment { return true }
            return false
        case (.nxdomain, .lookup(let host, _)), (.servfail, .lookup(let host, _)), (.noReply, .lookup(let host, _)):
            // A rule of the scenario's own is not replaced.
            return !scenario.network.dns.rules.contains {
                $0.host.lowercased() == host && $0 != DNSRule(host: host, content: .origin)
            }
        default: return false
        }
    }

    /// True if connections end in silence, so that a task that finds one in the pool may have to wait for its timeout.
    var leavesDeadConnections: Bool {
        switch self {
        case .stall, .drop, .down, .handover, .renumber: true
        case .reset, .close, .goAway, .refuseStream, .lose, .duplicate, .nxdomain, .servfail, .noReply, .stop: false
        }
    }

    private func interfaces(of scenario: Scenario) -> [InterfaceKind] {
        scenario.network.interfaces.filter { $0.state == .up }.map(\.kind)
    }

    /// Writes the fault into the case.
    func inject(at point: InjectionPoint, of scenario: Scenario, into tree: inout ScenarioTree) {
        switch point.place {
        case .origin(let fault, let scope):
            tree.prepend(
                .flow(["at": fault.written, "for": scope.written, "do": effect]), to: "origin", "faults")
        case .proxy(let name, let fault, let scope):
            tree.prepend(
                .flow(["at": fault.written, "for": scope.written, "do": effect]), to: "proxies", name, "faults")
        case .lookup(let host, let number): injectReply(for: host, number, into: &tree)
        case .moment(.packet(let kind, let direction, let number)) where self == .lose || self == .duplicate:
            injectPacket(kind, direction, number, into: &tree)
        case .moment(let moment): injectChange(at: moment, of: scenario, into: &tree)
        }
    }

    /// The value of `do:`.
    private var effect: Node {
        switch self {
        case .goAway: .flow(["goAway": .flow(["last": "before"])])
        case .refuseStream: "refuseStream"
        case .reset, .close, .stall, .drop, .down, .handover, .renumber, .stop, .lose, .duplicate, .nxdomain,
            .servfail, .noReply:
            Node(rawValue)
        }
    }

    private func injectReply(for host: String, _ number: Int, into tree: inout ScenarioTree) {
        let word: Node = self == .noReply ? "silent" : Node(rawValue)
        var sequence: [Node] = [word, "origin"]
        if number > 1 { sequence.insert(.flow(["reply": "origin", "times": .number(number - 1)]), at: 0) }
        tree["dns", host] = .flow(["sequence": .list(sequence)])
    }

    private func injectPacket(
        _ kind: InterfaceKind, _ direction: LinkDirectionName, _ number: Int, into tree: inout ScenarioTree
    ) {
        // An interface given by the name of its profile becomes an object that changes it.
        let given = tree["network", kind.rawValue]
        if let profile = given?.string { tree["network", kind.rawValue] = .flow(["profile": Node(profile)]) }
        if tree["network"] == nil { tree["network", kind.rawValue] = .flow(["profile": "good-wifi"]) }
        if self == .lose {
            tree["network", kind.rawValue, direction.rawValue, "loss"] = .flow(["packets": .list([.number(number)])])
        } else {
            let share: (Node) -> Node = {
                .flow([(kind.rawValue, .flow([(direction.rawValue, .flow(["duplicate": $0]))]))])
            }
            let packet = { Trigger(.packet(kind, direction, count: $0)).written }
            tree.append(.flow(["when": packet(number), "set": share("100%")]), to: "timeline")
            tree.append(.flow(["when": packet(number + 1), "set": share("0%")]), to: "timeline")
        }
    }

    private func injectChange(at moment: Trigger.Moment, of scenario: Scenario, into tree: inout ScenarioTree) {
        let kinds = interfaces(of: scenario).map(\.rawValue)
        func entry(_ change: Node, after: Duration? = nil) -> Node {
            .flow(["when": Trigger(moment, delay: after).written, "set": change])
        }
        let state: (String) -> Node = { word in .flow(kinds.map { ($0, Node(word)) }) }
        switch self {
        case .drop:
            let ends = kinds.map { Node.flow(["on": Node($0), "end": "drop"]) }
            tree.append(entry(.flow(["connections": .list(ends)])), to: "timeline")
        case .down:
            tree.append(entry(state("down")), to: "timeline")
            tree.append(entry(state("up"), after: Self.outage), to: "timeline")
        case .stop:
            tree.append(entry(.flow(["program": "stopped"])), to: "timeline")
            tree.append(entry(.flow(["program": "running"]), after: Self.outage), to: "timeline")
        case .renumber: tree.append(entry(.flow(["renumber": .list(kinds.map { Node($0) })])), to: "timeline")
        case .handover:
            if !scenario.network.interfaces.contains(where: { $0.kind == .cellular }) {
                if tree["network"] == nil { tree["network", "wifi"] = "good-wifi" }
                tree["network", "cellular"] = .flow(["profile": "lte", "state": "down"])
            }
            tree.append(entry(.flow(["wifi": "down", "cellular": "up"])), to: "timeline")
        case .reset, .close, .stall, .goAway, .refuseStream, .lose, .duplicate, .nxdomain, .servfail, .noReply: break
        }
    }
}
