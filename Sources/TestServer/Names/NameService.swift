package import Scenario

/// Decides what the lab's name server answers: the scenario's rules, the origin's addresses, and synthesis for IPv6-only clients.
///
/// It answers as a recursive resolver does (RA set, AA clear). A name's own rule counts first, then `*`, then the names that the
/// scenario uses lead to the origin; every other name does not exist.
package struct NameService: Sendable {
    package enum Transport: Hashable, Sendable { case udp, tcp }

    /// What to do about one query, and what the record says of it.
    package struct Reply: Hashable, Sendable {
        package var decision: Decision
        package var fact: NameFact
    }
    package enum Decision: Hashable, Sendable {
        case answer([UInt8])
        case after(Duration, [UInt8])
        case silent
    }

    /// A rule with its addresses read.
    private struct Rule: Sendable {
        enum Answer: Sendable {
            case addresses([DNSAddress])
            case failure(DNSResponseCode, word: String)
            case silent
        }
        var answer: Answer
        var delay: Duration?
        /// The rule is about the server rather than about names, so that as `*` it holds for the well-known names as well.
        var isOfServer: Bool
    }

    /// The largest UDP message we send or say we take: what passes the smallest IPv6 path unfragmented, 1280 − 40 − 8 (RFC 8200 §5).
    static let payloadSize: UInt16 = 1232
    /// Zero: an answer holds for its own transaction only (RFC 1035 §3.2.1), so that a change of a rule is seen by the next query.
    static let timeToLive: UInt32 = 0
    /// `ipv4only.arpa` never changes, and a client that refreshes its prefix before this runs out (RFC 7050 §3) must not spin.
    static let wellKnownTimeToLive: UInt32 = 600
    /// RFC 7050 §2.2: the name by which a client finds the prefix, and its two addresses.
    static let wellKnownName = "ipv4only.arpa"
    static let wellKnownAddresses: [DNSAddress] = [.v4(0xc000_00aa), .v4(0xc000_00ab)]

    private var rules: [String: Rule] = [:]
    private let origin: [DNSAddress]
    private let hosts: Set<String>
    /// Present when AAAA records are synthesised.
    private let synthesis: SynthesisPrefix?

    /// `hosts` are the names that the scenario uses. With a NAT64 plan the origin is IPv4-only, whatever `families` says.
    package init(
        plan: NamePlan, families: AddressFamilies, nat64: NAT64Plan?, hosts: Set<String>, origin4: String, origin6: String
    ) throws(NameServiceError) {
        guard let four = DNSAddress(origin4), case .v4 = four else { throw .address(origin4, host: "the origin") }
        guard let six = DNSAddress(origin6), case .v6 = six else { throw .address(origin6, host: "the origin") }
        if let nat64 {
            guard let prefix = SynthesisPrefix(nat64.prefix) else { throw .prefix(nat64.prefix) }
            synthesis = nat64.dns64 ? prefix : nil
            origin = [four]
        } else {
            synthesis = nil
            switch families {
            case .ipv4: origin = [four]
            case .ipv6: origin = [six]
            case .both: origin = [four, six]
            }
        }
        // An address in place of a name is never asked for.
        self.hosts = Set(hosts.filter { DNSAddress($0) == nil }.compactMap { DNSName($0)?.folded })
        for rule in plan.rules { try change(rule) }
    }

    /// Sets the rule of one host name, or of `*`, from the next query on.
    package mutating func change(_ rule: NameRule) throws(NameServiceError) {
        guard let name = DNSName(rule.host) else { throw .host(rule.host) }
        var isOfServer = false
        let answer: Rule.Answer
        switch rule.answer {
        case .origin: answer = .addresses(origin)
        case .addresses(let list):
            var addresses: [DNSAddress] = []
            for text in list {
                guard let address = DNSAddress(text) else { throw .address(text, host: rule.host) }
                addresses.append(address)
            }
            answer = .addresses(addresses)
        case .nxdomain: answer = .failure(.nameError, word: "nxdomain")
        case .servfail:
            answer = .failure(.serverFailure, word: "servfail")
            isOfServer = true
        case .refused:
            answer = .failure(.refused, word: "refused")
            isOfServer = true
        case .silent:
            answer = .silent
            isOfServer = true
        }
        rules[name.folded] = Rule(answer: answer, delay: rule.delay, isOfServer: isOfServer)
    }

    /// Answers one message as it came from the wire; anything at all may be in it.
    package func reply(to bytes: [UInt8], from client: String, over transport: Transport) -> Reply {
        let query: DNSMessage
        do {
            query = try DNSMessage(parsing: bytes)
        } catch {
            return unreadable(bytes, error, from: client)
        }
        // A response that is answered could go round for ever.
        guard !query.isResponse else {
            return Reply(decision: .silent, fact: NameFact(host: "?", type: "?", answer: "ignored: not a query", client: client))
        }
        var fact = NameFact(host: "?", type: "?", answer: "", client: client)
        if let question = query.questions.first {
            fact.host = question.name.folded
            fact.type = question.type.description
        }
        var response = DNSMessage(answering: query)
        let outcome = decide(query, &response)
        guard let words = outcome.words else {
            fact.answer = "silent"
            return Reply(decision: .silent, fact: fact)
        }
        let limit =
            switch transport {
            case .udp: Int(min(max(query.edns?.payloadSize ?? 512, 512), NameService.payloadSize))
            case .tcp: 65535
            }
        let answer = response.encoded(limit: limit)
        fact.answer = words
        // The third octet holds TC.
        if answer[2] & 0x02 != 0 { fact.answer += ", truncated" }
        if transport == .tcp { fact.answer += ", over TCP" }
        guard let delay = outcome.delay, delay > .zero else { return Reply(decision: .answer(answer), fact: fact) }
        fact.answer += ", after \(delay.nanoseconds / 1_000_000) ms"
        return Reply(decision: .after(delay, answer), fact: fact)
    }

    /// Fills the response; words are nil when none is sent.
    private func decide(_ query: DNSMessage, _ response: inout DNSMessage) -> (words: String?, delay: Duration?) {
        if let edns = query.edns, edns.version > 0 {
            response.responseCode = .badVersion
            return ("badvers", nil)
        }
        guard query.operation == 0 else {
            response.responseCode = .notImplemented
            return ("notimp", nil)
        }
        // RFC 9619: a query has exactly one question.
        guard query.questions.count == 1, let question = query.questions.first else {
            response.responseCode = .formatError
            return ("formerr: \(query.questions.count) questions", nil)
        }
        guard question.recordClass == DNSRecord.internet || question.recordClass == DNSRecord.anyClass,
            question.type != .axfr, question.type != .ixfr
        else {
            response.responseCode = .refused
            return ("refused", nil)
        }
        let host = question.name.folded
        let timeToLive = host == NameService.wellKnownName ? NameService.wellKnownTimeToLive : NameService.timeToLive
        let rule = self.rule(for: host)
        switch rule.answer {
        case .silent: return (nil, nil)
        case .failure(let code, let word):
            response.responseCode = code
            if code == .nameError { response.authorities = [authority(for: question.name, timeToLive)] }
            return (word, rule.delay)
        case .addresses(let addresses):
            // RFC 6147 §5.5: a client that validates by itself (DO and CD) gets what there is.
            let validates = query.checkingDisabled && query.edns?.dnssecOK == true
            let (found, words) = records(of: addresses, for: question.type, synthesis: validates ? nil : synthesis)
            response.answers = found.map { DNSRecord(name: question.name, timeToLive: timeToLive, data: $0) }
            if found.isEmpty { response.authorities = [authority(for: question.name, timeToLive)] }
            return (NameService.text(words), rule.delay)
        }
    }

    private func rule(for host: String) -> Rule {
        let everything = rules["*"]
        if let own = rules[host] { return own }
        if host == NameService.wellKnownName || host == "arpa" || host.hasSuffix(".arpa") {
            if let everything, everything.isOfServer { return everything }
            let answer: Rule.Answer =
                host == NameService.wellKnownName
                ? .addresses(NameService.wellKnownAddresses) : .failure(.nameError, word: "nxdomain")
            return Rule(answer: answer, delay: everything?.delay, isOfServer: false)
        }
        if let everything { return everything }
        if hosts.contains(host) { return Rule(answer: .addresses(origin), delay: nil, isOfServer: false) }
        // RFC 8020: no such name would mean that nothing below it exists either.
        let hasNamesBelow = host == "." || hosts.union(rules.keys).contains { $0.hasSuffix("." + host) }
        return Rule(
            answer: hasNamesBelow ? .addresses([]) : .failure(.nameError, word: "nxdomain"), delay: nil, isOfServer: false)
    }

    private func records(
        of addresses: [DNSAddress], for type: DNSRecordType, synthesis: SynthesisPrefix?
    ) -> (data: [DNSRecord.Data], words: [String]) {
        var data: [DNSRecord.Data] = []
        var words: [String] = []
        for address in addresses {
            switch address {
            case .v4(let bits) where type == .a || type == .any: data.append(.a(bits))
            case .v6(let bits) where type == .aaaa && !(synthesis != nil && address.isMappedIPv4) || type == .any: data.append(.aaaa(bits))
            case .v4, .v6: continue
            }
            words.append("\(address)")
        }
        // RFC 6147 §5.1: only when the name has no AAAA of its own.
        guard type == .aaaa, data.isEmpty, let synthesis else { return (data, words) }
        for case .v4(let bits) in addresses {
            let made = synthesis.embedding(bits)
            data.append(.aaaa(made))
            words.append("\(DNSAddress.v6(made)) synthesised from \(DNSAddress.v4(bits))")
        }
        return (data, words)
    }

    /// The record names the first addresses; a long list would hide what else is on its line.
    private static func text(_ words: [String]) -> String {
        if words.isEmpty { return "no records" }
        let shown = words.prefix(8).joined(separator: " ")
        return words.count > 8 ? "\(shown) and \(words.count - 8) more" : shown
    }

    /// The SOA of a negative answer (RFC 2308 §2); every top-level domain is one zone of the lab.
    private func authority(for name: DNSName, _ timeToLive: UInt32) -> DNSRecord {
        let zone = name.topLevel
        return DNSRecord(
            name: zone, timeToLive: timeToLive,
            data: .soa(
                .init(
                    server: DNSName(labels: [Array("ns".utf8)] + zone.labels),
                    mailbox: DNSName(labels: [Array("hostmaster".utf8)] + zone.labels), serial: 1, refresh: 3600, retry: 600,
                    expire: 86400, minimum: timeToLive)))
    }

    private func unreadable(_ bytes: [UInt8], _ error: DNSMessageError, from client: String) -> Reply {
        let fact = { NameFact(host: "?", type: "?", answer: $0 + ": \(error)", client: client) }
        guard bytes.count >= DNSMessage.headerLength, bytes[2] & 0x80 == 0 else {
            return Reply(decision: .silent, fact: fact("ignored"))
        }
        var response = DNSMessage()
        response.identifier = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        response.isResponse = true
        response.operation = bytes[2] >> 3 & 0xf
        response.recursionDesired = bytes[2] & 1 != 0
        response.recursionAvailable = true
        response.responseCode = .formatError
        return Reply(decision: .answer(response.encoded()), fact: fact("formerr"))
    }
}

