package import InternetAddresses

/// Queries DNS servers for the addresses of a name through interfaces that the caller selects.
///
/// The system's own lookup (`HostLookup`) cannot be restricted to an interface, because its packets follow the routes.
/// This one binds its sockets. It uses only DNS servers and no other source in nsswitch.conf.
package enum NameServerLookup {
    /// The interface through which a server is queried.
    package enum Route: Hashable, Sendable {
        /// Only for a server on this machine. The system decides how a resolver there forwards a query: the resolver
        /// has its own settings for each interface, which are not visible from outside.
        case loopback
        case interface(String)
        /// The server is not queried.
        case none
    }

    private enum Outcome {
        case verdict(DNSQuery.Verdict)
        /// No server sent a usable reply.
        case silence
    }

    /// Returns the addresses in the order of the reply. Blocks the calling thread, for seconds if no server replies.
    package static func addresses(
        of name: String, v6: Bool, settings: NameServerSettings, route: (NameServerSettings.Server) -> Route
    ) throws(HostLookupError) -> [IPAddress] {
        var hadNoAddress = false
        var wasSilent = false
        for candidate in settings.candidates(for: name) {
            guard let question = DNSQuery(candidate, v6: v6) else {
                // The name is too long with this search domain appended; it may be valid without.
                guard candidate == name else { continue }
                throw .failed("\(name) is not a valid DNS name")
            }
            switch query(question, settings, route) {
            case .verdict(.found(let addresses)): return addresses
            case .verdict(.noAddress): hadNoAddress = true
            case .verdict(.noSuchName): break
            case .verdict(.refused), .verdict(.cut), .verdict(.foreign), .verdict(.broken): wasSilent = true
            case .silence: throw .unanswered
            }
        }
        // An unknown result outweighs a negative one: a retry may succeed.
        if wasSilent { throw .unanswered }
        throw hadNoAddress ? .noAddress : .noSuchName
    }

    private static func query(
        _ question: DNSQuery, _ settings: NameServerSettings, _ route: (NameServerSettings.Server) -> Route
    ) -> Outcome {
        var refusal: DNSQuery.Verdict?
        for _ in 0..<settings.attempts {
            for (index, server) in settings.servers.enumerated() {
                let device: String?
                switch route(server) {
                case .loopback: device = nil
                case .interface(let name): device = name
                case .none: continue
                }
                let deadline = MonotonicClock.deadline(after: settings.timeout(with: index))
                // A server that cannot be reached is skipped like one that does not reply.
                let verdict = try? NameServerSocket.query(
                    question, of: server.address, device: device, tcp: settings.usesTCP, until: deadline)
                switch verdict {
                case .found, .noSuchName, .noAddress: if let verdict { return .verdict(verdict) }
                case .refused, .broken, .cut, .foreign: refusal = verdict
                case nil: break
                }
            }
        }
        return refusal.map { .verdict($0) } ?? .silence
    }
}
