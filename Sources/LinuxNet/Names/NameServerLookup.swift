/// Asks name servers for the addresses of a name by interfaces of the caller's choice.
///
/// The system's own lookup (`HostLookup`) cannot be told by which interface to ask: its packets follow the routes. This one binds its
/// sockets. It knows name servers only, no other source that nsswitch.conf may name.
package enum NameServerLookup {
    /// By which way a server is asked.
    package enum Way: Hashable, Sendable {
        /// Only for a server on this machine. What a resolver there sends on is the system's business: it has settings of its own for
        /// each interface, and nobody but it knows them.
        case loopback
        case interface(String)
        /// It is not asked.
        case none
    }

    private enum Outcome {
        case verdict(NameQuestion.Verdict)
        /// No server gave an answer that counts.
        case silence
    }

    /// The addresses in the order of the answer. Blocks the calling thread, for seconds if no server answers.
    package static func addresses(
        of name: String, v6: Bool, settings: NameServerSettings, way: (NameServerSettings.Server) -> Way
    ) throws(HostLookupError) -> [IPAddress] {
        var hadNoAddress = false
        var wasSilent = false
        for candidate in settings.candidates(for: name) {
            guard let question = NameQuestion(candidate, v6: v6) else {
                // Too long below this domain; by itself it may do.
                guard candidate == name else { continue }
                throw .failed("\(name) is no name that a name server could be asked for")
            }
            switch ask(question, settings, way) {
            case .verdict(.found(let addresses)): return addresses
            case .verdict(.noAddress): hadNoAddress = true
            case .verdict(.noSuchName): break
            case .verdict(.refused), .verdict(.cut), .verdict(.foreign), .verdict(.broken): wasSilent = true
            case .silence: throw .unanswered
            }
        }
        // One that could not say outweighs those that said no: asked again it may say yes.
        if wasSilent { throw .unanswered }
        throw hadNoAddress ? .noAddress : .noSuchName
    }

    private static func ask(_ question: NameQuestion, _ settings: NameServerSettings, _ way: (NameServerSettings.Server) -> Way) -> Outcome {
        var refusal: NameQuestion.Verdict?
        for _ in 0..<settings.attempts {
            for (index, server) in settings.servers.enumerated() {
                let device: String?
                switch way(server) {
                case .loopback: device = nil
                case .interface(let name): device = name
                case .none: continue
                }
                let deadline = MonotonicClock.deadline(after: settings.patience(with: index))
                // A server that cannot be reached is passed over like one that says nothing.
                let verdict = try? NameServerSocket.ask(
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