extension DNSMessage {
    /// The empty response: identifier, question as sent, and EDNS when the query had it (RFC 6891 §6.1.1).
    fileprivate init(answering query: DNSMessage) {
        self.init()
        identifier = query.identifier
        isResponse = true
        operation = query.operation
        recursionDesired = query.recursionDesired
        recursionAvailable = true
        checkingDisabled = query.checkingDisabled
        // More than one question is an error already; one is enough to name it and keeps the answer no longer than the query.
        questions = Array(query.questions.prefix(1))
        edns = query.edns.map { EDNS(payloadSize: NameService.payloadSize, dnssecOK: $0.dnssecOK) }
    }
}

/// Why the name service cannot be made as the scenario says.
package enum NameServiceError: Error, Hashable, CustomStringConvertible {
    case host(String)
    case address(String, host: String)
    case prefix(String)

    package var description: String {
        switch self {
        case .host(let host):
            "'\(host)' is no host name (labels of 1 to 63 characters, 253 in all); write a name such as api.test, or *"
        case .address(let text, let host):
            "'\(text)', given for \(host), is no IP address: write four decimal numbers (192.0.2.7) or an IPv6 address (2001:db8::7)"
        case .prefix(let text):
            "'\(text)' is no NAT64 prefix: write an IPv6 prefix of length 32, 40, 48, 56, 64 or 96 with nothing set beyond it, "
                + "such as 2001:db8:64::/96"
        }
    }
}
