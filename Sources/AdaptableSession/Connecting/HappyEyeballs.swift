package import LinuxNet

/// Happy Eyeballs v2 (RFC 8305) for one connection: which names to look up, which addresses to try, when, and who wins.
///
/// Call `start`, then tell it of answers, failed and made attempts, and the time (`nextDeadline`). Every call returns what to do.
package struct HappyEyeballs: Sendable {
    package struct Attempt: Hashable, Sendable {
        package let number: Int
        package let address: IPAddress
        /// The interface that the socket must be bound to; nil leaves it to the kernel's routes.
        package let interface: NetworkInterface?
    }

    package enum Failure: Error, Hashable, Sendable {
        case noSuchName
        /// No name server answered.
        case unanswered
        /// No allowed interface leads to any address of the host.
        case unreachable
        /// Every attempt failed; the caller has their errors.
        case refused
    }

    package enum Action: Equatable, Sendable {
        case lookUp(name: String, v6: Bool)
        case attempt(Attempt)
        /// Close it; another has won, or nobody wants any.
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
    /// Asking for `ipv4only.arpa`, with IPv4 addresses that wait for its prefixes.
    private var discovery: LookupResult?
    private var untranslated: [IPAddress] = []
    /// Not tried yet, by family.
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

    /// `host` is a name or an address without brackets; `path` what its network offers it.
    package init(host: String, path: NetworkPath, policy: ConnectPolicy = ConnectPolicy()) {
        self.policy = policy
        self.path = path
        self.host = host
        // A zone (fe80::1%eth0) is the resolver's business.
        literal = IPAddress(host)
    }

    // MARK: Inputs

    package mutating func start(at now: Int64) -> [Action] {
        if let literal { return start(literal, now) }
        let isSynthesizing = !path.has(v6: false) && path.has(v6: true)
        if isSynthesizing, policy.usesLastResort { lastResort = now &+ policy.lastResortDelay }
        // AAAA first, and both at once (§3). A family without a way is not asked for, unless there is none at all (loopback names).
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
        // The next at once (§5).
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

    /// Nobody wants the connection any more.
    package mutating func cancel() -> [Action] {
        guard !isOver else { return [] }
        isOver = true
        defer { running = [] }
        return running.map { .abandon($0) }
    }

    /// Whether what is under way leads by one of these interfaces; before there is an address, whether it may.
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
        if !literal.isV6, !literal.isLoopback, policy.synthesizesLiterals, path.route(to: literal) == nil,
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

    private var lastResortIsUsed: Bool { policy.usesLastResort && !path.has(v6: false) && path.has(v6: true) }

    /// IPv4 addresses without a way need the translator's prefix.
    private mutating func discoverPrefix() -> [Action] {
        guard !untranslated.isEmpty, discovery == nil else { return [] }
        discovery = .pending
        return [.lookUp(name: TranslationPrefix.wellKnownName, v6: true)]
    }

    private mutating func discovered(_ answers: [IPAddress], _ now: Int64) -> [Action] {
        discovery = .addresses
        let made = TranslationPrefix.discover(in: answers).flatMap { prefix in
            untranslated.compactMap { prefix.synthesize($0) }
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
            // Addresses of the other family have come first: a little patience (§3).
            if preferredIsPending, policy.racesFamilies {
                let end = resolutionEnd ?? (now &+ policy.resolutionDelay)
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

    /// Families take turns after the first few of the preferred one (§4).
    private mutating func nextAddress() -> IPAddress? {
        let preferredFirst = tried.count < policy.firstFamilyCount || (tried.count - policy.firstFamilyCount) % 2 == 1
        let takes6 = policy.prefersV6 == preferredFirst
        if takes6 { return fresh6.isEmpty ? fresh4.removeFirst() : fresh6.removeFirst() }
        return fresh4.isEmpty ? fresh6.removeFirst() : fresh4.removeFirst()
    }

    private mutating func conclude(_ now: Int64) -> [Action] {
        guard running.isEmpty, !hasFresh, v6 != .pending, v4 != .pending, discovery != .pending, untranslated.isEmpty
        else { return [] }
        // With nothing left the last resort need not be waited for.
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
