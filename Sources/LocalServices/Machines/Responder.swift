package import DNSMessages
package import InternetAddresses

/// The names that this program owns on one link (RFC 6762 §6, §8 to §10): probes for them, announces them, resolves
/// conflicts, responds to queries, and sends goodbyes. A value: it is given the time and returns what to send.
package struct Responder: Sendable {
    package enum Event: Sendable, Equatable {
        /// The service is announced under this name, which may differ from the one that was asked for.
        case published(Int, String)
        /// Another host has the name, and the service may not be renamed.
        case conflicted(Int)
    }

    package struct Output: Sendable {
        package var multicast: [DNSMessage] = []
        /// Responses to the sender of the message at hand.
        package var unicast: [DNSMessage] = []
        package var events: [Event] = []
    }

    /// The number of the claim to the host name.
    private static let host = 0
    private static let probes = 3
    private static let probeInterval: Nanoseconds = .milliseconds(250)
    /// The number of conflicts after which the next probes wait for 5 s (§8.1).
    private static let manyConflicts = 15

    private(set) var claims: [Claim] = []
    private var hostLabel: String
    private var addresses: [IPAddress]
    private var pending: [DNSRecord] = []
    private var pendingDue: Nanoseconds?
    /// The last multicast of each record: at most one in a second (§6).
    private var lastSent: [DNSRecord: Nanoseconds] = [:]
    private var random: SeededGenerator

    /// `hostLabel` has 1 to 63 bytes; `addresses` are those of the link.
    package init(hostLabel: String, addresses: [IPAddress], seed: UInt64) {
        (self.hostLabel, self.addresses) = (hostLabel, addresses)
        random = SeededGenerator(seed: seed)
    }

    private var hostName: DNSName { Claim.hostName(hostLabel) }

    /// The time of the next `tick`; nil when there is nothing to do.
    package var deadline: Nanoseconds? { (claims.compactMap(\.due) + [pendingDue].compactMap { $0 }).min() }

    // MARK: Changes by the program

    /// Starts to publish a service. `id` is above 0.
    package mutating func publish(
        _ id: Int, _ instance: ServiceInstance, port: UInt16, text: [UInt8], mayRename: Bool, at now: Nanoseconds
    ) {
        if claims.isEmpty {
            let subject = Claim.Subject.host(hostLabel, addresses)
            claims.append(Claim(id: Self.host, subject, mayRename: true, due: firstProbe(now)))
        }
        let subject = Claim.Subject.service(instance, port: port, text: text)
        claims.append(Claim(id: id, subject, mayRename: mayRename, due: firstProbe(now)))
    }

    /// Changes a service's attributes and announces them (§8.4).
    package mutating func setText(_ text: [UInt8], of id: Int, at now: Nanoseconds) {
        guard let index = claims.firstIndex(where: { $0.id == id }),
            case .service(let instance, let port, _) = claims[index].subject
        else { return }
        claims[index].subject = .service(instance, port: port, text: text)
        announceAgain(index, now)
    }

    /// Ends a service, with the goodbye that removes it from other hosts' caches (§10.1).
    package mutating func withdraw(_ id: Int) -> Output {
        guard id != Self.host, let index = claims.firstIndex(where: { $0.id == id }) else { return Output() }
        var ended = [claims.remove(at: index)]
        if claims.count == 1 { ended.append(claims.removeFirst()) }
        // Another service may be of the same type, which is then still in the list of types.
        let kept = Set(claims.flatMap(\.sharedRecords))
        let records = ended.filter(\.isAnnounced).flatMap { claim in
            claim.sharedRecords.filter { !kept.contains($0) } + claim.uniqueRecords(host: hostName)
        }
        pending.removeAll { record in records.contains { $0.hasSameData(as: record) && $0.key == record.key } }
        var output = Output()
        if !records.isEmpty { output.multicast = [Self.response(records.map { $0.living(0) })] }
        return output
    }

    /// Takes over the link's new addresses; the names are probed for again, because the link may be another one (§8).
    package mutating func setAddresses(_ addresses: [IPAddress], at now: Nanoseconds) {
        guard addresses != self.addresses else { return }
        self.addresses = addresses
        for index in claims.indices {
            if case .host(let label, _) = claims[index].subject { claims[index].subject = .host(label, addresses) }
            probeAgain(index, at: firstProbe(now))
        }
    }

    private mutating func firstProbe(_ now: Nanoseconds) -> Nanoseconds {
        // A random delay, so that hosts that start together do not probe together (§8.1).
        now + .milliseconds(Int64.random(in: 0...250, using: &random))
    }

    private mutating func probeAgain(_ index: Int, at time: Nanoseconds) {
        claims[index].stage = .probing(0)
        claims[index].due = time
    }

    private mutating func announceAgain(_ index: Int, _ now: Nanoseconds) {
        guard claims[index].isAnnounced else { return }
        claims[index].stage = .announcing(0)
        claims[index].due = now
    }

    // MARK: Time

    /// Returns the messages that are due.
    package mutating func tick(at now: Nanoseconds) -> Output {
        var output = Output()
        var probing: [Claim] = []
        for index in claims.indices {
            guard let due = claims[index].due, due <= now else { continue }
            switch claims[index].stage {
            case .probing(let sent) where sent < Self.probes:
                claims[index].stage = .probing(sent + 1)
                claims[index].due = now + Self.probeInterval
                probing.append(claims[index])
            case .probing:
                // A service names its host, so the host comes first.
                if claims[index].id != Self.host, !(claims.first?.isAnnounced ?? false) {
                    claims[index].due = now + Self.probeInterval
                } else {
                    announce(index, 1, now, &output)
                }
            case .announcing(let sent): announce(index, sent + 1, now, &output)
            case .held: claims[index].due = nil
            }
        }
        if !probing.isEmpty { output.multicast.append(probe(probing)) }
        if let due = pendingDue, due <= now {
            send(pending, now, &output)
            (pending, pendingDue) = ([], nil)
        }
        lastSent = lastSent.filter { now - $0.value < .seconds(1) }
        return output
    }

    private func probe(_ claims: [Claim]) -> DNSMessage {
        var message = DNSMessage()
        for claim in claims {
            var question = DNSQuestion(name: claim.name, type: .any)
            question.recordClass |= 0x8000
            message.questions.append(question)
            message.authorities += claim.uniqueRecords(host: hostName).map { $0.flushing(false) }
        }
        return message
    }

    private mutating func announce(_ index: Int, _ count: Int, _ now: Nanoseconds, _ output: inout Output) {
        let claim = claims[index]
        let isNew = !claim.isAnnounced
        claims[index].stage = count < 2 ? .announcing(count) : .held
        claims[index].due = count < 2 ? now + .seconds(1) : nil
        let records = claim.sharedRecords + claim.uniqueRecords(host: hostName)
        for record in records { lastSent[record] = now }
        if !records.isEmpty { output.multicast.append(Self.response(records)) }
        if isNew, case .service(let instance, _, _) = claim.subject {
            output.events.append(.published(claim.id, instance.name))
        }
    }

    private mutating func send(_ records: [DNSRecord], _ now: Nanoseconds, _ output: inout Output) {
        guard !records.isEmpty else { return }
        for record in records { lastSent[record] = now }
        output.multicast.append(Self.response(records, additional(to: records)))
    }

    private static func response(_ answers: [DNSRecord], _ additionals: [DNSRecord] = []) -> DNSMessage {
        var message = DNSMessage()
        message.isResponse = true
        message.isAuthoritative = true
        message.answers = answers
        message.additionals = additionals
        return message
    }

    // MARK: Received messages

    /// Handles a message. `isLegacy` is true for a query that does not come from port 5353 (§6.7).
    package mutating func received(_ message: DNSMessage, isLegacy: Bool, at now: Nanoseconds) -> Output {
        var output = Output()
        guard message.operation == 0, message.responseCode == .noError else { return output }
        if message.isResponse {
            if !isLegacy { defend(against: message.answers + message.additionals, now, &output) }
        } else {
            breakTies(message, now)
            respond(message, isLegacy, now, &output)
        }
        return output
    }

    /// A different record for an owned name is a conflict: while probing the other host was first; later both probe
    /// again, and one of them finds that it loses (§9).
    private mutating func defend(against records: [DNSRecord], _ now: Nanoseconds, _ output: inout Output) {
        // A claim that ends may take the host's with it.
        for index in claims.indices.reversed() where claims.indices.contains(index) {
            let (name, own) = (claims[index].name.folded, claims[index].uniqueRecords(host: hostName))
            let conflicts = records.contains { record in
                record.timeToLive > 0 && record.name.folded == name && own.contains { $0.type == record.type }
                    && !own.contains { $0.hasSameData(as: record) }
            }
            guard conflicts else { continue }
            claims[index].conflicts += 1
            let wait: Nanoseconds = claims[index].conflicts >= Self.manyConflicts ? .seconds(5) : 0
            if case .probing = claims[index].stage { rename(index, &output) }
            if claims.indices.contains(index) { probeAgain(index, at: now + wait) }
        }
    }

    private mutating func rename(_ index: Int, _ output: inout Output) {
        switch claims[index].subject {
        case .host(let label, let addresses):
            hostLabel = ServiceInstance.renamedHost(label)
            claims[index].subject = .host(hostLabel, addresses)
            // The services' records name the host.
            for other in claims.indices where other != index && claims[other].isAnnounced {
                claims[other].stage = .announcing(0)
                claims[other].due = (claims[index].due ?? 0) + .seconds(2)
            }
        case .service(let instance, let port, let text):
            if claims[index].mayRename {
                claims[index].subject = .service(instance.renamed, port: port, text: text)
            } else {
                output.events.append(.conflicted(claims[index].id))
                claims.remove(at: index)
                if claims.count == 1 { claims = [] }
            }
        }
    }

    /// Restarts the probes that lose against simultaneous ones: the host with the lexicographically earlier records waits
    /// for a second, and then finds the other's response (§8.2).
    private mutating func breakTies(_ message: DNSMessage, _ now: Nanoseconds) {
        guard !message.authorities.isEmpty else { return }
        for index in claims.indices {
            guard case .probing = claims[index].stage else { continue }
            let name = claims[index].name.folded
            let theirs = message.authorities.filter { $0.name.folded == name }.map(\.comparedBytes).sorted(by: precedes)
            let ours = claims[index].uniqueRecords(host: hostName).map(\.comparedBytes).sorted(by: precedes)
            guard !theirs.isEmpty, ours != theirs else { continue }
            if ours.lexicographicallyPrecedes(theirs, by: precedes) { probeAgain(index, at: now + .seconds(1)) }
        }
    }

    private func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }

    private mutating func respond(_ message: DNSMessage, _ isLegacy: Bool, _ now: Nanoseconds, _ output: inout Output) {
        let owned = claims.filter(\.isAnnounced)
        let (shared, unique) = (
            owned.flatMap(\.sharedRecords), owned.flatMap { $0.uniqueRecords(host: hostName) }
        )
        var direct: [DNSRecord] = []
        var later: [DNSRecord] = []
        var hasShared = false
        for question in message.questions where [1, 255].contains(question.recordClass & 0x7fff) {
            var found = shared.filter { matches($0, question) }
            hasShared = hasShared || !found.isEmpty
            found += unique.filter { matches($0, question) }
            if found.isEmpty {
                let types = Set(unique.filter { $0.name.folded == question.name.folded }.map(\.type))
                if !types.isEmpty { found = [.only(types, at: question.name, timeToLive: Claim.shortLife)] }
            }
            found.removeAll { record in
                // The sender knows it for at least half of its life (§7.1).
                message.answers.contains {
                    $0.key == record.key && $0.hasSameData(as: record) && $0.timeToLive >= record.timeToLive / 2
                }
            }
            if isLegacy || question.prefersUnicast { direct += found } else { later += found }
        }
        if !direct.isEmpty { output.unicast.append(directResponse(unduplicated(direct), message, isLegacy)) }
        // A probe is defended at once, other records are sent once in a second (§6).
        let pause: Nanoseconds = message.authorities.isEmpty ? .seconds(1) : .milliseconds(250)
        later.removeAll { record in lastSent[record].map { now - $0 < pause } ?? false }
        guard !later.isEmpty else { return }
        if hasShared || message.isTruncated {
            // Other hosts respond too; the rest of a truncated list of known answers follows (§7.2).
            let range: ClosedRange<Int64> = message.isTruncated ? 400...500 : 20...120
            let due = now + .milliseconds(Int64.random(in: range, using: &random))
            pendingDue = min(pendingDue ?? due, due)
            pending = unduplicated(pending + later)
        } else {
            send(unduplicated(later), now, &output)
        }
    }

    private func matches(_ record: DNSRecord, _ question: DNSQuestion) -> Bool {
        record.name.folded == question.name.folded && (question.type == .any || question.type == record.type)
    }

    private func directResponse(_ answers: [DNSRecord], _ message: DNSMessage, _ isLegacy: Bool) -> DNSMessage {
        guard isLegacy else { return Self.response(answers, additional(to: answers)) }
        // A conventional client wants its identifier and question back, ordinary classes and short lives (§6.7).
        func conventional(_ records: [DNSRecord]) -> [DNSRecord] {
            records.filter { $0.type != .nsec }.map { $0.flushing(false).living(min($0.timeToLive, 10)) }
        }
        var response = Self.response(conventional(answers), conventional(additional(to: answers)))
        response.identifier = message.identifier
        response.questions = message.questions
        return response
    }

    /// The records that the reader of an answer needs next (RFC 6763 §12).
    private func additional(to answers: [DNSRecord]) -> [DNSRecord] {
        let unique = claims.filter(\.isAnnounced).flatMap { $0.uniqueRecords(host: hostName) }
        var names: Set<String> = []
        for answer in answers {
            if case .ptr(let target) = answer.data { names.insert(target.folded) }
        }
        var found = unique.filter { names.contains($0.name.folded) }
        if (answers + found).contains(where: { $0.type == .srv }) {
            found += unique.filter { $0.name.folded == hostName.folded }
        }
        return unduplicated(found).filter { !answers.contains($0) }
    }

    private func unduplicated(_ records: [DNSRecord]) -> [DNSRecord] {
        var seen: Set<DNSRecord> = []
        return records.filter { seen.insert($0).inserted }
    }
}
