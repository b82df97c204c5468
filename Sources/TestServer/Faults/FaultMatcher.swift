import ScenarioLanguage

/// Counts how often each fault's point was reached in its scope, and selects the faults that happen.
struct FaultMatcher {
    /// The present position of the origin: connection, request and stream.
    struct FaultContext: Hashable {
        var connection: Int
        /// The number over the whole run; nil before there is a request.
        var request: Int?
        var path: String?
        /// The number among the requests of `path`.
        var pathRequest: Int?
        /// The number among the requests of the connection.
        var exchange: Int?
        /// nil in HTTP/1.1.
        var stream: Int?
        var isHTTP2 = false
    }

    private let faults: [Fault]
    private var matches: [Int]

    init(_ faults: [Fault]) {
        self.faults = faults
        matches = faults.map { _ in 0 }
    }

    /// Returns the faults that happen at this point now, in the plan's order. Each call counts: call it once for each
    /// arrival at a point.
    mutating func firing(at point: Fault.Point, _ faultContext: FaultContext) -> [Fault] {
        var fired: [Fault] = []
        for (index, fault) in faults.enumerated()
        where fault.point == point && FaultMatcher.matches(fault, faultContext) {
            matches[index] += 1
            if fault.scope.fires(onMatch: matches[index]) { fired.append(fault) }
        }
        return fired
    }

    /// Returns the points of an exchange at which a fault may happen, so that the exchange stops exactly there.
    func points(for faultContext: FaultContext) -> [Fault.Point] {
        faults.filter { FaultMatcher.matches($0, faultContext) }.map(\.point)
    }

    /// Returns true if any fault has this point.
    func knows(_ point: Fault.Point) -> Bool { faults.contains { $0.point == point } }

    private static func matches(_ fault: Fault, _ faultContext: FaultContext) -> Bool {
        let scope = fault.scope
        if case .stream = fault.effect, !faultContext.isHTTP2 { return false }
        if let wanted = scope.stream, wanted != faultContext.stream { return false }
        if let wanted = scope.connection, wanted != faultContext.connection { return false }
        if let wanted = scope.exchange, wanted != faultContext.exchange { return false }
        if let wanted = scope.path, wanted != faultContext.path { return false }
        if let wanted = scope.request, wanted != (scope.path == nil ? faultContext.request : faultContext.pathRequest) {
            return false
        }
        return true
    }
}

extension Fault.Scope {
    /// `first` and `every` count matches from 1; when both are given both must apply.
    func fires(onMatch number: Int) -> Bool {
        number <= first ?? .max && number % max(1, every ?? 1) == 0
    }
}
