import AdapterProtocol
import Record
import ScenarioLanguage

/// The present network of an interactive lab, on which live changes are based.
struct InteractiveLabNetwork {
    private(set) var plan: NetworkPlan
    private let source: InteractiveLabPlan.Source
    private let forwards: ForwardPlan

    init(_ plan: NetworkPlan, source: InteractiveLabPlan.Source = .options, forwards: ForwardPlan) {
        self.plan = plan
        self.source = source
        self.forwards = forwards
    }

    /// Reads a change relative to the present network; throws the reason if it is invalid.
    func changes(_ change: JSONValue) throws(ControlError) -> [NetworkChange] {
        let missing = InterfaceKind.allCases.filter { kind in
            change.object?[kind.rawValue] != nil && !plan.interfaces.contains { $0.kind == kind }
        }
        if let kind = missing.first {
            let present = plan.interfaces.map(\.kind.rawValue)
            throw .malformed(
                "this lab does not have a \(kind.rawValue) interface, only \(present.joined(separator: ", ")); \(source.hint(for: kind))"
            )
        }
        switch ChangeReader.read(change.line, from: "set", in: plan) {
        case .success(let changes):
            // A profile's name rules apply to every name; an explicit `*` applies only to names without a rule of their
            // own.
            if change.object?["dns"]?.object?["*"] != nil { return changes }
            return changes.flatMap { change -> [NetworkChange] in
                guard case .name(let rule) = change else { return [change] }
                return [change] + ProfileDNSRules.copies(of: rule, for: forwards.rules.map(\.host)).map { .name($0) }
            }
        // Positions in a generated line would not help the user.
        case .failure(let found): throw .malformed(found.errors.map(\.message).joined(separator: "\n"))
        }
    }

    /// Returns the change as the lab has to make it.
    func resolved(_ change: NetworkChange) -> NetworkChange {
        switch change {
        case .name(let rule): .name(forwards.resolved(rule))
        case .interfaceState, .link, .proxy, .faults, .renumber, .cost, .connections, .flaps, .program, .power, .disk:
            change
        }
    }

    mutating func setNAT64(_ nat64: NAT64Plan?) { plan.nat64 = nat64 }

    /// Returns the changes that restore the interfaces of `start`. The state is always among them, because it also ends
    /// flapping.
    func differences(to start: NetworkPlan) -> [NetworkChange] {
        start.interfaces.flatMap { interface -> [NetworkChange] in
            let present = plan.interfaces.first { $0.kind == interface.kind }
            return (present?.link == interface.link ? [] : [.link(interface.kind, interface.link)])
                + (present?.cost == interface.cost ? [] : [.cost(interface.kind, interface.cost)])
                + [.interfaceState(interface.kind, interface.state)]
        }
    }

    /// Records that the change is in force.
    mutating func record(_ change: NetworkChange) {
        func edit(_ kind: InterfaceKind, _ body: (inout InterfacePlan) -> Void) {
            guard let index = plan.interfaces.firstIndex(where: { $0.kind == kind }) else { return }
            body(&plan.interfaces[index])
        }
        switch change {
        case .interfaceState(let kind, let state): edit(kind) { $0.state = state }
        case .link(let kind, let link): edit(kind) { $0.link = link }
        case .cost(let kind, let breakpoints): edit(kind) { $0.cost = breakpoints }
        case .name, .proxy, .faults, .renumber, .connections, .flaps, .program, .power, .disk: break
        }
    }
}

extension InteractiveLabPlan.Source {
    /// Returns the way to a lab that also has this interface.
    fileprivate func hint(for kind: InterfaceKind) -> String {
        switch self {
        case .options: "start it with --interface \(kind.rawValue) as well"
        case .file(let path): "add `\(kind.rawValue)` under `network:` in \(path) and start it again"
        case .builtIn(let name):
            "the built-in network \(name) is fixed; write a network file that has one, and start it with --network FILE.yaml"
        }
    }
}
