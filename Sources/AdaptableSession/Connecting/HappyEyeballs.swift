package import InternetAddresses
package import NetworkMonitor

/// Happy Eyeballs v2 (RFC 8305) for one connection, as a state machine: decides which names to look up, which addresses
/// to try and when, and which connection wins.
///
/// Call `start`, then pass it the results of lookups and attempts, and call `timer(at:)` at `nextDeadline`. Every call
/// returns the actions to perform. Times are in nanoseconds.
package struct HappyEyeballs: Sendable {
    /// The time in nanoseconds to wait for IPv6 addresses after IPv4 addresses have arrived (§3).
    private static let resolutionDelay: Int64 = 50_000_000
    /// The time after which A records are looked up on a network without IPv4 if nothing has connected (§7.2).
    private static let lastResortDelay: Int64 = 2_000_000_000

    package struct Attempt: Hashable, Sendable {
        package let number: Int
        package let address: IPAddress
        /// The interface to which the socket must be bound; nil leaves the choice to the kernel's routes.
        package let interface: NetworkInterface?
    }

    package enum Failure: Error, Hashable, Sendable {
        case noSuchName
        /// No name server replied.
        case unanswered
        /// No allowed interface has a route to any address of the host.
        case unreachable
        /// Every attempt failed; the caller has their errors.
        case refused
    }

    package enum Action: Equatable, Sendable {
        case lookUp(name: String, v6: Bool)
        case attempt(Attempt)
        /// Close the attempt: another has won, or the connection is not needed any more.
        case abandon(Attempt)
        case won(Attempt)
        case failed(Failure)
    }

    private enum LookupResult: Equatable {
        case pending
        case addresses
        case failed(HostLookupError)
    }

    private let policy: ConnectPolicy
    private let path: NetworkPath
    private let host: String
    private let literal: IPAddress?
    private var v6: LookupResult?
    private var v4: LookupResult?
    /// The lookup of `ipv4only.arpa`; `untranslated` are the IPv4 addresses that wait for its prefixes.
    private var discovery: LookupResult?
    private var untranslated: [IPAddress] = []
    /// The addresses of each family that were not tried yet.
    private var fresh6: [IPAddress] = []
    private var fresh4: [IPAddress] = []
    private var tried: [IPAddress] = []
    private var running: [Attempt] = []
    private var begun = false
    private var isOver = false
    private var resolutionEnd: Int64?
    private var nextAttempt: Int64?
    private var lastResort: Int64?
    private var hadUnreachable = false
    private var hadAttempts = false

    /// `host` is a name, or an address without brackets; `path` holds the interfaces that may be used for it.
    package init(host: String, path: NetworkPath, policy: ConnectPolicy = ConnectPolicy()) {
        self.policy = policy
        self.path = path
        self.host = host
        // An address with a zone (fe80::1%eth0) is left to the resolver.
        literal = IPAddress(host)
    }

    // MARK: Inputs

    package mutating func start(at now: Int64) -> [Action] {
        if let literal { return start(literal, now) }
        let isSynthesizing = !path.has(v6: false) && path.has(v6: true)
        if isSynthesizing { lastResort = now &+ HappyEyeballs.lastResortDelay }
        // AAAA first, without waiting before A (§3). A family without a route is not looked up, unless neither has one
        // (loopback names).
        let asks6 = path.has(v6: true) || !path.has(v6: false)
        let asks4 = path.has(v6: false) || !path.has(v6: true)
        var actions: [Action] = []
        if asks6 {
            v6 = .pending
            actions.append(.lookUp(name: host, v6: true))
        }
        if asks4 {
            v4 = .pending
            actions.append(.lookUp(name: host, v6: false))
        }
        return policy.prefersV6 ? actions : actions.reversed()
    }

    package mutating func resolved(
        name: String, v6 isV6: Bool, _ result: Result<[IPAddress], HostLookupError>, now: Int64
    ) -> [Action] {
        guard !isOver else { return [] }
        if name != host {
            guard discovery == .pending else { return [] }
            return discovered((try? result.get()) ?? [], now)
        }
        let state: LookupResult
        switch result {
        case .success(let addresses):
            state = .addresses
            add(addresses, v6: isV6)
        case .failure(let error): state = .failed(error)
        }
        if isV6 { v6 = state } else { v4 = state }
        return discoverPrefix() + advance(now)
    }

    package mutating func attemptFailed(_ attempt: Attempt, now: Int64) -> [Action] {
        guard !isOver, let index = running.firstIndex(of: attempt) else { return [] }
        running.remove(at: index)
        // The next attempt starts immediately (§5).
        if policy.failsOver { nextAttempt = now }
        return advance(now)
    }

    package mutating func connected(_ attempt: Attempt) -> [Action] {
        guard !isOver, running.contains(attempt) else { return [.abandon(attempt)] }
        isOver = true
        let losers = running.filter { $0 != attempt }
        running = []
        return [.won(attempt)] + losers.map { .abandon($0) }
    }

    /// Cancels everything when the connection is not needed any more.
    package mutating func cancel() -> [Action] {
        guard !isOver else { return [] }
        isOver = true
        defer { running = [] }
        return running.map { .abandon($0) }
    }

    /// Returns true if a running attempt uses one of these interfaces; if none is running, whether one of the path's
    /// interfaces is among them.
    package func leads(by names: Set<String>) -> Bool {
        if running.isEmpty { return path.interfaces.contains { names.contains($0.name) } }
        return running.contains { attempt in
            (attempt.interface ?? path.route(to: attempt.address)).map { names.contains($0.name) } ?? false
        }
    }

    package var nextDeadline: Int64? {
        guard !isOver else { return nil }
        return [
            begun ? nil : resolutionEnd, hasFresh && !running.isEmpty ? nextAttempt : nil, lastResort,
        ].compactMap(\.self).min()
    }

    package mutating func timer(at now: Int64) -> [Action] {
        guard !isOver else { return [] }
        var actions: [Action] = []
        if let due = lastResort, due <= now {
            lastResort = nil
            v4 = .pending
            actions.append(.lookUp(name: host, v6: false))
        }
        return actions + advance(now)
    }

    // MARK: Decisions

    private mutating func start(_ literal: IPAddress, _ now: Int64) -> [Action] {
        v6 = .addresses
        v4 = .addresses
        if !literal.isV6, !literal.isLoopback, path.route(to: literal) == nil,
            path.has(v6: true)
        {
            untranslated = [literal]
        } else {
            add([literal], v6: literal.isV6)
        }
        return discoverPrefix() + advance(now)
    }

    private mutating func add(_ addresses: [IPAddress], v6 isV6: Bool) {
        for address in addresses where !tried.contains(address) {
            if !isV6, literal == nil, lastResortIsUsed, path.route(to: address) == nil {
                untranslated.append(address)
            } else if policy.skipsUnreachable, path.route(to: address) == nil {
                hadUnreachable = true
            } else if isV6 {
                fresh6.append(address)
            } else {
                fresh4.append(address)
            }
        }
    }

    private var lastResortIsUsed: Bool { !path.has(v6: false) && path.has(v6: true) }

    /// Looks up the translator's prefix if there are IPv4 addresses without a route.
    private mutating func discoverPrefix() -> [Action] {
        guard !untranslated.isEmpty, discovery == nil else { return [] }
        discovery = .pending
        return [.lookUp(name: NAT64Discovery.wellKnownName, v6: true)]
    }

    private mutating func discovered(_ answers: [IPAddress], _ now: Int64) -> [Action] {
        discovery = .addresses
        let made = NAT64Discovery.prefixes(in: answers).flatMap { prefix in
            untranslated.compactMap { address -> IPAddress? in
                guard case .v4(let address) = address else { return nil }
                return .v6(prefix.embed(address))
            }
        }
        if made.isEmpty { hadUnreachable = true }
        untranslated = []
        add(made, v6: true)
        return advance(now)
    }

    private var hasFresh: Bool { !fresh6.isEmpty || !fresh4.isEmpty }
    private var preferredIsPending: Bool { (policy.prefersV6 ? v6 : v4) == .pending }

    private mutating func advance(_ now: Int64) -> [Action] {
        if !begun, hasFresh {
            // Addresses of the other family arrived first: wait for the preferred one up to the resolution delay (§3).
            if preferredIsPending, policy.racesFamilies {
                let end = resolutionEnd ?? (now &+ HappyEyeballs.resolutionDelay)
                resolutionEnd = end
                guard now >= end else { return [] }
            }
            begun = true
            nextAttempt = now
        }
        var actions: [Action] = []
        while begun, hasFresh, running.isEmpty || (policy.racesFamilies && (nextAttempt ?? now) <= now) {
            guard let address = nextAddress() else { break }
            tried.append(address)
            hadAttempts = true
            let attempt = Attempt(
                number: tried.count, address: address, interface: path.needsBinding ? path.route(to: address) : nil)
            running.append(attempt)
            nextAttempt = now &+ policy.attemptDelay
            actions.append(.attempt(attempt))
            if !policy.racesFamilies { (fresh6, fresh4) = ([], []) }
        }
        return actions + conclude(now)
    }

    /// Returns the next address: the families alternate, beginning with the preferred one (§4).
    private mutating func nextAddress() -> IPAddress? {
        let takes6 = policy.prefersV6 == tried.count.isMultiple(of: 2)
        if takes6 { return fresh6.isEmpty ? fresh4.removeFirst() : fresh6.removeFirst() }
        return fresh4.isEmpty ? fresh6.removeFirst() : fresh4.removeFirst()
    }

    private mutating func conclude(_ now: Int64) -> [Action] {
        guard running.isEmpty, !hasFresh, v6 != .pending, v4 != .pending, discovery != .pending, untranslated.isEmpty
        else { return [] }
        // If nothing else is left, the last resort is used immediately.
        if lastResort != nil {
            lastResort = nil
            guard v6 != .failed(.noSuchName) else { return over(.noSuchName) }
            v4 = .pending
            return [.lookUp(name: host, v6: false)]
        }
        if hadAttempts { return over(.refused) }
        if hadUnreachable { return over(.unreachable) }
        let answers = [v6, v4].compactMap(\.self)
        if answers.contains(.failed(.unanswered)) { return over(.unanswered) }
        return over(.noSuchName)
    }

    private mutating func over(_ failure: Failure) -> [Action] {
        isOver = true
        return [.failed(failure)]
    }
}

/// Finds the prefixes with which a network's translators make IPv4 addresses reachable over IPv6 (RFC 7050).
package enum NAT64Discovery {
    /// The name whose IPv4 addresses are well known (RFC 7050 §2.2).
    package static let wellKnownName = "ipv4only.arpa"
    private static let wellKnownAddresses: [IPv4Address] = [0xC000_00AA, 0xC000_00AB]

    /// Returns the prefixes that these AAAA replies for `wellKnownName` contain, each once, in order (RFC 7050 §3).
    package static func prefixes(in answers: [IPAddress]) -> [NAT64Prefix] {
        var found: [NAT64Prefix] = []
        // Bits 64 to 71 of such an address are zero (RFC 6052 §2.2).
        for case .v6(let result) in answers where result.low >> 56 == 0 {
            // One reply may contain the address at several positions by chance: it counts only if there is exactly one.
            let matches = NAT64Prefix.lengths.compactMap { NAT64Prefix(of: result, length: $0) }
                .filter { prefix in prefix.extract(result).map(wellKnownAddresses.contains) == true }
            if matches.count == 1, !found.contains(matches[0]) { found.append(matches[0]) }
        }
        return found
    }
}
