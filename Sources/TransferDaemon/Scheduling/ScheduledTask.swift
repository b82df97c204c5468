import Foundation
package import TransferProtocol

/// The number of a task together with its session.
package struct TransferKey: Hashable, Sendable, CustomStringConvertible {
    package var session: String
    package var number: Int

    package init(session: String, number: Int) {
        self.session = session
        self.number = number
    }

    package var description: String { "task \(number) of session \(session)" }
}

/// The properties of a task that decide when it runs.
package struct ScheduledTask: Hashable, Sendable {
    package var key: TransferKey
    package var kind: TransferTask.Kind
    /// Only running and suspended tasks are scheduled.
    package var state: TransferTask.State
    /// Scheme, host and port, to which the limit of connections applies.
    package var origin: String
    /// True for a host that is this machine, which needs no network.
    package var isLocal: Bool
    /// The order of creation among all tasks of the store.
    package var order: Int64
    package var priority: Double
    package var isDiscretionary: Bool
    package var wasCreatedInBackground: Bool
    package var access: PathAccess
    package var timers: TransferTimers
    /// The whole resource timeout, for the share of it that is left.
    package var resourceTimeout: Duration
    /// The number of attempts in a row that failed without progress.
    package var failures: Int
    /// True for a task with a begin date until the client has decided on `willBeginDelayedRequest`.
    package var needsDelayedDecision: Bool

    package init(
        key: TransferKey, kind: TransferTask.Kind = .download, state: TransferTask.State = .running,
        origin: String = "https://example.com:443", order: Int64 = 0, priority: Double = 0.5,
        isDiscretionary: Bool = false, wasCreatedInBackground: Bool = false, access: PathAccess = .all,
        timers: TransferTimers, resourceTimeout: Duration = .seconds(604_800), failures: Int = 0,
        needsDelayedDecision: Bool = false
    ) {
        self.key = key
        self.kind = kind
        self.state = state
        self.origin = origin
        isLocal = TransferOrigin.isLocal(origin)
        self.order = order
        self.priority = priority
        self.isDiscretionary = isDiscretionary
        self.wasCreatedInBackground = wasCreatedInBackground
        self.access = access
        self.timers = timers
        self.resourceTimeout = resourceTimeout
        self.failures = failures
        self.needsDelayedDecision = needsDelayedDecision
    }
}

/// The paths that request and configuration allow, which hold for every kind of task and until its end (DISC-06).
package struct PathAccess: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let cellular = PathAccess(rawValue: 1 << 0)
    package static let expensive = PathAccess(rawValue: 1 << 1)
    package static let constrained = PathAccess(rawValue: 1 << 2)
    package static let all: PathAccess = [.cellular, .expensive, .constrained]

    /// Both the configuration and the request have to allow a path.
    package init(_ request: TransferRequest, _ settings: TransferSettings) {
        var access: PathAccess = []
        if request.allowsCellular, settings.allowsCellular { access.insert(.cellular) }
        if request.allowsExpensive, settings.allowsExpensive { access.insert(.expensive) }
        if request.allowsConstrained, settings.allowsConstrained { access.insert(.constrained) }
        self = access
    }

    package func allows(_ conditions: TransferConditions) -> Bool {
        switch conditions.path {
        case .none: false
        case .cellular, .wifi, .wired:
            (conditions.path != .cellular || contains(.cellular))
                && (!conditions.isExpensive || contains(.expensive))
                && (!conditions.isConstrained || contains(.constrained))
        }
    }
}

/// The scheme, host and port of a request, in the form `https://example.com:443`.
package enum TransferOrigin {
    package static func of(_ request: TransferRequest) -> String {
        let scheme = request.url.scheme?.lowercased() ?? ""
        let port = request.url.port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(request.url.host?.lowercased() ?? ""):\(port)"
    }

    /// True for loopback addresses and names below `localhost` (RFC 6761 §6.3).
    static func isLocal(_ origin: String) -> Bool {
        guard let start = origin.firstRange(of: "://")?.upperBound, let end = origin.lastIndex(of: ":"), start <= end
        else { return false }
        let host = origin[start..<end]
        let isLoopback = host == "::1" || (host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." })
        return isLoopback || host == "localhost" || host.hasSuffix(".localhost")
    }
}
