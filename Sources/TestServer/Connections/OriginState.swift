import HTTPFields
import ScenarioLanguage

/// The state that all connections of an origin share: counts, faults, responses and breakpoints.
struct OriginState {
    struct Breakpoint: Hashable {
        var request: Int
        var bytes: Int64
    }

    let idleTimeout: Duration?
    let protocols: [ApplicationProtocol]
    let http2: HTTP2Plan
    /// The paths that redirect to others, with the Location.
    private let redirects: [(path: String, target: String)]
    var faults: FaultMatcher
    var responder: Responder
    var uploads: ResumableUploads
    /// The current wall-clock time.
    var date = HTTPDate(seconds: 0)
    private(set) var connections = 0
    private(set) var requests = 0
    private(set) var openConnections = 0
    private var pathRequests: [String: Int] = [:]
    private var breakpoints: Set<Breakpoint>
    private var flooded: Set<OriginFlood.Kind> = []
    private let limits: OriginLimits

    /// A flood of made-up paths must not fill the memory; the paths of the plan come first and are always counted.
    private static let countedPaths = 10_000

    init(plan: OriginPlan, seed: UInt64, breakpoints: [Breakpoint], limits: OriginLimits) {
        idleTimeout = plan.idleTimeout
        protocols = plan.protocols
        http2 = plan.http2
        redirects = plan.routes.flatMap { route in
            route.contents.compactMap {
                if case .redirect(let redirect) = $0 { (route.path, redirect.to) } else { nil }
            }
        }
        faults = FaultMatcher(plan.faults)
        responder = Responder(plan: plan, seed: seed)
        uploads = ResumableUploads(plan.routes)
        self.breakpoints = Set(breakpoints)
        self.limits = limits
        for route in plan.routes { pathRequests[route.path] = 0 }
        for fault in plan.faults { if let path = fault.scope.path { pathRequests[path] = 0 } }
    }

    /// Returns the paths from which redirects lead to `path`, also over others.
    func redirects(to path: String) -> [String] {
        var found: [String] = []
        var ends = [path]
        while let end = ends.popLast() {
            for (from, target) in redirects
            where from != path && !found.contains(from) && OriginState.leads(target, to: end) {
                found.append(from)
                ends.append(from)
            }
        }
        return found
    }

    /// Returns true if a Location, which may be a URL or relative, and may have a query, can mean this path.
    private static func leads(_ location: String, to path: String) -> Bool {
        var place = location.prefix { $0 != "?" && $0 != "#" }
        if let scheme = place.firstRange(of: "://") {
            place = place[scheme.upperBound...].drop { $0 != "/" }
            return place.isEmpty ? path == "/" : place == path
        }
        if place.hasPrefix("/") { return place == path }
        while place.hasPrefix("../") || place.hasPrefix("./") { place = place.drop { $0 != "/" }.dropFirst() }
        return path.hasSuffix("/" + place)
    }

    mutating func countConnection() -> Int {
        connections += 1
        openConnections += 1
        return connections
    }

    mutating func forgetConnection() { openConnections -= 1 }

    var isFull: Bool { openConnections > limits.openConnections }

    mutating func countRequest(_ path: String) -> (request: Int, pathRequest: Int) {
        requests += 1
        guard pathRequests[path] != nil || pathRequests.count < OriginState.countedPaths else { return (requests, 1) }
        let number = pathRequests[path, default: 0] + 1
        pathRequests[path] = number
        return (requests, number)
    }

    /// Returns a limit that has just been exceeded, once for each kind.
    mutating func newFlood() -> OriginFlood? {
        if requests > limits.requests, flooded.insert(.requests).inserted {
            return OriginFlood(kind: .requests, limit: limits.requests)
        }
        if connections > limits.connections, flooded.insert(.connections).inserted {
            return OriginFlood(kind: .connections, limit: limits.connections)
        }
        if isFull, flooded.insert(.openConnections).inserted {
            return OriginFlood(kind: .openConnections, limit: limits.openConnections)
        }
        return nil
    }

    /// Returns the byte positions at which this response waits for the harness.
    func breakpoints(of request: Int) -> [Int64] { breakpoints.filter { $0.request == request }.map(\.bytes) }

    func contains(_ breakpoint: Breakpoint) -> Bool { breakpoints.contains(breakpoint) }

    mutating func add(_ breakpoint: Breakpoint) { breakpoints.insert(breakpoint) }

    mutating func release(_ breakpoint: Breakpoint) { breakpoints.remove(breakpoint) }
}
