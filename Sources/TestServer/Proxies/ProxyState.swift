import AdapterProtocol
import ScenarioLanguage

/// The state that all connections of a proxy share: counts, faults and nonces.
struct ProxyState {
    private(set) var plan: ProxyPlan
    private var breakpoints: Set<ProxyBreakpoint>
    private(set) var connections = 0
    private(set) var requests = 0
    private var matches: [Int]
    private var authenticator: Authenticator

    init(plan: ProxyPlan, seed: UInt64, breakpoints: [ProxyBreakpoint] = []) {
        self.plan = plan
        self.breakpoints = Set(breakpoints)
        matches = Array(repeating: 0, count: plan.faults.count)
        authenticator = Authenticator(seed: seed)
    }

    /// Applies the change from now on; the scopes of new faults start counting now.
    mutating func change(_ change: ProxyChange) {
        if let access = change.access { plan.access = access }
        guard let faults = change.faults else { return }
        plan.faults = faults
        matches = Array(repeating: 0, count: faults.count)
    }

    func contains(_ breakpoint: ProxyBreakpoint) -> Bool { breakpoints.contains(breakpoint) }

    mutating func release(_ breakpoint: ProxyBreakpoint) { breakpoints.remove(breakpoint) }

    mutating func countConnection() -> Int {
        connections += 1
        return connections
    }

    mutating func countRequest() -> Int {
        requests += 1
        return requests
    }

    /// Returns the effects that happen here, in the order of the plan; each match is counted.
    mutating func firing(at point: ProxyFault.Point, connection: Int, request: Int?) -> [ProxyFault.Effect] {
        var effects: [ProxyFault.Effect] = []
        for (index, fault) in plan.faults.enumerated() where fault.point == point {
            guard fault.scope.isMet(connection: connection, request: request) else { continue }
            matches[index] += 1
            if let first = fault.scope.first, matches[index] > first { continue }
            effects.append(fault.effect)
        }
        return effects
    }

    /// Returns the byte positions at which faults or breakpoints of this connection may happen.
    func stops(_ direction: ProxyFault.Direction, connection: Int, request: Int?) -> [Int64] {
        let asked = breakpoints.filter { $0.direction == direction && $0.request == request }.map(\.bytes)
        return asked
            + plan.faults.compactMap { fault in
                guard case .carried(direction, let bytes) = fault.point,
                    fault.scope.isMet(connection: connection, request: request)
                else {
                    return nil
                }
                return bytes
            }
    }

    /// Returns nil to admit the request; otherwise the response, with the reason in readable form.
    mutating func refusal(of request: ProxyRequest) -> (status: Int, fields: [HeaderField], reason: String)? {
        guard case .challenge(let plan) = plan.access, let head = request.head else { return nil }
        switch authenticator.verify(head.asDigested, plan) {
        case .accepted: return nil
        case .refused(let status, let fields, let reason): return (status, fields, reason)
        }
    }
}

extension RequestHead {
    /// The head with the target that a Digest `uri` refers to: clients write the path of an absolute target as well,
    /// and both designate the same resource (RFC 7616 §3.4.6).
    fileprivate var asDigested: RequestHead {
        let names = values(of: "proxy-authorization").joined()
        guard names.contains("uri=\"/"), let (_, path) = ProxyTarget.absolute(target) else { return self }
        return RequestHead(method: method, target: path, minorVersion: minorVersion, headers: headers, body: body)
    }
}

extension ProxyFault.Scope {
    fileprivate func isMet(connection: Int, request: Int?) -> Bool {
        (self.connection ?? connection) == connection && (self.request == nil || self.request == request)
    }
}
